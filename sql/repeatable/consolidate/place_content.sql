-- place_content: moves what nodes say to where archived events keep it, or back. The one writer of archived_content.
CREATE OR REPLACE FUNCTION cognifold.place_content(tenant text, nodes uuid[], cold boolean) RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_variable
DECLARE
    size    double precision := cognifold.setting('archive.pack', tenant);
    lowest  integer := cognifold.setting('archive.minimum', tenant)::integer;
    packing jsonb;
    moved   bigint;
BEGIN
    IF cold THEN
        -- Neighbours in one pack: what comes from one source one after the other is alike, and is asked for together.
        WITH leaving AS MATERIALIZED (
            SELECT c.node_id, c.content, c.payload, c.media, n.source, n.occurred_at,
                   octet_length(c.content) + coalesce(pg_column_size(c.payload), 0) + coalesce(pg_column_size(c.media), 0) AS bytes
            FROM (SELECT DISTINCT i.id FROM unnest(nodes) AS i (id)) AS i
            JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = i.id AND n.kind = 'event'
            JOIN cognifold.node_content AS c ON c.tenant_id = tenant AND c.node_id = i.id AND c.pack_id IS NULL
            WHERE NOT EXISTS (SELECT FROM cognifold.work AS w WHERE w.tenant_id = tenant AND w.node_id = i.id)
        ), ordered AS (
            SELECT l.*, coalesce(sum(l.bytes + 8) OVER (in_order ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
            FROM leaving AS l WHERE l.bytes >= lowest
            WINDOW in_order AS (ORDER BY l.source, l.occurred_at, l.node_id)
        ), placed AS MATERIALIZED (
            SELECT o.*, floor(o.before / size) AS pack,
                   row_number() OVER (PARTITION BY floor(o.before / size) ORDER BY o.source, o.occurred_at, o.node_id)::smallint AS place
            FROM ordered AS o
        ), numbered AS MATERIALIZED (
            SELECT p.pack, nextval('cognifold.archived_pack')::integer AS pack_id FROM (SELECT DISTINCT p.pack FROM placed AS p ORDER BY p.pack) AS p
        ), packed AS (
            INSERT INTO cognifold.archived_content (tenant_id, pack_id, contents, payloads, media)
            SELECT tenant, k.pack_id, array_agg(p.content ORDER BY p.place),
                   CASE WHEN count(p.payload) > 0 THEN array_agg(p.payload ORDER BY p.place) END,
                   CASE WHEN count(p.media) > 0 THEN array_agg(p.media ORDER BY p.place) END
            FROM placed AS p JOIN numbered AS k ON k.pack = p.pack
            GROUP BY k.pack_id
        )
        UPDATE cognifold.node_content AS c
        SET content = NULL, payload = NULL, media = NULL, pack_id = k.pack_id, pack_place = p.place
        FROM placed AS p JOIN numbered AS k ON k.pack = p.pack
        WHERE c.tenant_id = tenant AND c.node_id = p.node_id;
        GET DIAGNOSTICS moved = ROW_COUNT;
        RETURN moved;
    END IF;

    WITH homeward AS MATERIALIZED (
        SELECT c.node_id, c.pack_id, c.pack_place
        FROM (SELECT DISTINCT i.id FROM unnest(nodes) AS i (id)) AS i
        JOIN cognifold.node_content AS c ON c.tenant_id = tenant AND c.node_id = i.id AND c.pack_id IS NOT NULL
    ), back AS (   -- reads the packs as they were
        UPDATE cognifold.node_content AS c
        SET content = a.contents[r.pack_place], payload = a.payloads[r.pack_place], media = a.media[r.pack_place],
            pack_id = NULL, pack_place = NULL
        FROM homeward AS r JOIN cognifold.archived_content AS a ON a.tenant_id = tenant AND a.pack_id = r.pack_id
        WHERE c.tenant_id = tenant AND c.node_id = r.node_id
    )
    SELECT count(*), jsonb_object_agg(r.pack_id, r.places) INTO moved, packing
    FROM (SELECT r.pack_id, jsonb_agg(r.pack_place) AS places FROM homeward AS r GROUP BY r.pack_id) AS r;
    PERFORM cognifold.clear_places(tenant, p.key::integer, ARRAY(SELECT e.value::smallint FROM jsonb_array_elements_text(p.value) AS e))
    FROM jsonb_each(packing) AS p;
    RETURN (SELECT coalesce(sum(jsonb_array_length(p.value)), 0) FROM jsonb_each(packing) AS p);
END
$$;
COMMENT ON FUNCTION cognifold.place_content(text, uuid[], boolean) IS
    'cold: moves text, payload and media of the named events into packs of about archive.pack bytes, verbatim; what is shorter than archive.minimum, waits to be folded or has moved already stays. Not cold: brings them back. Returns how many moved. Takes no part in plans and journal: content is no graph, and reads the same from either place (node_text). Internal: archive_events and replay_events call it, under the tenant''s turn.';
