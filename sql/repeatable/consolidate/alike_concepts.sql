-- alike_concepts: which of the given concepts are so near to another that the two should be one.
CREATE OR REPLACE FUNCTION cognifold.alike_concepts(tenant text, concepts uuid[]) RETURNS jsonb
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_variable
DECLARE
    own     cognifold.embedding_model := cognifold.tenant_model(tenant);
    maximum integer := cognifold.setting('consolidate.neighbours', tenant)::integer;
    pair    record;
    taken   uuid[] := '{}';
    found   jsonb := '[]';
    apart   jsonb;   -- merges that somebody has undone
BEGIN
    FOR pair IN
        WITH near AS MATERIALIZED (
            SELECT DISTINCT least(n.concept, n.neighbour) AS one, greatest(n.concept, n.neighbour) AS other, n.cosine
            FROM cognifold.concept_neighbours(tenant, concepts, own.merge, maximum) AS n
        )
        SELECT p.one, p.other, p.cosine, m.title, n.title AS other_title
        FROM near AS p
        JOIN cognifold.node AS m ON m.tenant_id = tenant AND m.id = p.one
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = p.other
        ORDER BY p.cosine DESC, p.one, p.other
    LOOP
        CONTINUE WHEN pair.one = ANY (taken) OR pair.other = ANY (taken);
        apart := coalesce(apart, cognifold.taken_back(tenant, 'MERGE_NODES'));
        CONTINUE WHEN apart @> jsonb_build_array(jsonb_build_object('ids', jsonb_build_array(pair.one, pair.other)));
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
    'Pairs {ids, reasoning} of a given concept and one of the consolidate.neighbours that are nearest to it, where their cosine is at least the model''s merge threshold they do not conflict, and no merge of the two by a pass has been undone (taken_back); nearest first, each concept in one pair at most. Internal.';
