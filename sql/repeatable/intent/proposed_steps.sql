-- proposed_steps: what could be done about an intent, read off its evidence by rule: what each event says is unmet, and by when.
CREATE OR REPLACE FUNCTION cognifold.proposed_steps(tenant text, intent_id uuid, clock timestamptz, settings jsonb) RETURNS jsonb
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    RETURN (
        WITH spoken AS (   -- the sentences that voice a need, as surely as their cues make them
            SELECT n.id AS event_id, n.occurred_at, m.place, m.sentence, 1 - exp(sum(ln(1 - m.weight) ORDER BY m.weight) FILTER (WHERE m.is_need)) AS need,
                   bool_or(NOT m.is_need) AS done
            FROM cognifold.graph_edge AS e
            JOIN cognifold.node AS n ON n.tenant_id = e.tenant_id AND n.id = e.source_id AND n.kind = 'event'
            JOIN cognifold.node_text AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
            CROSS JOIN LATERAL cognifold.cue_matches(n.title, c.content) AS m
            WHERE e.tenant_id = proposed_steps.tenant AND e.target_id = proposed_steps.intent_id AND e.type = 'grounds' AND NOT e.inferred
            GROUP BY n.id, n.occurred_at, m.place, m.sentence
        ), once AS (       -- said several times it is one step, in its latest words
            SELECT DISTINCT ON (s.key) s.event_id, s.occurred_at, s.place, s.sentence, s.need
            FROM (SELECT s.*, regexp_replace(lower(s.sentence), '[^[:alpha:]]+', ' ', 'g') AS key FROM spoken AS s) AS s
            WHERE s.need >= (settings ->> 'intent.cue')::double precision AND NOT s.done
            ORDER BY s.key, s.occurred_at DESC, s.event_id
        ), chosen AS (     -- the surest first, of these the latest
            SELECT o.*, row_number() OVER (ORDER BY round(o.need::numeric, 9) DESC, o.occurred_at DESC, o.event_id, o.place) AS rank FROM once AS o
        ), timed AS (
            SELECT c.rank, c.event_id, c.sentence, s.deadline, z.time_zone, least(count(*) OVER (), (settings ->> 'intent.steps')::integer) AS number
            FROM chosen AS c
            JOIN cognifold.intent_state AS s ON s.tenant_id = proposed_steps.tenant AND s.node_id = proposed_steps.intent_id
            JOIN cognifold.tenant AS z ON z.tenant_id = s.tenant_id
        )
        SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
                   'op', 'SET_ACTION', 'node', proposed_steps.intent_id, 'position', t.rank,
                   'what', cognifold.cut_sentence(t.sentence, 300),
                   'due_at', cognifold.plan_time(CASE
                       WHEN t.deadline <= clock THEN clock
                       -- Soon: the first step today, the others before the deadline. Else evenly until then.
                       WHEN t.deadline <= clock + make_interval(secs => 3600 * (settings ->> 'intent.soon')::double precision) AND t.rank = 1
                       THEN least(t.deadline, (date_trunc('day', clock AT TIME ZONE t.time_zone) + interval '1 day') AT TIME ZONE t.time_zone)
                       ELSE clock + (t.deadline - clock) * (t.rank::double precision / t.number) END),
                   'grounded_in', jsonb_build_array(t.event_id), 'reasoning', 'what its evidence says is unmet')) ORDER BY t.rank)
        FROM timed AS t
        WHERE t.rank <= t.number);
END
$$;
COMMENT ON FUNCTION cognifold.proposed_steps(text, uuid, timestamptz, jsonb) IS
    'SET_ACTION operations for an intent: the sentences of its evidence that voice a need from intent.cue on and nothing done, the surest and then the latest first, at most intent.steps; NULL for none. With a deadline ahead they are due evenly until then, within intent.soon of it the first today; with one that has passed at once; else at no time. Internal.';
