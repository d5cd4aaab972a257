-- clear_places: takes texts out of a pack of archived content; a pack that holds none goes.
CREATE OR REPLACE FUNCTION cognifold.clear_places(tenant text, pack integer, places smallint[]) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
BEGIN
    UPDATE cognifold.archived_content AS a
    SET (contents, payloads, media) = (
        SELECT array_agg(CASE WHEN t.place <> ALL (places) THEN t.content END ORDER BY t.place),
               CASE WHEN a.payloads IS NOT NULL THEN array_agg(CASE WHEN t.place <> ALL (places) THEN a.payloads[t.place] END ORDER BY t.place) END,
               CASE WHEN a.media IS NOT NULL THEN array_agg(CASE WHEN t.place <> ALL (places) THEN a.media[t.place] END ORDER BY t.place) END
        FROM unnest(a.contents) WITH ORDINALITY AS t (content, place))
    WHERE a.tenant_id = tenant AND a.pack_id = pack;
    DELETE FROM cognifold.archived_content AS a
    WHERE a.tenant_id = tenant AND a.pack_id = pack AND array_length(array_remove(a.contents, NULL), 1) IS NULL;
END
$$;
COMMENT ON FUNCTION cognifold.clear_places(text, integer, smallint[]) IS
    'Removes what lies at these places of a pack of archived_content; the others keep theirs. Internal: place_content calls it, and the deletion of a node.';

-- What a node that is deleted said goes with it, wherever it lies.
CREATE OR REPLACE FUNCTION cognifold.clear_archived() RETURNS trigger
LANGUAGE plpgsql
SET search_path FROM CURRENT
AS $$
DECLARE
    previous text := current_setting('cognifold.tenant', true);
BEGIN
    -- Where a cascade deletes, the trigger may run as the tables' owner, who sees the session's tenant only, if it has one.
    PERFORM set_config('cognifold.tenant', OLD.tenant_id, true);
    PERFORM cognifold.clear_places(OLD.tenant_id, OLD.pack_id, ARRAY[OLD.pack_place]);
    PERFORM set_config('cognifold.tenant', coalesce(previous, ''), true);
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION cognifold.clear_archived() IS 'Trigger of node_content: what a deleted node said leaves archived_content, too. Internal.';
CREATE OR REPLACE TRIGGER clear_archived AFTER DELETE ON cognifold.node_content
    FOR EACH ROW WHEN (OLD.pack_id IS NOT NULL) EXECUTE FUNCTION cognifold.clear_archived();
