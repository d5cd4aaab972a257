-- added_counts: two objects of counts, added name by name.
CREATE OR REPLACE FUNCTION cognifold.added_counts(one jsonb, other jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path FROM CURRENT
AS $$
    SELECT coalesce(jsonb_object_agg(s.key, s.number), '{}')
    FROM (SELECT c.key, sum(c.value::bigint) AS number
          FROM (SELECT * FROM jsonb_each_text(one) UNION ALL SELECT * FROM jsonb_each_text(other)) AS c
          WHERE c.value IS NOT NULL
          GROUP BY c.key) AS s
$$;
COMMENT ON FUNCTION cognifold.added_counts(jsonb, jsonb) IS 'Objects of {name: whole number}, added; a name that one lacks counts 0 there. Internal.';
