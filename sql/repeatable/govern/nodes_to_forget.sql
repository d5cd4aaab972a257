-- nodes_to_forget: the nodes that meet every condition given, and none where a condition meets nothing.
--
-- A name is looked for in every text of the tenant, as words and not by an index: a payload has none, and what is to be
-- forgotten must be found also where the index holds only the beginning of a text.
CREATE OR REPLACE FUNCTION cognifold.nodes_to_forget(
    tenant text, node_ids uuid[], idempotency_key text, source text, source_key text, actor text, subject text, since timestamptz, until timestamptz
) RETURNS uuid[]
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
SET plan_cache_mode = force_custom_plan   -- by which conditions there are
AS $$
#variable_conflict use_variable
DECLARE
    only_ids CONSTANT boolean := num_nonnulls(idempotency_key, source, source_key, actor, subject, since, until) = 0;
    naming   CONSTANT text := cognifold.naming_pattern(subject);
BEGIN
    RETURN ARRAY(
        SELECT n.id
        FROM cognifold.node AS n
        WHERE n.tenant_id = tenant
          AND (node_ids IS NULL OR n.id = ANY (node_ids))
          AND (only_ids OR n.kind = 'event')
          AND (idempotency_key IS NULL OR n.idempotency_key = nodes_to_forget.idempotency_key)
          -- As the index has it (node_by_source).
          AND (source IS NULL OR CASE WHEN n.source IS NULL THEN '' ELSE n.source END = nodes_to_forget.source)
          AND (source_key IS NULL OR n.idempotency_key = source_key
               OR starts_with(n.source_agent, 'watch ') AND cognifold.is_key_of_row(n.idempotency_key, format('watch:%s:%s:', substr(n.source_agent, 7), source_key)))
          AND (actor IS NULL OR n.actor = nodes_to_forget.actor)
          AND (since IS NULL OR n.occurred_at >= since)
          AND (until IS NULL OR n.occurred_at < until)
          AND (subject IS NULL OR n.id IN (SELECT s.id FROM cognifold.nodes_naming(tenant, naming) AS s (id)))
        ORDER BY n.id);
END
$$;
COMMENT ON FUNCTION cognifold.nodes_to_forget(text, uuid[], text, text, text, text, text, timestamptz, timestamptz) IS
    'Ids of the nodes that meet all conditions given (see forget), in order; events only where there is another condition than ids. Internal: forget calls it.';
