-- replaced_memories: those of some memories whose every statement a newer one has replaced, each with the newest that did.
CREATE OR REPLACE FUNCTION cognifold.replaced_memories(tenant text, node_ids uuid[], clock timestamptz, known_at timestamptz DEFAULT NULL)
RETURNS TABLE (node_id uuid, replaced_by uuid)
LANGUAGE sql STABLE ROWS 10
SET search_path FROM CURRENT
AS $$
    SELECT s.node_id, (array_agg(s.replaced_by ORDER BY s.valid_until DESC, s.replaced_by))[1]
    FROM cognifold.standing(tenant, node_ids, clock, known_at) AS s
    GROUP BY s.node_id
    HAVING bool_and(s.replaced_by IS NOT NULL)
$$;
COMMENT ON FUNCTION cognifold.replaced_memories(text, uuid[], timestamptz, timestamptz) IS
    'Memories that say nothing which holds at a moment, as was known at known_at (default: as is known): each statement in them (see standing) has been replaced. Internal: recalled, explain_recall and context ask.';
