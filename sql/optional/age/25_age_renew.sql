-- age_renew: gives vertices the properties that the tables say now.
CREATE OR REPLACE FUNCTION cognifold.age_renew(tenant text, graph name, known uuid[], places ag_catalog.graphid[]) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    label text;
BEGIN
    FOR label IN SELECT DISTINCT n.kind FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = ANY (known) LOOP
        EXECUTE format(
            $update$
            UPDATE %1$I.%2$I AS v SET properties = w.properties
            FROM (SELECT k.place, n.properties::text::ag_catalog.agtype AS properties
                  FROM unnest($2, $3) AS k (id, place) JOIN cognifold.projected_nodes($1) AS n ON n.id = k.id AND n.kind = %2$L) AS w
            WHERE v.id = w.place AND v.properties <> w.properties
            $update$, graph, label)
        USING tenant, known, places;
    END LOOP;
END
$$;
COMMENT ON FUNCTION cognifold.age_renew(text, name, uuid[], ag_catalog.graphid[]) IS
    'Writes the present properties of nodes to their vertices (known and places: as age_places gives them). Internal: age_sync and age_reword call it.';

-- age_reword: what forget has worded anew is worded so in the graph, in the same transaction: no journal will tell graph_sync of it.
CREATE OR REPLACE FUNCTION cognifold.age_reword(tenant text, nodes uuid[]) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    graph name;
    shown record;
BEGIN
    SELECT p.graph_name INTO graph FROM cognifold.graph_projection AS p WHERE p.tenant_id = tenant FOR UPDATE;
    IF FOUND THEN
        BEGIN
            SELECT p.known, p.places INTO shown FROM cognifold.age_places(graph, nodes) AS p;
            PERFORM cognifold.age_renew(tenant, graph, shown.known, shown.places);
        EXCEPTION WHEN OTHERS THEN   -- as age_forget
            UPDATE cognifold.graph_projection AS p SET stale = true WHERE p.tenant_id = tenant;
            RAISE WARNING 'the graph % of tenant "%" did not take new words and is to be rebuilt: %', graph, tenant, SQLERRM;
        END;
    END IF;
END
$$;
COMMENT ON FUNCTION cognifold.age_reword(text, uuid[]) IS
    'Gives these nodes, where the tenant''s graph shows them, the words they have now; a graph that does not take them is marked stale. Internal: forget_nodes calls it.';
