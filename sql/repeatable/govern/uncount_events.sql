-- uncount_events: takes events out of the tenant's statistics, as if they had never been counted.
CREATE OR REPLACE FUNCTION cognifold.uncount_events(tenant text, events uuid[]) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_variable
DECLARE
    model record;
BEGIN
    -- Words, of those that are indexed.
    UPDATE cognifold.lexical_statistics AS s SET document_count = s.document_count - d.number, total_length = s.total_length - d.total
    FROM (SELECT count(*) AS number, coalesce(sum(d.length), 0) AS total
          FROM unnest(events) AS e (id) JOIN cognifold.lexical_document AS d ON d.tenant_id = tenant AND d.node_id = e.id) AS d
    WHERE s.tenant_id = tenant AND d.number > 0;
    UPDATE cognifold.lexeme_frequency AS f SET document_count = f.document_count - w.number
    FROM (SELECT w.lexeme, count(*) AS number
          FROM unnest(events) AS e (id)
          JOIN cognifold.lexical_document AS d ON d.tenant_id = tenant AND d.node_id = e.id
          CROSS JOIN LATERAL unnest(d.lexemes) AS w (lexeme)
          GROUP BY w.lexeme) AS w
    WHERE f.tenant_id = tenant AND f.lexeme = w.lexeme;
    DELETE FROM cognifold.lexeme_frequency AS f
    USING (SELECT DISTINCT w.lexeme
           FROM unnest(events) AS e (id)
           JOIN cognifold.lexical_document AS d ON d.tenant_id = tenant AND d.node_id = e.id
           CROSS JOIN LATERAL unnest(d.lexemes) AS w (lexeme)) AS w
    WHERE f.tenant_id = tenant AND f.lexeme = w.lexeme AND f.document_count = 0;

    -- Who acts; with the last event the name goes, too.
    UPDATE cognifold.actor_frequency AS a SET event_count = a.event_count - w.number
    FROM (SELECT n.actor, count(*) AS number
          FROM unnest(events) AS e (id)
          JOIN cognifold.lexical_document AS d ON d.tenant_id = tenant AND d.node_id = e.id
          JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = e.id
          WHERE n.actor IS NOT NULL GROUP BY n.actor) AS w
    WHERE a.tenant_id = tenant AND a.actor = w.actor;
    DELETE FROM cognifold.actor_frequency AS a
    USING (SELECT DISTINCT n.actor FROM unnest(events) AS e (id) JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = e.id) AS w
    WHERE a.tenant_id = tenant AND a.actor = w.actor AND a.event_count = 0;

    -- Sums of vectors. What the lexicon counted was not rounded as what is stored is, and is made again; of a model outside, the
    -- sum of what stays is the one that has no trace of what goes.
    FOR model IN
        SELECT s.model_id, m.provider, count(b.node_id) AS number
        FROM cognifold.embedding_statistics AS s
        JOIN cognifold.embedding_model AS m ON m.model_id = s.model_id
        JOIN unnest(events) AS e (id) ON true
        JOIN cognifold.embedding AS b ON b.tenant_id = tenant AND b.model_id = s.model_id AND b.kind = 'event' AND b.node_id = e.id
        WHERE s.tenant_id = tenant
        GROUP BY s.model_id, m.provider
    LOOP
        IF model.provider = 'lexicon' THEN
            UPDATE cognifold.embedding_statistics AS s SET vector_count = s.vector_count - model.number, vector_sum = s.vector_sum - v.total
            FROM (SELECT sum(cognifold.embed(c.content)) AS total
                  FROM unnest(events) AS e (id)
                  JOIN cognifold.embedding AS b ON b.tenant_id = tenant AND b.model_id = model.model_id AND b.kind = 'event' AND b.node_id = e.id
                  JOIN cognifold.node_text AS c ON c.tenant_id = tenant AND c.node_id = e.id) AS v
            WHERE s.tenant_id = tenant AND s.model_id = model.model_id;
        ELSE
            UPDATE cognifold.embedding_statistics AS s
            SET vector_count = s.vector_count - model.number, vector_sum = coalesce(v.total, s.vector_sum)
            FROM (SELECT sum(b.vector::vector) AS total FROM cognifold.embedding AS b
                  WHERE b.tenant_id = tenant AND b.model_id = model.model_id AND b.kind = 'event' AND b.node_id <> ALL (events)) AS v
            WHERE s.tenant_id = tenant AND s.model_id = model.model_id;
        END IF;
        DELETE FROM cognifold.embedding_statistics AS s WHERE s.tenant_id = tenant AND s.model_id = model.model_id AND s.vector_count = 0;
    END LOOP;
END
$$;
COMMENT ON FUNCTION cognifold.uncount_events(text, uuid[]) IS
    'Takes events, which are still there, out of word, actor and vector statistics. Internal: forget_nodes calls it.';
