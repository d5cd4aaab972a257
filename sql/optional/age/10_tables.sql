-- Which tenants have a graph in Apache AGE, and what it shows. Made where a graph is first enabled (cognifold graph enable); a graph is
-- a projection: all it holds follows from the tables, and nothing is read from it that they do not say.
--
-- No versioned file: a database without AGE has no use for it. What changes here must run again on a database that has it already.
CREATE SEQUENCE IF NOT EXISTS cognifold.graph_number;
COMMENT ON SEQUENCE cognifold.graph_number IS 'The numbers in the names of graphs (cognifold_graph_N): never given twice, and no name of a tenant is part of a schema''s.';

CREATE TABLE IF NOT EXISTS cognifold.graph_projection (
    tenant_id  text COLLATE "C" PRIMARY KEY REFERENCES cognifold.tenant (tenant_id) ON DELETE CASCADE,
    graph_name name NOT NULL CHECK (graph_name ~ '^cognifold_graph_[0-9]+$'),
    version    bigint NOT NULL DEFAULT 0,
    stale      boolean NOT NULL DEFAULT true,
    synced_at  timestamptz
) WITH (fillfactor = 50);
COMMENT ON TABLE cognifold.graph_projection IS 'The tenants that have a graph in Apache AGE, and how far it goes. Its row is what whoever writes the graph holds till the end of the transaction.';
COMMENT ON COLUMN cognifold.graph_projection.graph_name IS 'Of the graph, and of its schema.';
COMMENT ON COLUMN cognifold.graph_projection.version IS 'The last plan (plan.version) that it shows. Versions are given in order of commit, so none before it can still come.';
COMMENT ON COLUMN cognifold.graph_projection.stale IS 'It has to be filled anew: it is new, or missed something that no plan tells of.';
COMMENT ON COLUMN cognifold.graph_projection.synced_at IS 'When it was last written (wall clock).';

ALTER TABLE cognifold.graph_projection ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.graph_projection FORCE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS verbs ON cognifold.graph_projection;
CREATE POLICY verbs ON cognifold.graph_projection TO cognifold_owner USING (tenant_id = cognifold.current_tenant());
DROP POLICY IF EXISTS readers ON cognifold.graph_projection;
CREATE POLICY readers ON cognifold.graph_projection FOR SELECT TO cognifold_reader
    USING (tenant_id = cognifold.current_tenant() AND tenant_id = (SELECT cognifold.permitted_tenant()));
GRANT SELECT ON cognifold.graph_projection TO cognifold_reader;
