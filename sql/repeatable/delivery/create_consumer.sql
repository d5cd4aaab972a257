-- create_consumer: somebody asks to be told what happens to intents, from now on or from the first that is kept.
CREATE OR REPLACE FUNCTION cognifold.create_consumer(
    name text, kinds text[] DEFAULT NULL, categories text[] DEFAULT NULL, from_start boolean DEFAULT false,
    tenant text DEFAULT cognifold.required_tenant()
) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    present  cognifold.outbox_consumer;
    odd      text;
BEGIN
    IF name IS NULL OR octet_length(name) NOT BETWEEN 1 AND 63 OR name ~ '[[:cntrl:]]' OR btrim(name) = '' THEN
        RAISE EXCEPTION 'create_consumer: % is no name', coalesce(quote_literal(name), 'NULL')
            USING ERRCODE = 'CF010', HINT = 'Give one of 1 to 63 bytes, on one line and not blank.';
    END IF;
    SELECT k.kind INTO odd FROM unnest(kinds) AS k (kind)
    WHERE k.kind IS NULL OR k.kind NOT IN (
        'emitted', 'reopened', 'woken', 'expired', 'changed', 'withdrawn') AND NOT EXISTS (
        SELECT FROM cognifold.intent_step AS s WHERE s.to_status = k.kind AND s.to_status <> 'pending');
    IF FOUND OR kinds = '{}' THEN
        RAISE EXCEPTION 'create_consumer: % is no kind of happening', coalesce(quote_literal(odd), 'nothing')
            USING ERRCODE = 'CF010',
                  HINT = 'Choose of emitted, scheduled, deferred, resolved, rejected, reopened, woken, expired, changed, withdrawn; or leave kinds out for all.';
    END IF;
    SELECT k.category INTO odd FROM unnest(categories) AS k (category)
    WHERE NOT EXISTS (SELECT FROM cognifold.intent_category AS c WHERE c.category = k.category);
    IF FOUND OR categories = '{}' THEN
        RAISE EXCEPTION 'create_consumer: % is no category', coalesce(quote_literal(odd), 'nothing')
            USING ERRCODE = 'CF010', HINT = 'SELECT category FROM cognifold.intent_category lists them; leave categories out for all.';
    END IF;
    SELECT array_agg(DISTINCT k.kind ORDER BY k.kind) INTO kinds FROM unnest(kinds) AS k (kind);
    SELECT array_agg(DISTINCT k.category ORDER BY k.category) INTO categories FROM unnest(categories) AS k (category);

    INSERT INTO cognifold.outbox_consumer (tenant_id, name, kinds, categories, cursor_position, created_at)
    SELECT tenant, name, kinds, categories,
           CASE WHEN from_start THEN 0
                ELSE coalesce((SELECT h.last_position FROM cognifold.outbox_head AS h WHERE h.tenant_id = tenant), 0) END,
           clock_timestamp()
    ON CONFLICT ON CONSTRAINT outbox_consumer_pkey DO NOTHING;
    IF FOUND THEN
        PERFORM cognifold.leave_tenant(previous);
        RETURN true;
    END IF;
    present := cognifold.known_consumer(tenant, name);
    IF (present.kinds, present.categories) IS DISTINCT FROM (kinds, categories) THEN
        RAISE EXCEPTION 'consumer "%" is there already, for kinds % and categories %', name, coalesce(present.kinds::text, 'all'),
            coalesce(present.categories::text, 'all')
            USING ERRCODE = 'CF033', HINT = 'Take another name, or drop_consumer first: what it has not acknowledged is then not delivered.';
    END IF;
    PERFORM cognifold.leave_tenant(previous);
    RETURN false;
END
$$;
COMMENT ON FUNCTION cognifold.create_consumer(text, text[], text[], boolean, text) IS
    'Makes a consumer of what happens to intents: of the kinds and categories named (NULL: all), from now on, or with from_start from the first that the outbox still holds. Returns false where it is there already and the same, wherever its cursor is; raises CF033 where it asked for something else, CF010 for a kind or category that there is not. From then on take_deliveries hands out, or cognifold deliver posts (set_webhook), each happening at least once.';
