-- age_required, graph_of: what a verb needs of Apache AGE, or an error that says how to get it.
CREATE OR REPLACE FUNCTION cognifold.age_required() RETURNS void
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
BEGIN
    IF to_regclass('cognifold.graph_projection') IS NULL OR NOT EXISTS (SELECT FROM pg_extension AS e WHERE e.extname = 'age') THEN
        RAISE EXCEPTION 'this database has no graph projection'
            USING ERRCODE = 'CF053',
                  HINT = 'On a server with Apache AGE a superuser makes one: cognifold graph enable --tenant NAME. Without it engine => ''sql'', the default, gives the same answers.';
    END IF;
    PERFORM ag_catalog.agtype_in('1');   -- loads the library: its hooks must be there before a statement with cypher() is read
END
$$;
COMMENT ON FUNCTION cognifold.age_required() IS
    'CF053 with the remedy where the database has no Apache AGE or no graph was ever enabled in it; else sees to it that AGE''s library is loaded, as no plain role can. Internal.';

CREATE OR REPLACE FUNCTION cognifold.graph_of(tenant text, to_be_read boolean DEFAULT true) RETURNS name
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
DECLARE
    found record;
BEGIN
    PERFORM cognifold.age_required();
    SELECT p.graph_name, p.stale, EXISTS (
               SELECT FROM pg_namespace AS n JOIN ag_catalog.ag_graph AS g ON g.name = n.nspname AND g.graphid = n.oid
               WHERE n.nspname = p.graph_name) AS whole
    INTO found
    FROM cognifold.graph_projection AS p WHERE p.tenant_id = graph_of.tenant;
    IF found.graph_name IS NULL THEN
        RAISE EXCEPTION 'tenant "%" has no graph', tenant
            USING ERRCODE = 'CF053', HINT = format('An administrator makes it: cognifold graph enable --tenant %s. engine => ''sql'' gives the same answers.', quote_literal(tenant));
    ELSIF NOT found.whole THEN
        RAISE EXCEPTION 'the graph of tenant "%" is not whole: a dump does not carry it', tenant
            USING ERRCODE = 'CF053', HINT = format('An administrator makes it anew: cognifold graph rebuild --tenant %s. engine => ''sql'' gives the same answers.', quote_literal(tenant));
    ELSIF found.stale AND to_be_read THEN
        RAISE EXCEPTION 'the graph of tenant "%" is not filled', tenant
            USING ERRCODE = 'CF053', HINT = 'SELECT cognifold.graph_rebuild() fills it; so does a worker, by the job graph. engine => ''sql'' gives the same answers.';
    END IF;
    RETURN found.graph_name;
END
$$;
COMMENT ON FUNCTION cognifold.graph_of(text, boolean) IS
    'The name of the tenant''s graph in Apache AGE; CF053 with the remedy where there is no AGE, no graph, one that a restore has broken, or, to be read, one that is to be filled anew. Internal.';
