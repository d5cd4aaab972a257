-- recall: the memories that answer a question, best first, each with the parts of its score.
CREATE OR REPLACE FUNCTION cognifold.recall(
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
    node_id uuid, kind text, title text, content text, occurred_at timestamptz, score double precision,
    actor text, source text, cosine double precision, keyword double precision, names_actor boolean,
    neighbours double precision, intent double precision, relevance double precision, modulation double precision
)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 10
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.scope_tenant(tenant);
    ids      uuid[] := '{}';
BEGIN
    IF cognifold.sees_in_part(tenant) THEN
        RETURN QUERY SELECT c.* FROM cognifold.cleared_recall(query, k, kinds, since, until, actors, sources, minimum_score, as_of,
            query_embedding, model, known_at, seen, memory_types, privacy_levels, tenant) AS c;
        PERFORM cognifold.leave_tenant(previous);
        RETURN;
    END IF;
    FOR node_id, kind, title, content, occurred_at, score, actor, source, cosine, keyword, names_actor, neighbours, intent, relevance, modulation IN
    SELECT r.node_id, r.kind, r.title, r.content, r.occurred_at, r.score, r.actor, r.source, r.cosine, r.keyword, r.names_actor,
           r.neighbours, r.intent, r.relevance, r.modulation
    FROM cognifold.recalled(tenant, query, k,
                            cognifold.narrowed(kinds, since, until, as_of, coalesce(known_at, cognifold.known_at()), actors, sources,
                                               memory_types, privacy_levels),
                            minimum_score, query_embedding, model, seen, explained => false) AS r
    LOOP
        ids := ids || node_id;
        RETURN NEXT;
    END LOOP;
    PERFORM cognifold.note_read(tenant, 'recall', query, ids);
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.recall(text, integer, text[], timestamptz, timestamptz, text[], text[], double precision, timestamptz, vector, text, timestamptz, uuid[], text[], text[], text) IS
    'The k memories that answer a question best, in a stable total order. Narrowed by kinds (event, concept, intent, time), since <= occurred_at < until, actors, sources, memory_types, privacy_levels, minimum_score; seen leaves out memories already shown, so that the next call with their ids is the next page. Up to setting recall.candidates memories (k and seen together) the ranking does not depend on k; beyond, as many candidates are ranked as it takes. as_of scores as of that moment of event time and leaves out what happened later; known_at asks the graph as it was known at that moment of transaction time (by default the setting cognifold.known_at, else now): what was recorded since is left out, and concepts and intents bear the words, the evidence and the being that they had then, while word statistics, accesses and integration are those of today. score = relevance * modulation: relevance sums meaning (cosine over the best cosine) and words (BM25 over the best), each to the power recall.sharpness, a boost for events of the one actor the question names, and a share of the relevance of the events just before and after, a larger one where the one before asks (neighbours), and a share of its own for what an open intent is about: the concept that triggers it and the events it is grounded in (intent, 0 for none; setting intent.recall_boost, fading with the intent); modulation is mne_score(1, ...), raised for that actor''s events and within the span of time the question speaks of, and lowered for an event that asks itself; with recall.weight_affect it is raised by affect like the question''s too. cosine and keyword are the raw values. Events that wait to be folded are found too (the latest, setting recall.unfolded). Writes nothing but, where audit.reads is on, a row of audit_read. For a tenant with an outside model pass query_embedding and model (CF012 names both models when they differ).';
