-- index_node: writes what a node is searched by: its lexemes with the tenant's statistics, its names, and its vector where the
-- tenant's model lives in this database. Called again for the same node it changes nothing.
CREATE OR REPLACE FUNCTION cognifold.index_node(tenant text, node_id uuid, settings jsonb DEFAULT NULL) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    subject      record;
    given        jsonb := coalesce(settings, cognifold.settings(tenant));
    maximum      integer := given ->> 'lexical.max_characters';
    usual        double precision := given ->> 'lexical.usual_length';
    k1           double precision := given ->> 'recall.bm25_k1';
    b            double precision := given ->> 'recall.bm25_b';
    signature    bytea;
    lexemes      text[];
    frequencies  smallint[];
    total        integer;
    text_vector  vector;
    is_new_actor boolean;
BEGIN
    SELECT n.kind, n.actor, n.title, c.content, cognifold.indexed_text(n.title, c.content) AS words, m.model_id, m.provider, m.dimensions
    INTO subject
    FROM cognifold.node AS n
    JOIN cognifold.node_text AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
    JOIN cognifold.tenant AS t ON t.tenant_id = n.tenant_id
    JOIN cognifold.embedding_model AS m ON m.model_id = t.model_id
    WHERE n.tenant_id = tenant AND n.id = index_node.node_id;

    SELECT array_agg(l.lexeme ORDER BY l.lexeme), array_agg(l.frequency ORDER BY l.lexeme), coalesce(sum(l.frequency), 0)
    INTO lexemes, frequencies, total
    FROM cognifold.lexemes(subject.words, maximum) AS l;
    signature := cognifold.signature(lexemes);
    INSERT INTO cognifold.lexical_document AS d (tenant_id, node_id, length, truncated, lexemes, frequencies)
    VALUES (tenant, index_node.node_id, total, length(subject.words) > maximum, coalesce(lexemes, '{}'), coalesce(frequencies, '{}'))
    ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        RETURN;
    END IF;

    INSERT INTO cognifold.posting (tenant_id, lexeme, kind, node_id, impact, frequency, document_length, signature)
    SELECT tenant, w.lexeme, subject.kind, index_node.node_id,
           CASE subject.kind WHEN 'event' THEN cognifold.impact(w.frequency, total, usual, k1, b) ELSE 0 END, w.frequency, total, signature
    FROM unnest(lexemes, frequencies) AS w (lexeme, frequency);

    -- Statistics, names and statements are of events: concepts are made of the same words and would count them twice.
    IF subject.kind <> 'event' THEN
        RETURN;
    END IF;

    WITH counted AS (
        UPDATE cognifold.lexical_statistics AS s SET document_count = s.document_count + 1, total_length = s.total_length + total
        WHERE s.tenant_id = tenant
    )
    INSERT INTO cognifold.lexeme_frequency AS f (tenant_id, lexeme, document_count)
    SELECT tenant, w.lexeme, 1 FROM unnest(lexemes) AS w (lexeme)
    ON CONFLICT ON CONSTRAINT lexeme_frequency_pkey DO UPDATE SET document_count = f.document_count + 1;

    IF subject.actor IS NOT NULL THEN
        INSERT INTO cognifold.actor_frequency AS a (tenant_id, actor, event_count) VALUES (tenant, subject.actor, 1)
        ON CONFLICT ON CONSTRAINT actor_frequency_pkey DO UPDATE SET event_count = a.event_count + 1
        RETURNING a.event_count = 1 INTO is_new_actor;
        IF is_new_actor THEN
            INSERT INTO cognifold.actor_name (tenant_id, word, actor)
            SELECT DISTINCT tenant, w.word, subject.actor FROM cognifold.name_words(subject.actor) AS w
            ON CONFLICT DO NOTHING;
        END IF;
    END IF;

    -- Where the words are the content's alone, the title was made from it.
    PERFORM cognifold.index_names(tenant, index_node.node_id, CASE WHEN subject.words = subject.content THEN subject.content ELSE subject.title END,
                                  subject.content, given);
    PERFORM cognifold.note_statements(tenant, index_node.node_id, given);

    IF subject.provider = 'lexicon' THEN
        -- The content alone: a title is often a riddle or a repetition, and its words are in the lexemes.
        text_vector := cognifold.embed(subject.content);
        IF text_vector IS NOT NULL THEN
            INSERT INTO cognifold.embedding (tenant_id, model_id, kind, node_id, dimensions, vector)
            VALUES (tenant, subject.model_id, subject.kind, index_node.node_id, subject.dimensions, text_vector::halfvec)
            ON CONFLICT DO NOTHING;
            PERFORM cognifold.count_vector(tenant, subject.model_id, text_vector);
        END IF;
    END IF;

    -- A tenant on its way to another model: the event needs a vector of that, too.
    IF EXISTS (SELECT FROM cognifold.reembedding AS r WHERE r.tenant_id = tenant) THEN
        INSERT INTO cognifold.reembedding_queue (tenant_id, node_id)
        SELECT tenant, index_node.node_id FROM cognifold.reembedding AS r
        WHERE r.tenant_id = tenant AND r.abandoned_at IS NULL AND (r.switched_at IS NULL OR subject.provider <> 'lexicon')
          AND NOT EXISTS (SELECT FROM cognifold.embedding AS e
                          WHERE e.tenant_id = tenant AND e.model_id = r.to_model AND e.kind = 'event' AND e.node_id = index_node.node_id)
        ON CONFLICT DO NOTHING;
    END IF;
END
$$;
COMMENT ON FUNCTION cognifold.index_node(text, uuid, jsonb) IS
    'Writes a node''s lexemes and names, the tenant''s word and actor statistics, and its vector where the tenant''s model is the lexicon. Idempotent. settings: those of the tenant, where the caller has them. Internal.';
