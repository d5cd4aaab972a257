-- concepts_conflict: whether two concepts, however near, say different things and must stay apart.
CREATE OR REPLACE FUNCTION cognifold.concepts_conflict(tenant text, one uuid, other uuid) RETURNS boolean
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    own     cognifold.embedding_model := cognifold.tenant_model(tenant);
    maximum integer := cognifold.setting('consolidate.merge_events', tenant)::integer;
    alone   record;   -- whether each has evidence that the other has not
    pairs   record;   -- of their most typical events
BEGIN
    -- By their titles, those of concepts they have absorbed included: what those were called, they are about, too.
    IF EXISTS (
        SELECT FROM cognifold.node AS a, cognifold.node AS b
        WHERE a.tenant_id = tenant AND (a.id = one OR a.merged_into = one) AND b.tenant_id = tenant AND (b.id = other OR b.merged_into = other)
          AND cognifold.texts_conflict(tenant, a.title, b.title))
    THEN
        RETURN true;
    END IF;

    -- One event may speak of two things. Where one of the concepts has no event of its own, that their vectors are alike says
    -- nothing, and only a word that their titles share can.
    SELECT coalesce(bool_or(v.of_one AND NOT v.of_other), false) AS one, coalesce(bool_or(v.of_other AND NOT v.of_one), false) AS other
    INTO alone
    FROM (SELECT bool_or(g.target_id = one) AS of_one, bool_or(g.target_id = other) AS of_other
          FROM cognifold.graph_edge AS g
          WHERE g.tenant_id = tenant AND g.target_id IN (one, other) AND g.type IN ('grounds', 'reinforces') AND NOT g.inferred
          GROUP BY g.source_id) AS v;
    IF NOT (alone.one AND alone.other) AND NOT EXISTS (
        SELECT FROM cognifold.node AS a CROSS JOIN cognifold.node AS b
        CROSS JOIN LATERAL cognifold.lexemes(a.title) AS x
        JOIN LATERAL cognifold.lexemes(b.title) AS y ON y.lexeme = x.lexeme
        WHERE a.tenant_id = tenant AND a.id = one AND b.tenant_id = tenant AND b.id = other)
    THEN
        RETURN true;
    END IF;

    -- By what their most typical events say.
    WITH typical AS MATERIALIZED (
        SELECT c.id AS concept, t.node_id, t.vector, left(cognifold.indexed_text(n.title, m.content), 2000) AS text
        FROM (VALUES (one), (other)) AS c (id)
        CROSS JOIN LATERAL (
            SELECT e.node_id, v.vector
            FROM (SELECT DISTINCT g.source_id AS node_id FROM cognifold.graph_edge AS g
                  WHERE g.tenant_id = tenant AND g.target_id = c.id AND g.type IN ('grounds', 'reinforces') AND NOT g.inferred) AS e
            LEFT JOIN cognifold.embedding AS v
                   ON v.tenant_id = tenant AND v.model_id = own.model_id AND v.kind = 'event' AND v.node_id = e.node_id
            LEFT JOIN cognifold.embedding AS w
                   ON w.tenant_id = tenant AND w.model_id = own.model_id AND w.kind = 'concept' AND w.node_id = c.id
            ORDER BY v.vector <=> w.vector, e.node_id
            LIMIT maximum
        ) AS t
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = t.node_id
        JOIN cognifold.node_text AS m ON m.tenant_id = tenant AND m.node_id = t.node_id
    ), pair AS (
        SELECT a.concept <> b.concept AS crosses, coalesce(-(a.vector <#> b.vector) >= own.merge, false) AS alike,
               cognifold.texts_conflict(tenant, a.text, b.text) AS conflict
        FROM typical AS a JOIN typical AS b ON (b.concept, b.node_id) > (a.concept, a.node_id)
    )
    SELECT count(*) FILTER (WHERE p.crosses) > 0 AS any,
           bool_and(p.conflict) FILTER (WHERE p.crosses) AS all_conflict,
           -- Much the same said in one and contradicted in the other, where neither is of such variety itself ("ran 5 km", "ran 8 km").
           coalesce(bool_or(p.alike AND p.conflict) FILTER (WHERE p.crosses), false)
           AND NOT coalesce(bool_or(p.alike AND p.conflict) FILTER (WHERE NOT p.crosses), false) AS opposed
    INTO pairs
    FROM pair AS p;
    RETURN pairs.any AND (pairs.all_conflict OR pairs.opposed);
END
$$;
COMMENT ON FUNCTION cognifold.concepts_conflict(text, uuid, uuid) IS
    'True if two concepts say different things: a title of one conflicts (texts_conflict) with one of the other, absorbed concepts'' titles included; or one rests only on events that the other rests on, too, and their titles share no word; or, of the few events of each that are nearest to its mean, every one conflicts with every one of the other, or two that are alike do while neither concept holds such variety itself. Internal.';
