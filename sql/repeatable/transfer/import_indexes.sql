-- import_indexes: makes anew what follows from an imported memory's texts and edges, as this installation makes it: words, names,
-- statements, vectors of the lexicon, ranks. What an outside model must make is marked for it.
CREATE OR REPLACE FUNCTION cognifold.import_indexes(
    tenant text, lines regclass, first bigint, last bigint, vectors boolean
) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    own      cognifold.embedding_model := cognifold.tenant_model(tenant);
    settings jsonb := cognifold.settings(tenant);
    nested   text := current_setting('enable_nestloop');
    subject  uuid;
BEGIN
    FOR subject IN EXECUTE format('SELECT (l.line::jsonb #>> ''{values,node_id}'')::uuid FROM %s AS l WHERE l.place BETWEEN $1 AND $2 ORDER BY l.place', lines)
        USING first, last
    LOOP
        PERFORM cognifold.index_node(tenant, subject, settings);
    END LOOP;
    -- Of a tenant this new the planner has no numbers: it would go through all evidence anew for each concept.
    PERFORM set_config('enable_nestloop', 'off', true);
    INSERT INTO cognifold.concept_lexeme (tenant_id, lexeme, node_id, event_count)
    SELECT tenant, p.lexeme, v.target_id, count(*)
    FROM (SELECT DISTINCT e.target_id, e.source_id FROM cognifold.graph_edge AS e
          WHERE e.tenant_id = tenant AND e.target_kind = 'concept' AND e.type IN ('grounds', 'reinforces') AND NOT e.inferred) AS v
    JOIN cognifold.posting AS p ON p.tenant_id = tenant AND p.node_id = v.source_id
    GROUP BY p.lexeme, v.target_id;
    IF NOT vectors THEN
        PERFORM cognifold.sum_concept_vectors(tenant, own.model_id, own.dimensions);
    END IF;
    PERFORM set_config('enable_nestloop', nested, true);
    IF NOT vectors AND own.provider <> 'lexicon' THEN
        -- As after a move to this model that has come to its last step: what awaits a vector is given it one by one.
        INSERT INTO cognifold.reembedding (tenant_id, from_model, to_model, started_at, switched_at)
        SELECT tenant, m.model_id, own.model_id, clock_timestamp(), clock_timestamp() FROM cognifold.embedding_model AS m WHERE m.provider = 'lexicon' LIMIT 1;
        INSERT INTO cognifold.reembedding_queue (tenant_id, node_id)
        SELECT tenant, d.node_id FROM cognifold.lexical_document AS d
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = d.node_id AND n.kind = 'event'
        WHERE d.tenant_id = tenant;
    END IF;
END
$$;
COMMENT ON FUNCTION cognifold.import_indexes(text, regclass, bigint, bigint, boolean) IS
    'Indexes the nodes that the lines name, counts the concepts'' words and, unless the file brings its vectors, sums the concepts'' vectors anew. Internal: import_tenant calls it.';
