-- strand_words: what an intent of a strand is called and why it is there, in its events' own words.
CREATE OR REPLACE FUNCTION cognifold.strand_words(
    tenant text, members uuid[], event_id uuid, deadline timestamptz, density double precision, pressure double precision,
    readiness double precision, category text, theta double precision, settings jsonb
) RETURNS TABLE (title text, reason text, numbers text)
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    longest CONSTANT integer := settings ->> 'intent.title_length';
BEGIN
    RETURN QUERY
    WITH told AS (
        SELECT n.id, n.occurred_at, n.actor, z.time_zone, coalesce(s.sentence, cognifold.quoted_cue(strand_words.tenant, n.id, longest)) AS words
        FROM cognifold.node AS n
        JOIN cognifold.node_text AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
        JOIN cognifold.tenant AS z ON z.tenant_id = n.tenant_id
        LEFT JOIN LATERAL (   -- of the event that names the deadline, the sentence that does
            SELECT cognifold.cut_sentence(r.sentence, longest) AS sentence
            FROM cognifold.sentences(n.title, c.content) AS r
            WHERE n.id = strand_words.event_id AND strand_words.deadline IS NOT NULL
              AND EXISTS (SELECT FROM cognifold.deadlines(r.sentence, '{}', n.occurred_at, z.time_zone) AS d WHERE d.moment = strand_words.deadline)
            ORDER BY r.place LIMIT 1
        ) AS s ON true
        WHERE n.tenant_id = strand_words.tenant AND n.id = ANY (members)
    )
    SELECT coalesce('By ' || to_char(deadline AT TIME ZONE max(t.time_zone), 'FMDD FMMonth YYYY') || ': ', '')
           || (SELECT o.words FROM told AS o WHERE o.id = strand_words.event_id),
           CASE WHEN deadline IS NULL
                THEN format('%s events since %s speak of what is missing, and none since says it is settled:', count(*),
                            to_char(min(t.occurred_at) AT TIME ZONE max(t.time_zone), 'FMDD FMMonth'))
                ELSE format('%s is near, it has been come back to, and nothing says it is met:',
                            to_char(deadline AT TIME ZONE max(t.time_zone), 'FMDD FMMonth YYYY')) END
           || E'\n' || string_agg(format('%s%s: "%s"', to_char(t.occurred_at AT TIME ZONE t.time_zone, 'FMDD FMMonth'), ', ' || t.actor, t.words),
                                  E'\n' ORDER BY t.occurred_at, t.id)
           || coalesce(E'\nDue ' || to_char(deadline AT TIME ZONE max(t.time_zone), 'FMDD FMMonth YYYY') || '.', ''),
           format('a strand of density %s and pressure %s gives %s; the bar for %s is %s', round(density::numeric, 3), round(pressure::numeric, 3),
                  round(readiness::numeric, 3), category, round(theta::numeric, 3))
    FROM told AS t;
END
$$;
COMMENT ON FUNCTION cognifold.strand_words(text, uuid[], uuid, timestamptz, double precision, double precision, double precision, text, double precision, jsonb) IS
    'Title (the deadline, and the sentence that names it or says most plainly what is missing), reason (who said what, when) and the numbers of an intent of a strand. Internal.';
