-- export_query: the statement that reads one table of a tenant ($1) as lines of an export; $2 is the tenant's own model.
--
-- A column that is NULL is left out of its line. So JSON's null, which a payload may be, stays apart from no payload.
CREATE OR REPLACE FUNCTION cognifold.export_query(relation text, embeddings boolean) RETURNS text
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    SELECT format(
        'SELECT jsonb_build_object(''type'', %L, ''values'', jsonb_strip_nulls(jsonb_build_object(%s))%s)::text FROM cognifold.%I AS s WHERE s.tenant_id = $1%s ORDER BY %s',
        t.relation,
        string_agg(format('%L, s.%I', c.name, c.name), ', ') FILTER (WHERE NOT c.is_json),
        string_agg(format(' || CASE WHEN s.%I IS NULL THEN ''{}'' ELSE jsonb_build_object(%L, s.%I) END', c.name, c.name, c.name), '') FILTER (WHERE c.is_json),
        t.read_from, CASE t.treatment WHEN 'vectors' THEN ' AND s.model_id = $2' END, t.in_order)
    FROM cognifold.transfer_tables() AS t
    CROSS JOIN LATERAL cognifold.transfer_columns(
        t.relation, CASE WHEN export_query.embeddings THEN t.own_columns ELSE t.own_columns || t.vector_columns END) AS c
    WHERE t.relation = export_query.relation
    GROUP BY t.relation, t.read_from, t.treatment, t.in_order
$$;
COMMENT ON FUNCTION cognifold.export_query(text, boolean) IS
    'The query for one table''s lines of an export: {"type": table, "values": {column: value}}. Internal: export_tenant runs it.';
