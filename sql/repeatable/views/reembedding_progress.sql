-- reembedding_progress: how far a tenant's move to another embedding model has come.
CREATE OR REPLACE VIEW cognifold.reembedding_progress WITH (security_invoker = true, security_barrier = true) AS
SELECT r.tenant_id, f.name AS from_model, t.name AS to_model,
       CASE WHEN r.abandoned_at IS NOT NULL THEN 'abandoned' WHEN r.switched_at IS NOT NULL THEN 'switched' ELSE 'filling' END AS state,
       coalesce(c.events, 0) AS vectors, (SELECT count(*) FROM cognifold.reembedding_queue AS q WHERE q.tenant_id = r.tenant_id) AS waiting,
       coalesce(o.events + o.concepts, 0) AS old_vectors, r.started_at, r.switched_at
FROM cognifold.reembedding AS r
JOIN cognifold.embedding_model AS f ON f.model_id = r.from_model
JOIN cognifold.embedding_model AS t ON t.model_id = r.to_model
LEFT JOIN cognifold.vector_count AS c ON c.tenant_id = r.tenant_id AND c.model_id = r.to_model
LEFT JOIN cognifold.vector_count AS o ON o.tenant_id = r.tenant_id AND o.model_id = r.from_model
WHERE r.tenant_id = cognifold.current_tenant();
COMMENT ON VIEW cognifold.reembedding_progress IS 'The tenant''s move to another embedding model (reembed): a row while there is one.';
COMMENT ON COLUMN cognifold.reembedding_progress.state IS 'filling: vectors of the new model are made, everything goes on with the old one. switched: the new one is used, and the old vectors go. abandoned: the new vectors go.';
COMMENT ON COLUMN cognifold.reembedding_progress.vectors IS 'Events that have a vector of the new model.';
COMMENT ON COLUMN cognifold.reembedding_progress.waiting IS 'Events that lack it.';
COMMENT ON COLUMN cognifold.reembedding_progress.old_vectors IS 'Vectors of the old model that are still there.';
COMMENT ON COLUMN cognifold.reembedding_progress.started_at IS 'When reembed began (wall clock).';
COMMENT ON COLUMN cognifold.reembedding_progress.switched_at IS 'When the tenant''s model changed (wall clock); NULL before.';
