-- age_pattern: the occurrences of a shape at a node, by openCypher. A shape is a constant text; ids travel as a parameter.
CREATE OR REPLACE FUNCTION cognifold.age_pattern(graph name, shape text, subject uuid, other uuid, hops integer, reach bigint) RETURNS TABLE (nodes uuid[])
LANGUAGE plpgsql STABLE ROWS 100
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    given ag_catalog.agtype;
    texts text[];
BEGIN
    given := jsonb_build_object('subject', subject, 'other', other)::text::ag_catalog.agtype;
    CASE shape
    WHEN 'chain' THEN   -- (n0)-[:causes]->(n1)-[:causes]-> ..., once for each length
        texts := ARRAY(
            SELECT format('MATCH (n0)%s WHERE n0.id = $subject RETURN [%s]',
                          string_agg(format('-[:causes]->(n%s)', n), '' ORDER BY n),
                          'n0.id, ' || string_agg(format('n%s.id', n), ', ' ORDER BY n))
            FROM generate_series(1, hops) AS l (length) CROSS JOIN LATERAL generate_series(1, l.length) AS n
            GROUP BY l.length);
    WHEN 'triangle' THEN
        texts := ARRAY(
            SELECT format('MATCH (a)%s(b)-[]->(c)%s(a) WHERE a.id = $subject RETURN DISTINCT [a.id, b.id, c.id]', near.edge, far.edge)
            FROM (VALUES ('-[]->'), ('<-[]-')) AS near (edge) CROSS JOIN (VALUES ('-[]->'), ('<-[]-')) AS far (edge));
    WHEN 'common_neighbour' THEN
        texts := ARRAY(
            SELECT format('MATCH (a)%s(x)%s(b) WHERE a.id = $subject AND b.id = $other RETURN DISTINCT [a.id, x.id, b.id]', near.edge, far.edge)
            FROM (VALUES ('-[]->'), ('<-[]-')) AS near (edge) CROSS JOIN (VALUES ('-[]->'), ('<-[]-')) AS far (edge));
    WHEN 'evidence' THEN
        texts := ARRAY(
            SELECT format('MATCH (i:intent)<-[:triggers]-(c:concept)<-[:%s]-(e:event) WHERE i.id = $subject RETURN DISTINCT [i.id, c.id, e.id]', t.type)
            FROM (VALUES ('grounds'), ('reinforces')) AS t (type));
    END CASE;
    FOR place IN 1 .. cardinality(texts) LOOP
        texts[place] := format(
            'SELECT ARRAY(SELECT v.v::text::uuid FROM ag_catalog.age_unnest(f.ids) WITH ORDINALITY AS v (v, place) ORDER BY v.place) AS ids '
            'FROM ag_catalog.cypher(%L, $cypher$ %s $cypher$, $1) AS f (ids ag_catalog.agtype)', graph, texts[place]);
    END LOOP;
    RETURN QUERY EXECUTE format(
        $query$
        SELECT DISTINCT o.ids
        FROM (SELECT CASE WHEN %L = 'triangle' THEN f.ids[1:1] || least(f.ids[2], f.ids[3]) || greatest(f.ids[2], f.ids[3]) ELSE f.ids END AS ids
              FROM (%s) AS f) AS o
        WHERE (SELECT count(DISTINCT d.id) FROM unnest(o.ids) AS d (id)) = cardinality(o.ids)
        LIMIT %s
        $query$, shape, array_to_string(texts, ' UNION ALL '), reach + 1)
    USING given;
END
$$;
COMMENT ON FUNCTION cognifold.age_pattern(name, text, uuid, uuid, integer, bigint) IS 'pattern_in_sql, asked of a graph in Apache AGE. Internal.';
