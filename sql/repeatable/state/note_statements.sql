-- note_statements: writes what an event states, in place of what was noted of it before.
CREATE OR REPLACE FUNCTION cognifold.note_statements(tenant text, node_id uuid, settings jsonb) RETURNS integer
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
-- Each statement looks a few rows up by their keys, whoever the tenant is: one plan, made once.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_variable
DECLARE
    event   record;
    said    record;
    earlier record;
    voice   text;
    key     text;
    stems   text[];
    olds    text[];
    noted   integer := 0;
    longest integer := settings ->> 'state.longest_key';
BEGIN
    SELECT c.content, n.actor, n.source, n.occurred_at INTO event
    FROM cognifold.node AS n JOIN cognifold.node_text AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
    WHERE n.tenant_id = tenant AND n.id = node_id AND n.kind = 'event';
    voice := lower(coalesce(event.actor, ''));
    -- Asked first: a new event has none, and the DELETE alone would have its trigger look for attributes to remove.
    IF EXISTS (SELECT FROM cognifold.state_statement AS s WHERE s.tenant_id = tenant AND s.event_id = node_id) THEN
        DELETE FROM cognifold.state_statement AS s WHERE s.tenant_id = tenant AND s.event_id = node_id;
    END IF;
    FOR said IN SELECT s.* FROM cognifold.statements(event.content, event.actor) AS s LOOP
        stems := cognifold.value_words(said.value);
        olds := CASE WHEN said.old_value IS NULL THEN '{}' ELSE cognifold.value_words(said.old_value) END;
        IF said.attribute IS NULL THEN
            -- What it corrects: the latest statement of the same voice whose value it denies, else the latest whose value is of the same make.
            earlier := NULL;
            SELECT s.subject, s.attribute INTO earlier
            FROM (SELECT s.* FROM cognifold.state_statement AS s
                  WHERE s.tenant_id = tenant AND s.said_by = voice AND (s.occurred_at, s.event_id) < (event.occurred_at, node_id)
                  ORDER BY s.occurred_at DESC, s.event_id DESC, s.place DESC
                  LIMIT (settings ->> 'state.corrected')::integer) AS s
            WHERE s.polarity = 'holds'
              AND CASE WHEN cardinality(olds) > 0 AND NOT s.value_words && olds THEN false
                       WHEN cardinality(olds) > 0 THEN true
                       ELSE (said.value ~ '\d') = (s.value ~ '\d')
                            AND s.occurred_at >= event.occurred_at - make_interval(secs => (settings ->> 'state.correction_window')::double precision) END
            ORDER BY s.occurred_at DESC, s.event_id DESC, s.place DESC
            LIMIT 1;
            CONTINUE WHEN earlier.attribute IS NULL;
            said.subject := earlier.subject;
            key := earlier.attribute;
        ELSE
            key := array_to_string(said.attribute, ' ');
            IF said.subject = '*' AND EXISTS (SELECT FROM cognifold.state_attribute AS a WHERE a.tenant_id = tenant AND a.subject = voice AND a.attribute = key) THEN
                said.subject := voice;   -- "my locker code is 4411", then "new locker code: 9020"
            ELSIF said.subject NOT IN ('*', voice) THEN
                -- A name that means one actor is that actor.
                SELECT min(lower(a.actor)) AS actor, count(DISTINCT a.actor) AS actors INTO earlier
                FROM (SELECT n.actor FROM cognifold.actor_name AS n
                      WHERE n.tenant_id = tenant AND n.word = ANY (ARRAY(SELECT w.word FROM cognifold.name_words(said.subject) AS w))
                      GROUP BY n.actor HAVING count(*) = (SELECT count(DISTINCT w.word) FROM cognifold.name_words(said.subject) AS w)) AS a;
                IF earlier.actors = 1 THEN
                    said.subject := earlier.actor;
                END IF;
            END IF;
            -- No attribute and no name is as long as that, and both are keys: a text without spaces must not stop its fold.
            CONTINUE WHEN octet_length(key) > longest OR said.subject <> voice AND octet_length(said.subject) > longest;
            INSERT INTO cognifold.state_attribute AS a (tenant_id, subject, attribute, words, is_multiple, vector)
            SELECT tenant, said.subject, key, said.attribute, said.is_multiple,
                   cognifold.embed(concat_ws(' ', array_to_string(said.attribute, ' '),
                       (SELECT string_agg(o.description, ' ' ORDER BY o.slot) FROM cognifold.state_slot AS o WHERE o.slot = ANY (said.attribute))))::halfvec
            WHERE NOT EXISTS (SELECT FROM cognifold.state_attribute AS a WHERE a.tenant_id = tenant AND a.subject = said.subject AND a.attribute = key)
            ON CONFLICT DO NOTHING;
        END IF;
        noted := noted + 1;
        INSERT INTO cognifold.state_statement (tenant_id, event_id, place, subject, attribute, polarity, value, value_words, old_words, is_change, occurred_at, said_by)
        VALUES (tenant, node_id, noted, said.subject, key, said.polarity, said.value, stems, olds, said.is_change, event.occurred_at, voice);
    END LOOP;
    RETURN noted;
END
$$;
COMMENT ON FUNCTION cognifold.note_statements(text, uuid, jsonb) IS 'Notes what an event states (statements) and returns how many statements that are. Idempotent. A correction without a subject is of the latest statement of the same actor that it fits among those known by then. Internal.';
