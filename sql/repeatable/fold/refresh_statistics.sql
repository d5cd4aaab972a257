-- refresh_statistics: has the planner look again when a memory has outgrown what PostgreSQL knows of its tables.
--
-- A session plans each statement once and keeps the plan. One made for an empty memory reads whole tables, and a bulk load
-- runs for a minute before autovacuum first looks. ANALYZE makes every session plan anew.
CREATE OR REPLACE FUNCTION cognifold.refresh_statistics(tenant text) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    known   double precision := (SELECT c.reltuples FROM pg_class AS c WHERE c.oid = 'cognifold.lexical_document'::regclass);
    present bigint := (SELECT s.document_count FROM cognifold.lexical_statistics AS s WHERE s.tenant_id = tenant);
BEGIN
    IF present >= 64 AND present > 4 * known THEN
        -- A table that another session is busy with is left for next time: a fold never waits for this.
        ANALYZE (SKIP_LOCKED) cognifold.node, cognifold.node_content, cognifold.graph_edge, cognifold.concept_state, cognifold.concept_lexeme,
                cognifold.embedding, cognifold.lexical_document, cognifold.posting, cognifold.mention, cognifold.lexeme_frequency, cognifold.actor_name,
                cognifold.work, cognifold.plan, cognifold.journal;
    END IF;
END
$$;
COMMENT ON FUNCTION cognifold.refresh_statistics(text) IS
    'Runs ANALYZE if the tenant has more than four times the indexed events that PostgreSQL''s statistics know of, and at least 64: a few times in the life of a memory, a tenth of a second each. Internal: fold calls it.';
