-- first_images: one journal entry a row: what stood there before the whole plan, where several steps changed it.
CREATE OR REPLACE FUNCTION cognifold.first_images(changes jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE
SET search_path FROM CURRENT
AS $$
    SELECT jsonb_agg(jsonb_build_object('relation', r.relation, 'row_key', r.row_key, 'before', r.before) ORDER BY r.place)
    FROM (
        SELECT c.value ->> 'relation' AS relation, c.value -> 'row_key' AS row_key, min(c.ordinality) AS place,
               CASE WHEN (array_agg(c.value -> 'before' ORDER BY c.ordinality))[1] = 'null' THEN 'null'
                    -- Images of a node hold only what a step changed; together they hold all of it, the earliest first.
                    ELSE (SELECT jsonb_object_agg(f.key, f.value ORDER BY e.place DESC)
                          FROM unnest(array_agg(c.value -> 'before' ORDER BY c.ordinality)) WITH ORDINALITY AS e (image, place)
                          CROSS JOIN LATERAL jsonb_each(e.image) AS f
                          WHERE jsonb_typeof(e.image) = 'object') END AS before
        FROM jsonb_array_elements(changes) WITH ORDINALITY AS c (value, ordinality)
        GROUP BY 1, 2
    ) AS r
$$;
COMMENT ON FUNCTION cognifold.first_images(jsonb) IS 'Journal entries with one a row: its first image, completed by what later ones hold besides. Internal.';
