-- vector_route: how near_vectors looks for the nearest vectors of a tenant: decided by what is known, never by the planner.
CREATE OR REPLACE FUNCTION cognifold.vector_route(tenant text, model_id smallint, kinds text[]) RETURNS text
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    SELECT coalesce((
        SELECT CASE WHEN c.indexed
                     AND CASE WHEN 'event' = ANY (kinds) THEN c.events ELSE 0 END + CASE WHEN 'concept' = ANY (kinds) THEN c.concepts ELSE 0 END
                         > cognifold.setting('vector.exact', vector_route.tenant)
                     AND to_regclass(format('cognifold.vector_index_%s', c.dimensions)) IS NOT NULL
                    THEN 'index' ELSE 'exact' END
        FROM cognifold.vector_count AS c
        WHERE c.tenant_id = vector_route.tenant AND c.model_id = vector_route.model_id), 'exact')
$$;
COMMENT ON FUNCTION cognifold.vector_route(text, smallint, text[]) IS
    'index where the memory is indexed (vector_count.indexed) and holds more than vector.exact vectors of the kinds asked for; else exact. Internal.';
