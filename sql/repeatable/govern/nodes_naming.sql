-- nodes_naming: the nodes of which anything that is stored names somebody.
CREATE OR REPLACE FUNCTION cognifold.nodes_naming(tenant text, naming text) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
SET plan_cache_mode = force_custom_plan
AS $$
#variable_conflict use_variable
BEGIN
    RETURN QUERY
    SELECT n.id
    FROM cognifold.node AS n
    JOIN cognifold.node_text AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
    WHERE n.tenant_id = tenant
      AND (c.content ~* naming OR n.title ~* naming OR n.actor ~* naming OR n.source ~* naming OR n.source_agent ~* naming OR n.reasoning ~* naming
           OR n.idempotency_key ~* naming OR c.payload IS NOT NULL AND cognifold.says(c.payload, naming) OR c.media IS NOT NULL AND cognifold.says(c.media, naming))
    UNION
    SELECT a.node_id FROM cognifold.annotation AS a WHERE a.tenant_id = tenant AND (a.name ~* naming OR cognifold.says(a.value, naming))
    UNION
    SELECT a.node_id FROM cognifold.intent_action_state AS a WHERE a.tenant_id = tenant AND a.what ~* naming;
END
$$;
COMMENT ON FUNCTION cognifold.nodes_naming(text, text) IS
    'Nodes whose content, title, actor, source, key, reasoning, payload, media, annotations or steps a pattern (naming_pattern) is found in. Reads all of them. Internal.';

CREATE OR REPLACE FUNCTION cognifold.says(value jsonb, naming text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    -- Keys, strings and numbers as they are meant: as JSON is written, a line break would be a letter.
    SELECT value IS NOT NULL AND EXISTS (
        SELECT FROM pg_catalog.jsonb_path_query(value, 'strict $.** ? (@.type() == "string" || @.type() == "number")') AS s (string) WHERE s.string #>> '{}' ~* naming
        UNION ALL
        SELECT FROM pg_catalog.jsonb_path_query(value, 'strict $.** ? (@.type() == "object").keyvalue().key') AS k (key) WHERE k.key #>> '{}' ~* naming)
$$;
COMMENT ON FUNCTION cognifold.says(jsonb, text) IS 'True if a key, a string or a number anywhere in a JSON value matches the pattern, whatever its case. Internal.';
