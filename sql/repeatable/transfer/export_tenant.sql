-- export_tenant: everything that a tenant's memory is, as lines of JSON, all of one moment: a header, the records, and an end that
-- says how many lines there were and what they were, so that a file that was cut or changed is known for one.
CREATE OR REPLACE FUNCTION cognifold.export_tenant(
    embeddings boolean DEFAULT false, tenant text DEFAULT cognifold.required_tenant()
) RETURNS TABLE (line text)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100000
SET search_path FROM CURRENT
-- What numbers, times and bytes look like is part of the format, and no session's to choose.
SET timezone = 'UTC'
SET extra_float_digits = 1
SET bytea_output = 'hex'
SET intervalstyle = 'postgres'
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    own      cognifold.embedding_model := cognifold.tenant_model(tenant);
    part     record;
    number   bigint;
    counts   jsonb := '{}';
    left_out jsonb := '{}';
    lines    bigint := 0;
    digest   bytea := '';
BEGIN
    IF embeddings IS NULL THEN
        RAISE EXCEPTION 'export_tenant: embeddings is NULL' USING ERRCODE = 'CF010', HINT = 'Say true to take the vectors along, false to have the import make them anew.';
    END IF;
    FOR part IN
        SELECT t.relation, t.treatment FROM cognifold.transfer_tables() AS t
        WHERE t.treatment IN ('exported', 'left') OR t.treatment = 'vectors' AND embeddings ORDER BY t.place
    LOOP
        EXECUTE format('SELECT count(*) FROM cognifold.%I AS s WHERE s.tenant_id = $1%s', part.relation,
                       CASE part.treatment WHEN 'vectors' THEN ' AND s.model_id = $2' END)
        INTO number USING tenant, own.model_id;
        IF part.treatment <> 'left' THEN
            counts := counts || jsonb_build_object(part.relation, number);
        ELSIF number > 0 THEN
            left_out := left_out || jsonb_build_object(part.relation, number);
        END IF;
    END LOOP;
    -- What triggers of watched tables have written and no fold has taken yet.
    SELECT count(*) INTO number FROM cognifold_watch.inbox AS i WHERE i.tenant_id = tenant;
    IF number > 0 THEN
        left_out := left_out || jsonb_build_object('inbox', number);
    END IF;

    SELECT jsonb_build_object(
               'type', 'header', 'product', 'cognifold_pg', 'format', 1, 'exported_at', clock_timestamp(),
               'version', (SELECT m.version FROM cognifold.schema_migration AS m ORDER BY m.applied_at DESC, m.name LIMIT 1),
               'tenant', t.tenant_id, 'display_name', t.display_name, 'time_zone', t.time_zone, 'created_at', t.created_at,
               'model', jsonb_build_object('name', own.name, 'provider', own.provider, 'dimensions', own.dimensions,
                   'edition', CASE own.provider WHEN 'lexicon' THEN (SELECT r.checksum FROM cognifold.lexicon_release AS r) END),
               'embeddings', embeddings, 'counts', counts, 'left_out', left_out)::text
    INTO line
    FROM cognifold.tenant AS t WHERE t.tenant_id = tenant;
    lines := 1;
    digest := sha256(convert_to(line, 'UTF8'));
    RETURN NEXT;
    FOR part IN
        SELECT t.relation FROM cognifold.transfer_tables() AS t
        WHERE t.treatment = 'exported' OR t.treatment = 'vectors' AND embeddings ORDER BY t.place
    LOOP
        FOR line IN EXECUTE cognifold.export_query(part.relation, embeddings) USING tenant, own.model_id LOOP
            lines := lines + 1;
            digest := sha256(digest || convert_to(line, 'UTF8'));
            RETURN NEXT;
        END LOOP;
    END LOOP;
    line := jsonb_build_object('type', 'end', 'lines', lines, 'sha256', encode(digest, 'hex'))::text;
    RETURN NEXT;
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.export_tenant(boolean, text) IS
    'The tenant''s memory as lines of JSON, of one moment: {"type": "header", format, version, tenant, model, counts ...}, a {"type": table, "values": {...}} for each row, {"type": "end", lines, sha256}. embeddings takes the vectors along; without, the import makes them anew. Webhooks, bindings of roles and captures that no fold has taken stay behind: the header''s left_out counts them. The server keeps what is not fetched yet on disk: read it through a cursor. For readers, of their own tenant.';
