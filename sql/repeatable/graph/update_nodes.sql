-- update_nodes: gives concepts, intents and times other words, and any node its annotations.
CREATE OR REPLACE FUNCTION cognifold.update_nodes(tenant text, operations jsonb, new_nodes jsonb, plan_id uuid, clock timestamptz, settings jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    wanted  jsonb;  -- one object a node: of each field the last that is not null
    notes   jsonb;  -- one object a node and name
    changes jsonb;
BEGIN
    WITH operation AS (
        SELECT cognifold.resolve_node(tenant, (o.body ->> 'node')::uuid) AS id, o.body, o.position
        FROM jsonb_array_elements(operations) WITH ORDINALITY AS o (body, position)
        WHERE o.body ->> 'op' = 'UPDATE_NODE'
    ), field AS (
        SELECT p.id, f.key, (array_agg(f.value ORDER BY p.position DESC))[1] AS value
        FROM operation AS p CROSS JOIN LATERAL jsonb_each(p.body) AS f (key, value)
        WHERE f.key IN ('title', 'content', 'memory_type', 'privacy_level', 'payload') AND f.value <> 'null'
        GROUP BY p.id, f.key
    ), note AS (
        SELECT n.id, a.key, a.value, n.position
        FROM (SELECT p.id, p.body -> 'annotations' AS annotations, p.position FROM operation AS p
              UNION ALL
              SELECT (w.value ->> 'id')::uuid, w.value -> 'annotations', (w.value ->> 'position')::bigint + 1
              FROM jsonb_array_elements(new_nodes) AS w) AS n
        CROSS JOIN LATERAL jsonb_each(CASE jsonb_typeof(n.annotations) WHEN 'object' THEN n.annotations ELSE '{}' END) AS a (key, value)
    )
    SELECT (SELECT jsonb_agg(u.object) FROM (SELECT jsonb_build_object('id', f.id) || jsonb_object_agg(f.key, f.value) AS object
                                              FROM field AS f GROUP BY f.id ORDER BY f.id) AS u),
           (SELECT jsonb_agg(jsonb_build_object('id', t.id, 'name', t.key, 'value', t.value) ORDER BY t.id, t.key)
            FROM (SELECT DISTINCT ON (n.id, n.key) n.* FROM note AS n ORDER BY n.id, n.key, n.position DESC) AS t)
    INTO wanted, notes;
    IF wanted IS NULL AND notes IS NULL THEN
        RETURN '[]';
    END IF;

    SELECT cognifold.row_images(tenant, coalesce(jsonb_agg(k.key), '[]')) INTO changes
    FROM (
        SELECT jsonb_build_object('relation', 'node', 'node_id', w.value -> 'id') AS key FROM jsonb_array_elements(wanted) AS w
        UNION ALL
        SELECT jsonb_build_object('relation', 'annotation', 'node_id', n.value -> 'id', 'part', n.value ->> 'name') FROM jsonb_array_elements(notes) AS n
    ) AS k;

    IF wanted IS NOT NULL THEN
        -- A content that only said the title goes with it.
        UPDATE cognifold.node_content AS c
        SET content = coalesce(w.content, CASE WHEN c.content = n.title THEN btrim(w.title) END, c.content),
            payload = coalesce(NULLIF(w.payload, 'null'), c.payload)
        FROM jsonb_to_recordset(wanted) AS w (id uuid, title text, content text, payload jsonb)
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = w.id
        WHERE c.tenant_id = tenant AND c.node_id = w.id;
        UPDATE cognifold.node AS n
        SET title = coalesce(btrim(w.title), n.title), memory_type = coalesce(w.memory_type, n.memory_type), privacy_level = coalesce(w.privacy_level, n.privacy_level)
        FROM jsonb_to_recordset(wanted) AS w (id uuid, title text, memory_type text, privacy_level text)
        WHERE n.tenant_id = tenant AND n.id = w.id;
        DELETE FROM cognifold.lexical_document AS d USING jsonb_to_recordset(wanted) AS w (id uuid, title text, content text)
        WHERE d.tenant_id = tenant AND d.node_id = w.id AND coalesce(w.title, w.content) IS NOT NULL;
        PERFORM cognifold.index_node(tenant, (w.value ->> 'id')::uuid, settings) FROM jsonb_array_elements(wanted) AS w;
    END IF;

    IF notes IS NOT NULL THEN
        DELETE FROM cognifold.annotation AS a USING jsonb_to_recordset(notes) AS n (id uuid, name text)
        WHERE a.tenant_id = tenant AND a.node_id = n.id AND a.name = n.name;
        INSERT INTO cognifold.annotation (tenant_id, node_id, name, value, plan_id, created_at)
        SELECT tenant, (n.value ->> 'id')::uuid, n.value ->> 'name', n.value -> 'value', plan_id, clock
        FROM jsonb_array_elements(notes) AS n WHERE n.value -> 'value' <> 'null';
    END IF;
    RETURN changes;
END
$$;
COMMENT ON FUNCTION cognifold.update_nodes(text, jsonb, jsonb, uuid, timestamptz, jsonb) IS
    'Carries out the UPDATE_NODE of checked operations, and the annotations of new nodes, and returns the journal entries. Of several for one node the last of each field counts. Internal: execute_plan calls it.';
