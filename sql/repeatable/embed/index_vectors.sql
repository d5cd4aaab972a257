-- index_vectors: moves vectors of a large memory from the tail, which is searched exactly, into the index; how many.
CREATE OR REPLACE FUNCTION cognifold.index_vectors(
    max_rows integer DEFAULT 1000, tenant text DEFAULT cognifold.required_tenant()
) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
SET enable_seqscan = off
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    bar      double precision := cognifold.setting('vector.exact', tenant);
    counted  record;
    number   bigint;
    moved    bigint := 0;
BEGIN
    IF max_rows IS NULL OR max_rows < 1 THEN
        RAISE EXCEPTION 'index_vectors: max_rows = % is not positive', coalesce(max_rows::text, 'NULL')
            USING ERRCODE = 'CF010', HINT = 'Say how many vectors to move in this call.';
    END IF;
    FOR counted IN
        SELECT c.model_id, c.indexed FROM cognifold.vector_count AS c
        WHERE c.tenant_id = tenant AND (c.indexed OR c.events + c.concepts > bar)
          AND to_regclass(format('cognifold.vector_index_%s', c.dimensions)) IS NOT NULL
        ORDER BY c.model_id
    LOOP
        IF NOT counted.indexed THEN
            -- Waits for whoever is writing vectors; who comes later writes them to the tail.
            UPDATE cognifold.vector_count AS c SET indexed = true, signature = cognifold.tenant_signature(tenant)
            WHERE c.tenant_id = tenant AND c.model_id = counted.model_id AND NOT c.indexed;
            IF FOUND THEN
                INSERT INTO cognifold.vector_tail (tenant_id, model_id, kind, node_id, dimensions, place)
                SELECT e.tenant_id, e.model_id, e.kind, e.node_id, e.dimensions, e.vector || c.signature
                FROM cognifold.vector_count AS c
                JOIN cognifold.embedding AS e ON e.tenant_id = c.tenant_id AND e.model_id = c.model_id
                WHERE c.tenant_id = tenant AND c.model_id = counted.model_id;
            END IF;
        END IF;
        WITH next AS MATERIALIZED (   -- what somebody is changing, or moving, just now is left to him
            SELECT t.kind, t.node_id FROM cognifold.vector_tail AS t
            WHERE t.tenant_id = tenant AND t.model_id = counted.model_id
            ORDER BY t.kind, t.node_id
            LIMIT max_rows - moved
            FOR UPDATE SKIP LOCKED
        ), taken AS (
            DELETE FROM cognifold.vector_tail AS t USING next AS n
            WHERE t.tenant_id = tenant AND t.model_id = counted.model_id AND t.kind = n.kind AND t.node_id = n.node_id
            RETURNING t.*
        )
        INSERT INTO cognifold.vector_index (tenant_id, model_id, kind, node_id, dimensions, place)
        SELECT t.tenant_id, t.model_id, t.kind, t.node_id, t.dimensions, t.place FROM taken AS t;
        GET DIAGNOSTICS number = ROW_COUNT;
        moved := moved + number;
        EXIT WHEN moved >= max_rows;
    END LOOP;
    PERFORM cognifold.leave_tenant(previous);
    RETURN moved;
END
$$;
COMMENT ON FUNCTION cognifold.index_vectors(integer, text) IS
    'Moves at most max_rows vectors of the tenant from vector_tail into vector_index, a few milliseconds each, and says how many: call it again until 0. A memory with more than vector.exact vectors of a model is taken up by its first call, which copies all of them to the tail once. Writers do not wait for it, and recall finds the same before, during and after it. Any number may run at once.';
