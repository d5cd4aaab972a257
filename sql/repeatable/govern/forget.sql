-- forget: what is forgotten is gone: from every table, from what was made of it, and from the record of how that was made.
CREATE OR REPLACE FUNCTION cognifold.forget(
    node_ids        uuid[] DEFAULT NULL,
    idempotency_key text DEFAULT NULL,
    source          text DEFAULT NULL,
    source_key      text DEFAULT NULL,
    actor           text DEFAULT NULL,
    subject         text DEFAULT NULL,
    since           timestamptz DEFAULT NULL,
    until           timestamptz DEFAULT NULL,
    dry_run         boolean DEFAULT false,
    tenant          text DEFAULT cognifold.required_tenant()
) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    criteria text[] := ARRAY(
        SELECT c.name FROM (VALUES ('node_ids', node_ids IS NULL), ('idempotency_key', idempotency_key IS NULL), ('source', source IS NULL),
                                   ('source_key', source_key IS NULL), ('actor', actor IS NULL), ('subject', subject IS NULL),
                                   ('since', since IS NULL), ('until', until IS NULL)) AS c (name, missing)
        WHERE NOT c.missing);
    named    uuid[];
    traces   jsonb := '{}';
    wrong    text;
    report   jsonb;
BEGIN
    wrong := CASE
        WHEN criteria = '{}' THEN 'no condition is given, and nothing is never everything'
        WHEN idempotency_key = '' OR source = '' OR source_key = '' OR actor = '' THEN 'a condition is an empty text'
        WHEN subject !~ '[[:alnum:]]' THEN format('subject = %L holds no letter or digit to look for', subject)
        WHEN source_key IS NOT NULL AND source IS NULL THEN 'source_key is a key within a source: give source, too'
        WHEN array_position(node_ids, NULL) IS NOT NULL THEN 'one of node_ids is NULL'
        WHEN until <= since THEN format('until = %s is not after since = %s', until, since)
        WHEN dry_run IS NULL THEN 'dry_run is NULL'
    END;
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION 'forget: %', wrong
            USING ERRCODE = 'CF047',
                  HINT = 'Nothing was forgotten. Give node_ids, idempotency_key, source (and source_key), actor, subject, since or until; what meets all of them is forgotten.';
    END IF;
    -- What watched tables have written and nobody has taken in yet is known, too.
    WHILE EXISTS (SELECT FROM cognifold_watch.inbox AS i WHERE i.tenant_id = tenant) LOOP
        EXIT WHEN cognifold.take_captures(tenant) = 0;
    END LOOP;
    PERFORM cognifold.take_turn(tenant);
    named := cognifold.nodes_to_forget(tenant, node_ids, idempotency_key, source, source_key, actor, subject, since, until);
    IF criteria = '{subject}' THEN
        -- What names them though no event does that it rests on: a model's words, or a person's.
        traces := cognifold.subject_traces(tenant, cognifold.naming_pattern(subject));
    END IF;
    report := cognifold.forget_nodes(tenant, named, traces, criteria, cognifold.effective_role(), dry_run);
    PERFORM cognifold.leave_tenant(previous);
    RETURN report;
END
$$;
COMMENT ON FUNCTION cognifold.forget(uuid[], text, text, text, text, text, timestamptz, timestamptz, boolean, text) IS
    'Forgets what meets all conditions given, in the caller''s transaction. node_ids: nodes of any kind; every other condition is of events. idempotency_key, source, actor: exactly these. source_key: within the source, the idempotency key, or the primary key of the watched row (its columns joined by commas). subject: a name that their text, title, actor, payload, media, key or annotations hold as whole words, whatever the case. since, until: event time, from since on, before until. Gone is all that is theirs (texts, payloads, vectors, words and their statistics, names, statements), concepts, intents and moments that nothing else holds up, findings that counted them, and what plans and their journal say of them; concepts and intents that stay get the title, text, vector, mass and count that the evidence left makes of them, by SQL, whoever had worded them. Not undone, and neither are plans that had a part in it (CF048). Their keys are not taken in again: remember stores nothing, and returns the id the event had. dry_run: reports, and does nothing. Returns {forget_id, plan_id (both null where nothing was), dry_run, counts: {events, concepts, intents, times, insights, edges: gone; concepts_reworded, intents_reworded, times_reworded; plans_blotted}}; a second call counts zeros. Raises CF047 for no condition or one that says nothing. For members of cognifold_governor. What is deleted lies in the tables'' pages, unreachable by SQL, until VACUUM; backups, WAL, replicas, logs and copies outside are out of its reach.';
