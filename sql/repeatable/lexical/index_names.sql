-- index_names: writes which names an event bears and which its text names.
CREATE OR REPLACE FUNCTION cognifold.index_names(tenant text, node_id uuid, title text, content text, settings jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    most    integer := settings ->> 'mention.names';
    longest integer := settings ->> 'mention.length';
    start   text := left(content, (settings ->> 'mention.characters')::integer);
    borne   text[];
BEGIN
    IF title <> content AND title <> cognifold.headline(content) THEN  -- else it is the text's own beginning
        borne := cognifold.title_names(title, longest);
    END IF;
    INSERT INTO cognifold.mention (tenant_id, name, role, node_id)
    SELECT tenant, b.name, 0, node_id FROM unnest(borne) AS b (name)
    UNION ALL
    SELECT tenant, t.name, 1, node_id FROM unnest(cognifold.text_names(start, most, longest)) AS t (name) WHERE borne IS NULL OR t.name <> ALL (borne)
    ON CONFLICT DO NOTHING;
END
$$;
COMMENT ON FUNCTION cognifold.index_names(text, uuid, text, text, jsonb) IS
    'Writes the names that an event''s title bears, where it was given one, and at most mention.names that stand in its text. Idempotent. Internal: index_node calls it.';
