-- near_names: the memories whose title a question names, and those that name what it names.
CREATE OR REPLACE FUNCTION cognifold.near_names(tenant text, query text, narrow cognifold.narrowing, given jsonb DEFAULT NULL)
RETURNS TABLE (node_id uuid, titled double precision, named double precision, name text)
LANGUAGE plpgsql STABLE ROWS 10
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_bitmapscan = off
SET jit = off
AS $$
#variable_conflict use_variable
DECLARE
    settings jsonb := coalesce(given, cognifold.settings(tenant));
    words    text[] := (string_to_array(translate(cognifold.name_lines(left(query, 2000)), E'\n', ' '), ' '))[1:(settings -> 'recall.name_words')::integer];
    longest  integer := settings -> 'recall.name_length';
    fan_out  integer := settings -> 'spread.fan_out';
    -- Where nothing is written as a name, none is looked for.
    capitals text[] := CASE WHEN octet_length(query) > length(query) OR translate(query, '0123456789', '') <> query OR lower(query) <> query
                            THEN cognifold.text_names(left(query, 2000)) END;
    total    double precision;
    names    text[];
    counts   integer[];
    roles    smallint[];
    ids      uuid[];
BEGIN
    SELECT greatest(s.document_count, 2) INTO total FROM cognifold.lexical_statistics AS s WHERE s.tenant_id = tenant;
    SELECT array_agg(f.name), array_agg(f.role), array_agg(f.node_id), array_agg(f.count) INTO names, roles, ids, counts
    FROM (
        SELECT p.name, x.role, x.node_id, count(*) OVER (PARTITION BY p.name)::integer AS count
        FROM (
            SELECT DISTINCT array_to_string(words[first.i:first.i + more.n], ' ') COLLATE "C" AS name, more.n
            FROM generate_series(1, cardinality(words)) AS first (i)
            CROSS JOIN LATERAL generate_series(0, least(longest - 1, cardinality(words) - first.i)) AS more (n)
            WHERE more.n > 0 OR (length(words[first.i]) > 2 AND ts_lexize('pg_catalog.english_stem', words[first.i]) <> '{}')
        ) AS p
        CROSS JOIN LATERAL (
            SELECT m.role, m.node_id FROM cognifold.mention AS m
            WHERE m.tenant_id = tenant AND m.name = p.name
            ORDER BY m.role, m.node_id LIMIT fan_out + 1
        ) AS x
        -- A lone small word of a question is no name, unless it is a title.
        WHERE x.role = 0 OR p.n > 0 OR p.name = ANY (capitals)
    ) AS f;
    IF ids IS NULL THEN
        RETURN;
    END IF;
    RETURN QUERY
    SELECT f.node_id, max(CASE f.role WHEN 0 THEN 1.0::double precision ELSE 0 END),
           least(1, sum(CASE f.role WHEN 1 THEN greatest(0, ln(total / f.count) / ln(total)) ELSE 0 END)), min(f.name)
    FROM unnest(names, roles, ids, counts) AS f (name, role, node_id, count)
    CROSS JOIN LATERAL (
        SELECT n.occurred_at FROM cognifold.node AS n
        WHERE n.tenant_id = tenant AND n.id = f.node_id AND n.kind = ANY ((narrow).kinds) AND n.merged_into IS NULL
          AND cognifold.is_asked_for(n.occurred_at, n.actor, n.source, n.recorded_at, n.memory_type, n.privacy_level, narrow)
    ) AS n
    WHERE (f.role = 0 OR f.count <= fan_out)
      -- "North Carolina" is not named where "University of North Carolina" is.
      AND NOT EXISTS (SELECT FROM unnest(names) AS longer (name) WHERE longer.name <> f.name AND strpos(' ' || longer.name || ' ', ' ' || f.name || ' ') > 0)
    GROUP BY f.node_id;
END
$$;
COMMENT ON FUNCTION cognifold.near_names(text, text, cognifold.narrowing, jsonb) IS
    'Memories by the names in a question: titled is 1 where a title is one of them; named sums ln(N / n) / ln(N) over those that stand in its text, at most 1, n being the memories with the name; a name of more than spread.fan_out of them counts for titles only. Of names within each other the longest is meant. Internal: a stage of recall.';
