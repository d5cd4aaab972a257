-- alike_concepts: which of the given concepts are so near to another that the two should be one.
CREATE OR REPLACE FUNCTION cognifold.alike_concepts(tenant text, concepts uuid[]) RETURNS jsonb
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    own   cognifold.embedding_model := cognifold.tenant_model(tenant);
    pair  record;
    taken uuid[] := '{}';
    found jsonb := '[]';
BEGIN
    FOR pair IN
        WITH standing AS MATERIALIZED (
            SELECT e.node_id, e.vector FROM cognifold.embedding AS e
            WHERE e.tenant_id = tenant AND e.model_id = own.model_id AND e.kind = 'concept'
        ), asking AS MATERIALIZED (
            SELECT s.node_id, s.vector FROM standing AS s JOIN unnest(concepts) AS c (id) ON c.id = s.node_id
        ), near AS MATERIALIZED (   -- exact; a search by index can take its place
            SELECT DISTINCT least(a.node_id, s.node_id) AS one, greatest(a.node_id, s.node_id) AS other,
                   round((-(a.vector <#> s.vector))::numeric, 9) AS cosine
            FROM asking AS a JOIN standing AS s ON -(a.vector <#> s.vector) >= own.merge AND s.node_id <> a.node_id
        )
        SELECT p.one, p.other, p.cosine, m.title, n.title AS other_title
        FROM near AS p
        JOIN cognifold.node AS m ON m.tenant_id = tenant AND m.id = p.one
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = p.other
        ORDER BY p.cosine DESC, p.one, p.other
    LOOP
        CONTINUE WHEN pair.one = ANY (taken) OR pair.other = ANY (taken);
        CONTINUE WHEN cognifold.concepts_conflict(tenant, pair.one, pair.other);
        taken := taken || pair.one || pair.other;
        found := found || jsonb_build_object(
            'ids', jsonb_build_array(pair.one, pair.other),
            'reasoning', format('"%s" and "%s" are alike: cosine %s', pair.title, pair.other_title, round(pair.cosine, 3)));
    END LOOP;
    RETURN found;
END
$$;
COMMENT ON FUNCTION cognifold.alike_concepts(text, uuid[]) IS
    'Pairs {ids, reasoning} of a given concept and any other whose cosine is at least the model''s merge threshold and that do not conflict, nearest first, each concept in one pair at most. Internal.';
