-- age_forget: what is deleted from the memory leaves the graph in the same transaction, whoever deletes it.
CREATE OR REPLACE FUNCTION cognifold.age_forget() RETURNS trigger
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
DECLARE
    previous text := cognifold.current_tenant();
    leaving  record;
    graph    name;
BEGIN
    FOR leaving IN SELECT g.tenant_id, array_agg(g.id) AS nodes FROM gone AS g GROUP BY g.tenant_id LOOP
        PERFORM set_config('cognifold.tenant', leaving.tenant_id, true);
        -- Whoever writes the graph just now may be writing what is deleted here: its row is waited for first.
        SELECT p.graph_name INTO graph FROM cognifold.graph_projection AS p WHERE p.tenant_id = leaving.tenant_id FOR UPDATE;
        IF FOUND THEN
            BEGIN
                PERFORM cognifold.age_remove(graph, leaving.nodes);
            EXCEPTION WHEN OTHERS THEN   -- a graph that is not whole stands in nobody's way: it is filled anew, and shows nothing till then
                UPDATE cognifold.graph_projection AS p SET stale = true WHERE p.tenant_id = leaving.tenant_id;
                RAISE WARNING 'the graph % of tenant "%" did not take a deletion and is to be rebuilt: %', graph, leaving.tenant_id, SQLERRM;
            END;
        END IF;
    END LOOP;
    PERFORM set_config('cognifold.tenant', coalesce(previous, ''), true);
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION cognifold.age_forget() IS 'Takes deleted nodes out of their tenant''s graph. A graph that does not take it is marked stale, and the deletion goes on. Internal: a trigger''s.';

CREATE OR REPLACE TRIGGER forgotten_in_graph AFTER DELETE ON cognifold.node
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION cognifold.age_forget();
COMMENT ON TRIGGER forgotten_in_graph ON cognifold.node IS 'What is deleted leaves the tenant''s graph in Apache AGE at once (age_forget). There only where a graph was ever enabled.';
