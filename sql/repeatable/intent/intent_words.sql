-- intent_words: what an intent is called and why it is there, in the evidence's own words.
CREATE OR REPLACE FUNCTION cognifold.intent_words(
    tenant text, concept uuid, voiced jsonb, deadline timestamptz, density double precision, pressure double precision,
    readiness double precision, category text, theta double precision, settings jsonb
) RETURNS TABLE (title text, reason text, numbers text)
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH spoken AS (
        SELECT v.event, v.occurred_at, v.mass, v."left"
        FROM jsonb_to_recordset(voiced) AS v (event uuid, occurred_at timestamptz, mass double precision, "left" double precision)
    ), telling AS (   -- the three that weigh most, the first of them for the title
        SELECT s.event, s.occurred_at, row_number() OVER (ORDER BY s."left" * s.mass DESC, s.occurred_at DESC, s.event) AS rank
        FROM spoken AS s WHERE s."left" >= (settings ->> 'intent.cue')::double precision
        ORDER BY s."left" * s.mass DESC, s.occurred_at DESC, s.event
        LIMIT 3
    ), quoted AS (
        SELECT t.rank, t.occurred_at, n.actor, z.time_zone,
               cognifold.quoted_cue(intent_words.tenant, t.event, (settings ->> 'intent.title_length')::integer) AS words
        FROM telling AS t
        JOIN cognifold.node AS n ON n.tenant_id = intent_words.tenant AND n.id = t.event
        JOIN cognifold.tenant AS z ON z.tenant_id = n.tenant_id
    ), counted AS (
        SELECT count(*) AS events, count(*) FILTER (WHERE s."left" >= (settings ->> 'intent.cue')::double precision) AS cues FROM spoken AS s
    )
    SELECT n.title || ': ' || (SELECT q.words FROM quoted AS q WHERE q.rank = 1),
           format(E'%s of %s recent events say that something is unmet, and none since says it is done:\n%s%s', c.cues, c.events,
                  (SELECT string_agg(format('%s%s: "%s"', to_char(q.occurred_at AT TIME ZONE q.time_zone, 'FMDD FMMonth'), ', ' || q.actor, q.words),
                                     E'\n' ORDER BY q.occurred_at, q.rank) FROM quoted AS q),
                  E'\nDue ' || to_char(deadline AT TIME ZONE z.time_zone, 'FMDD FMMonth YYYY') || '.'),
           format('density %s and pressure %s of unmet needs give %s; the bar for %s is %s',
                  round(density::numeric, 3), round(pressure::numeric, 3), round(readiness::numeric, 3), category, round(theta::numeric, 3))
    FROM cognifold.node AS n
    JOIN cognifold.tenant AS z ON z.tenant_id = n.tenant_id
    CROSS JOIN counted AS c
    WHERE n.tenant_id = intent_words.tenant AND n.id = concept;
END
$$;
COMMENT ON FUNCTION cognifold.intent_words(text, uuid, jsonb, timestamptz, double precision, double precision, double precision, text, double precision, jsonb) IS
    'Title (the concept''s, and the sentence that says most plainly what is wanted), reason (who said what, when, and the deadline) and the numbers of an intent. Internal.';
