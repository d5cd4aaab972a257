-- projected_nodes, projected_edges: what the graph in Apache AGE shows of a tenant's memory, as its tables say now.
--
-- An event is in from when a plan has folded it or tied it to something: until then nothing leads to it. So all that is shown
-- is written by plans, whose numbers are in order of commit, and the journal of plans tells every change of it.
CREATE OR REPLACE FUNCTION cognifold.projected_nodes(tenant text) RETURNS TABLE (id uuid, kind text, properties jsonb)
LANGUAGE sql STABLE
AS $$
    SELECT n.id, n.kind, pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_build_object(
               'id', n.id, 'kind', n.kind, 'title', n.title, 'memory_type', n.memory_type, 'source', n.source, 'actor', n.actor,
               'occurred_at', pg_catalog.to_char(n.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
               'ended_at', pg_catalog.to_char(n.ended_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')))
    FROM cognifold.node AS n
    WHERE n.tenant_id = projected_nodes.tenant AND n.merged_into IS NULL
      AND (n.kind <> 'event'
           OR EXISTS (SELECT FROM cognifold.folded_event AS f WHERE f.tenant_id = n.tenant_id AND f.event_id = n.id)
           OR EXISTS (SELECT FROM cognifold.graph_edge AS e WHERE e.tenant_id = n.tenant_id AND e.source_id = n.id)
           OR EXISTS (SELECT FROM cognifold.graph_edge AS e WHERE e.tenant_id = n.tenant_id AND e.target_id = n.id))
$$;
COMMENT ON FUNCTION cognifold.projected_nodes(text) IS
    'The nodes that the tenant''s graph is to have, with their properties: those not merged into another, and events once a plan has folded them or tied them to something. Times are UTC, ISO 8601. Internal.';

CREATE OR REPLACE FUNCTION cognifold.projected_edges(tenant text) RETURNS TABLE (source_id uuid, target_id uuid, type text, properties jsonb)
LANGUAGE sql STABLE
AS $$
    SELECT e.source_id, e.target_id, e.type, pg_catalog.jsonb_build_object(
               'potential', e.potential, 'rate', e.rate, 'inferred', e.inferred, 'bidirectional', e.bidirectional,
               'stamped_at', pg_catalog.to_char(e.stamped_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
    FROM cognifold.graph_edge AS e
    WHERE e.tenant_id = projected_edges.tenant AND e.faded_at IS NULL
$$;
COMMENT ON FUNCTION cognifold.projected_edges(text) IS
    'The edges that the tenant''s graph is to have, with their properties: those in the live graph. A weight is exp(potential - D(moment)), as of the view edge. Internal.';
