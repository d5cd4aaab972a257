-- category_acceptance: how welcome the intents of each category have been, leaning on a guess where few were answered.
CREATE OR REPLACE FUNCTION cognifold.category_acceptance(tenant text, clock timestamptz, known_at timestamptz DEFAULT NULL)
RETURNS TABLE (category text, answers bigint, accepted double precision, acceptance double precision)
LANGUAGE plpgsql STABLE ROWS 8
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    prior  CONSTANT double precision := cognifold.setting('intent.acceptance', category_acceptance.tenant);
    weight CONSTANT double precision := cognifold.setting('intent.acceptance_weight', category_acceptance.tenant);
BEGIN
    RETURN QUERY
    WITH changed AS MATERIALIZED (   -- of what is known now, nothing has
        SELECT i.node_id, i.other_id, i.part, i.image
        FROM cognifold.images_since(category_acceptance.tenant, category_acceptance.known_at, 'intent_feedback') AS i
        WHERE category_acceptance.known_at IS NOT NULL
    ), said AS (
        SELECT f.category, f.answer FROM cognifold.intent_feedback AS f
        WHERE f.tenant_id = category_acceptance.tenant AND f.at <= clock
          AND NOT EXISTS (SELECT FROM changed AS c WHERE c.node_id = f.node_id AND c.other_id = f.event_id AND c.part = f.category)
        UNION ALL
        SELECT r.category, r.answer FROM changed AS c
        CROSS JOIN LATERAL jsonb_populate_record(NULL::cognifold.intent_feedback, c.image) AS r
        WHERE c.image IS NOT NULL AND r.at <= clock
    ), counted AS (
        SELECT s.category, count(*) AS answers,
               sum(CASE s.answer WHEN 'accept' THEN 1 WHEN 'modify' THEN 1 WHEN 'defer' THEN 0.5 ELSE 0 END)::double precision AS accepted
        FROM said AS s GROUP BY s.category
    )
    SELECT c.category, coalesce(n.answers, 0), coalesce(n.accepted, 0),
           coalesce((coalesce(n.accepted, 0) + prior * weight) / NULLIF(coalesce(n.answers, 0) + weight, 0), prior)
    FROM cognifold.intent_category AS c LEFT JOIN counted AS n ON n.category = c.category;
END
$$;
COMMENT ON FUNCTION cognifold.category_acceptance(text, timestamptz, timestamptz) IS
    'Per category the answers until clock (as known at known_at), how many of them were welcome (accept and modify count 1, defer 1/2, reject 0), and the chance that the next is: (accepted + acceptance * n) / (answers + n), n = intent.acceptance_weight, the mean of a Beta distribution. Internal.';
