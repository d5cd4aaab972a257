-- create_tenant: makes a tenant with its decay clocks and statistics; called again it changes nothing.
CREATE OR REPLACE FUNCTION cognifold.create_tenant(
    tenant       text,
    display_name text DEFAULT NULL,
    time_zone    text DEFAULT 'UTC',
    model        text DEFAULT 'lexicon'
) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    model_wanted smallint;
    made         boolean;
    previous     text := cognifold.current_tenant();
BEGIN
    IF tenant IS NULL OR octet_length(tenant) NOT BETWEEN 1 AND 63 OR tenant ~ '[[:cntrl:]]' THEN
        RAISE EXCEPTION 'tenant name % is not 1 to 63 bytes of printable text', coalesce(quote_literal(tenant), 'NULL')
            USING ERRCODE = 'CF010', HINT = 'Choose a shorter name: tenant names lead every key.';
    END IF;
    IF cognifold.tenant_permitted(tenant) THEN
        -- Who may use the tenant may ask for it again: it is there.
        PERFORM set_config('cognifold.tenant', tenant, true);
        made := NOT EXISTS (SELECT FROM cognifold.tenant AS t WHERE t.tenant_id = create_tenant.tenant);
        PERFORM set_config('cognifold.tenant', coalesce(previous, ''), true);
        IF NOT made THEN
            RETURN false;
        END IF;
    END IF;
    IF NOT pg_has_role(cognifold.effective_role(), 'cognifold_multitenant', 'MEMBER')
       OR EXISTS (SELECT FROM cognifold.tenant_member AS m WHERE m.role_name IN (cognifold.effective_role(), session_user)) THEN
        RAISE EXCEPTION 'role "%" may not create tenants', cognifold.effective_role()
            USING ERRCODE = 'CF003', HINT = 'Only members of cognifold_multitenant that are bound to no tenant may; let an administrator create it.';
    END IF;
    PERFORM FROM pg_timezone_names AS z WHERE z.name = create_tenant.time_zone;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'time zone "%" is not known', time_zone
            USING ERRCODE = 'CF010', HINT = 'Use an IANA name such as Europe/Amsterdam; pg_timezone_names lists them.';
    END IF;
    SELECT m.model_id INTO model_wanted FROM cognifold.embedding_model AS m WHERE m.name = create_tenant.model;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'embedding model "%" is not registered', model
            USING ERRCODE = 'CF012', HINT = 'SELECT name FROM cognifold.embedding_model lists the models; register_model adds one.';
    END IF;

    PERFORM set_config('cognifold.tenant', tenant, true);
    made := cognifold.make_tenant(tenant, display_name, time_zone, model_wanted);
    PERFORM set_config('cognifold.tenant', coalesce(previous, ''), true);
    RETURN made;
END
$$;
COMMENT ON FUNCTION cognifold.create_tenant(text, text, text, text) IS
    'Makes a tenant: name of 1 to 63 bytes, display name, time zone for dates in texts, embedding model. True if it was made, false if it was there.';
