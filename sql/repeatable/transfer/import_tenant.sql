-- import_tenant: makes a tenant from an export, whole or not at all: everything is as it was, under this or another name, and what
-- can be made anew is made by this version and its embedder.
--
-- This is restoration and no second way in: ids, times, plans and journal come as they were, so it writes tables and is for whoever
-- owns them. An application remembers.
CREATE OR REPLACE FUNCTION cognifold.import_tenant(lines regclass, tenant text DEFAULT NULL, model text DEFAULT NULL) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
SET timezone = 'UTC'
SET intervalstyle = 'postgres'
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.current_tenant();
    file     record;
    told     jsonb;
    named    text;
    own      cognifold.embedding_model;
    vectors  boolean;
    made_at  timestamptz;
    wrong    text;
    part     record;
    place    jsonb;
    resting  uuid[];
BEGIN
    IF lines IS NULL THEN
        RAISE EXCEPTION 'import_tenant: lines is NULL' USING ERRCODE = 'CF010', HINT = 'Name a table with the columns place bigint and line text: the lines of the file, numbered.';
    END IF;
    SELECT c.* INTO file FROM cognifold.checked_lines(lines) AS c;
    told := file.header -> 'model';
    named := coalesce(tenant, file.header ->> 'tenant');
    IF named IS NULL OR octet_length(named) NOT BETWEEN 1 AND 63 OR named ~ '[[:cntrl:]]' THEN
        RAISE EXCEPTION 'tenant name % is not 1 to 63 bytes of printable text', coalesce(quote_literal(named), 'NULL')
            USING ERRCODE = 'CF010', HINT = 'Name the tenant that the file is to become: tenant => ''name''.';
    ELSIF previous <> named THEN
        RAISE EXCEPTION 'tenant "%" was to be made while "%" is set', named, previous
            USING ERRCODE = 'CF004', HINT = 'RESET cognifold.tenant, or name the tenant that is set.';
    ELSIF NOT EXISTS (SELECT FROM pg_timezone_names AS z WHERE z.name = file.header ->> 'time_zone') THEN
        RAISE EXCEPTION 'line 1 cannot be imported: time zone % is not known here', coalesce(quote_literal(file.header ->> 'time_zone'), 'NULL')
            USING ERRCODE = 'CF054', HINT = 'Nothing was written. Bring the server''s time zones up to date.';
    END IF;
    SELECT m.* INTO own FROM cognifold.embedding_model AS m WHERE m.name = coalesce(model, told ->> 'name');
    IF NOT FOUND THEN
        RAISE EXCEPTION 'embedding model % is not registered', coalesce(quote_literal(coalesce(model, told ->> 'name')), 'NULL')
            USING ERRCODE = 'CF012', HINT = 'Nothing was written. register_model adds it; or import with another, say model => ''lexicon'': vectors are then made anew.';
    END IF;
    BEGIN
        made_at := (file.header ->> 'created_at')::timestamptz;
        -- Vectors of another model, or of another edition of the lexicon, mean nothing here.
        vectors := (file.header ->> 'embeddings')::boolean AND own.name = told ->> 'name' AND own.dimensions = (told ->> 'dimensions')::integer
            AND (own.provider <> 'lexicon' OR EXISTS (SELECT FROM cognifold.lexicon_release AS r WHERE r.checksum = told ->> 'edition'));
    EXCEPTION WHEN data_exception THEN
        wrong := SQLERRM;
    END;
    IF wrong IS NOT NULL OR made_at IS NULL OR vectors IS NULL THEN
        RAISE EXCEPTION 'line 1 cannot be imported: %', coalesce(wrong, 'it does not say when the tenant was made, or whether its vectors are here')
            USING ERRCODE = 'CF054', HINT = 'Nothing was written. Take the file as export_tenant wrote it, whole and unchanged.';
    END IF;

    PERFORM set_config('cognifold.tenant', named, true);
    IF NOT cognifold.make_tenant(named, file.header ->> 'display_name', file.header ->> 'time_zone', own.model_id) THEN
        PERFORM cognifold.take_turn(named);
        IF EXISTS (SELECT FROM cognifold.node AS n WHERE n.tenant_id = named) OR EXISTS (SELECT FROM cognifold.plan AS p WHERE p.tenant_id = named) THEN
            RAISE EXCEPTION 'tenant "%" is there and not empty', named
                USING ERRCODE = 'CF010', HINT = 'Nothing was written. Import into a name of its own: tenant => ''another name''.';
        END IF;
    END IF;
    UPDATE cognifold.tenant AS t
    SET display_name = file.header ->> 'display_name', time_zone = file.header ->> 'time_zone', model_id = own.model_id,
        created_at = made_at
    WHERE t.tenant_id = named;

    FOR part IN SELECT t.relation, t.treatment FROM cognifold.transfer_tables() AS t WHERE t.treatment IN ('exported', 'vectors') ORDER BY t.place LOOP
        CONTINUE WHEN part.treatment = 'vectors' AND NOT vectors;
        place := file.sections -> part.relation;
        IF part.relation = 'lexical_document' THEN
            PERFORM cognifold.import_indexes(named, lines, (place ->> 0)::bigint, (place ->> 1)::bigint, vectors);
            CONTINUE;
        END IF;
        -- What a new tenant begins with, and what triggers made of the rows before.
        EXECUTE format('DELETE FROM cognifold.%I AS s WHERE s.tenant_id = $1', part.relation) USING named;
        IF place IS NOT NULL THEN
            PERFORM cognifold.import_lines(named, part.relation, lines, (place ->> 0)::bigint, (place ->> 1)::bigint, own.model_id, vectors);
        END IF;
    END LOOP;
    resting := ARRAY(SELECT s.node_id FROM cognifold.node_state AS s WHERE s.tenant_id = named AND s.consolidation_state = 'archived' ORDER BY s.node_id);
    PERFORM cognifold.place_content(named, resting, true);
    PERFORM cognifold.restart_ranks(named);
    -- To the clock of now, an edge that a replay took out in its own future still passes rank on.
    INSERT INTO cognifold.rank_dirty (tenant_id, node_id)
    SELECT DISTINCT named, f.node_id
    FROM cognifold.graph_edge AS e
    CROSS JOIN LATERAL (VALUES (e.source_id), (CASE WHEN e.bidirectional THEN e.target_id END)) AS f (node_id)
    WHERE e.tenant_id = named AND e.faded_at > cognifold.now() AND f.node_id IS NOT NULL
    ON CONFLICT DO NOTHING;
    PERFORM set_config('cognifold.tenant', coalesce(previous, ''), true);
    RETURN jsonb_build_object(
        'tenant', named, 'lines', file.number, 'counts', file.header -> 'counts', 'model', own.name, 'left_out', file.header -> 'left_out',
        'vectors', CASE WHEN vectors THEN 'imported' WHEN own.provider = 'lexicon' THEN 'made anew' ELSE 'awaited' END);
END
$$;
COMMENT ON FUNCTION cognifold.import_tenant(regclass, text, text) IS
    'Makes a tenant from the lines of an export, in a table (place bigint, line text), in one transaction; tenant is another name than the file''s, and must be new or empty; model another embedding model. Ids, times, plans, journal stay; words, statements, ranks are made anew, and vectors too unless the file brings them and they are of this model (vectors: imported, made anew, or awaited: an outside model''s, that reembed then gets). CF054 names the line where a file is cut, changed or wrong, CF055 a format of a later version, CF010 a tenant that is not empty. For administrators: members of cognifold_owner, who own the tables.';
