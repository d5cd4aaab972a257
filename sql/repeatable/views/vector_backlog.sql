-- vector_backlog: how many vectors a tenant has of each model, and how many of them wait to be indexed.
CREATE OR REPLACE VIEW cognifold.vector_backlog WITH (security_invoker = true, security_barrier = true) AS
SELECT c.tenant_id, m.name AS model, c.events, c.concepts, c.indexed,
       CASE WHEN c.indexed THEN (SELECT count(*) FROM cognifold.vector_tail AS t WHERE t.tenant_id = c.tenant_id AND t.model_id = c.model_id)
            WHEN c.events + c.concepts > cognifold.setting('vector.exact', c.tenant_id) THEN c.events + c.concepts ELSE 0 END AS waiting
FROM cognifold.vector_count AS c
JOIN cognifold.embedding_model AS m ON m.model_id = c.model_id
WHERE c.tenant_id = cognifold.current_tenant();
COMMENT ON VIEW cognifold.vector_backlog IS 'The tenant''s vectors of each model. What waits is found all the same, one by one: index_vectors moves it into the index.';
COMMENT ON COLUMN cognifold.vector_backlog.indexed IS 'Whether the memory is searched by an index; a smaller one (setting vector.exact) is searched exactly.';
COMMENT ON COLUMN cognifold.vector_backlog.waiting IS 'Vectors that index_vectors would move.';
