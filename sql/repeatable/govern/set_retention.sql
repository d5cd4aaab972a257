-- set_retention: makes a rule of how long what is kept, or sets one of that name anew.
CREATE OR REPLACE FUNCTION cognifold.set_retention(
    name           text,
    keep           interval,
    action         text DEFAULT 'archive',
    kind           text DEFAULT 'event',
    sources        text[] DEFAULT NULL,
    privacy_levels text[] DEFAULT NULL,
    memory_types   text[] DEFAULT NULL,
    tenant         text DEFAULT cognifold.required_tenant()
) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    wrong    text;
    level    text := (SELECT l FROM unnest(privacy_levels) AS l WHERE l IS NULL OR l NOT IN ('private', 'shared', 'public') LIMIT 1);
    type     text := (SELECT t FROM unnest(memory_types) AS t WHERE t IS NULL OR t NOT IN ('episodic', 'semantic', 'procedural', 'associative') LIMIT 1);
BEGIN
    wrong := CASE
        WHEN name IS NULL OR name !~ '\S' OR octet_length(name) > 200 THEN format('name = %s is not 1 to 200 bytes of text', coalesce(quote_literal(left(name, 40)), 'NULL'))
        WHEN keep IS NULL OR keep <= '0' OR keep > '1000 years' THEN format('keep = %s is not more than nothing and at most 1000 years', coalesce(keep::text, 'NULL'))
        WHEN action IS NULL OR action NOT IN ('archive', 'forget') THEN format('action = %s is not archive or forget', coalesce(quote_literal(action), 'NULL'))
        WHEN kind IS NULL OR kind NOT IN ('event', 'concept', 'intent') THEN format('kind = %s is not event, concept or intent', coalesce(quote_literal(kind), 'NULL'))
        WHEN action = 'archive' AND kind <> 'event' THEN format('action = archive is for events, and kind = %L', kind)
        WHEN cardinality(sources) = 0 OR cardinality(privacy_levels) = 0 OR cardinality(memory_types) = 0
            THEN 'an empty array matches nothing'
        WHEN level IS NOT NULL THEN format('privacy_levels: %L is not private, shared or public', level)
        WHEN type IS NOT NULL THEN format('memory_types: %L is not episodic, semantic, procedural or associative', type)
    END;
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION 'set_retention: %', wrong
            USING ERRCODE = 'CF010', HINT = 'Nothing was set. Leave a condition out (NULL) to have the rule cover any.';
    END IF;
    -- Rules are applied as the owner, who may do anything: whether somebody may have things forgotten is asked here.
    IF action = 'forget' AND NOT has_function_privilege(cognifold.effective_role()::name, (
           SELECT p.oid FROM pg_proc AS p WHERE p.pronamespace = 'cognifold'::regnamespace AND p.proname = 'forget'), 'EXECUTE') THEN
        RAISE EXCEPTION 'role "%" may not set a rule that forgets: it is no member of cognifold_governor', cognifold.effective_role()
            USING ERRCODE = 'insufficient_privilege',
                  HINT = format('Nothing was set. An administrator makes it one: SELECT cognifold.grant_to(%L, ''governor''). Without that, action => ''archive'' keeps what is old where it takes least room.', cognifold.effective_role());
    END IF;
    INSERT INTO cognifold.retention AS r (tenant_id, name, keep, action, kind, sources, privacy_levels, memory_types, created_by, created_at)
    VALUES (tenant, name, keep, action, kind, sources, privacy_levels, memory_types, cognifold.effective_role(), clock_timestamp())
    ON CONFLICT ON CONSTRAINT retention_pkey DO UPDATE
        SET keep = excluded.keep, action = excluded.action, kind = excluded.kind, sources = excluded.sources, privacy_levels = excluded.privacy_levels,
            memory_types = excluded.memory_types, created_by = excluded.created_by, created_at = excluded.created_at;
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.set_retention(text, interval, text, text, text[], text[], text[], text) IS
    'A rule of how long the tenant keeps what: nodes of the kind (event, concept, intent), from one of the sources, of one of the privacy_levels and memory_types (NULL: any), that happened longer than keep ago (event time, by the memory''s clock) are archived (events only: their texts move to where they take least room, and stay to be found) or forgotten (forget: gone for good). keep: more than 0, at most 1000 years. A rule of that name is set anew. Applied once a day by the job retention, and by apply_retention. A rule that forgets is for members of cognifold_governor (42501 for others, who may apply it). Raises CF010 with what is wrong.';
