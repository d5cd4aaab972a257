-- transfer_columns: the columns of a table that travel in an export, as they are declared here.
CREATE OR REPLACE FUNCTION cognifold.transfer_columns(relation text, without text[])
RETURNS TABLE (name text, type text, is_json boolean, otherwise text)
LANGUAGE sql STABLE ROWS 20
SET search_path FROM CURRENT
AS $$
    SELECT a.attname::text, format_type(a.atttypid, a.atttypmod), a.atttypid = 'jsonb'::regtype,
           CASE WHEN a.attnotnull THEN pg_get_expr(d.adbin, d.adrelid) END
    FROM pg_attribute AS a
    LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid = format('cognifold.%I', transfer_columns.relation)::regclass AND a.attnum > 0 AND NOT a.attisdropped
      AND a.attgenerated = '' AND a.attname <> 'tenant_id' AND a.attname <> ALL (transfer_columns.without)
    ORDER BY a.attnum
$$;
COMMENT ON FUNCTION cognifold.transfer_columns(text, text[]) IS
    'Name, type, whether it is jsonb, and what a column that must not be NULL is where a row does not say (its default). Without the tenant, generated columns, and those named. Internal.';
