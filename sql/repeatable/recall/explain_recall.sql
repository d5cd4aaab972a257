-- explain_recall: what recall returns for a question, and why: what each signal brought, and by which path.
CREATE OR REPLACE FUNCTION cognifold.explain_recall(
    query           text,
    k               integer DEFAULT 10,
    kinds           text[] DEFAULT NULL,
    since           timestamptz DEFAULT NULL,
    until           timestamptz DEFAULT NULL,
    actors          text[] DEFAULT NULL,
    sources         text[] DEFAULT NULL,
    minimum_score   double precision DEFAULT 0,
    as_of           timestamptz DEFAULT NULL,
    query_embedding vector DEFAULT NULL,
    model           text DEFAULT NULL,
    known_at        timestamptz DEFAULT NULL,
    seen            uuid[] DEFAULT NULL,
    memory_types    text[] DEFAULT NULL,
    privacy_levels  text[] DEFAULT NULL,
    tenant          text DEFAULT cognifold.required_tenant()
) RETURNS TABLE (
    place bigint, node_id uuid, kind text, title text, occurred_at timestamptz, actor text, score double precision,
    relevance double precision, modulation double precision, signals jsonb, factors jsonb, cosine double precision, keyword double precision,
    path jsonb, path_reason text, replaced_by uuid, contradicts uuid[]
)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 10
SET search_path FROM CURRENT
SET extra_float_digits = 1  -- numbers go into JSON whole
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.scope_tenant(tenant);
    moment   timestamptz;
    ids      uuid[] := '{}';
BEGIN
    IF cognifold.sees_in_part(tenant) THEN
        RETURN QUERY SELECT c.* FROM cognifold.cleared_explain_recall(query, k, kinds, since, until, actors, sources, minimum_score, as_of,
            query_embedding, model, known_at, seen, memory_types, privacy_levels, tenant) AS c;
        PERFORM cognifold.leave_tenant(previous);
        RETURN;
    END IF;
    moment := coalesce(known_at, cognifold.known_at());
    FOR place, node_id, kind, title, occurred_at, actor, score, relevance, modulation, signals, factors, cosine, keyword, path, path_reason,
        replaced_by, contradicts IN
    WITH found AS MATERIALIZED (
        SELECT row_number() OVER () AS place, r.*
        FROM cognifold.recalled(tenant, query, k,
                                cognifold.narrowed(kinds, since, until, as_of, moment, actors, sources, memory_types, privacy_levels),
                                minimum_score, query_embedding, model, seen) AS r
    ), shown AS (
        SELECT array_agg(f.node_id) AS ids FROM found AS f
    ), replaced AS MATERIALIZED (
        SELECT p.node_id, p.replaced_by FROM shown AS h
        CROSS JOIN LATERAL cognifold.replaced_memories(tenant, h.ids, coalesce(as_of, cognifold.now()), moment) AS p
    ), opposed AS MATERIALIZED (
        SELECT c.node_id, array_agg(c.contradicts ORDER BY c.contradicts) AS contradicts FROM shown AS h
        CROSS JOIN LATERAL cognifold.contradictions(tenant, h.ids, moment) AS c GROUP BY c.node_id
    )
    SELECT f.place, f.node_id, f.kind, f.title, f.occurred_at, f.actor, f.score, f.relevance, f.modulation, f.signals, f.factors, f.cosine, f.keyword,
           (SELECT jsonb_agg(jsonb_build_object('node_id', n.id, 'kind', n.kind, 'title', n.title) ORDER BY p.place)
            FROM unnest(f.path) WITH ORDINALITY AS p (id, place)
            JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = p.id),
           f.path_reason,
           (SELECT r.replaced_by FROM replaced AS r WHERE r.node_id = f.node_id),
           (SELECT o.contradicts FROM opposed AS o WHERE o.node_id = f.node_id)
    FROM found AS f
    ORDER BY f.place
    LOOP
        ids := ids || node_id;
        RETURN NEXT;
    END LOOP;
    PERFORM cognifold.note_read(tenant, 'explain_recall', query, ids);
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.explain_recall(text, integer, text[], timestamptz, timestamptz, text[], text[], double precision, timestamptz, vector, text, timestamptz, uuid[], text[], text[], text) IS
    'The rows of recall with the same arguments, in the same order, and why each is where it is. score = relevance * modulation. signals: what each signal that found it brought ({"meaning": .5, "words": .3, ...}); they sum to relevance. factors: emotion, recency, use and integration as the MNE score has them, and whatever else in the question lifts or lowers a memory; they multiply to modulation. cosine and keyword (BM25) are the raw values. path: the nodes from one that the question found to this one, as [{node_id, kind, title}], where spreading brought it; path_reason says over which name or edge. replaced_by: a newer statement of the same thing. contradicts: which of the other rows it cannot hold beside, by a contradicts edge or because they state otherwise. Writes nothing.';
