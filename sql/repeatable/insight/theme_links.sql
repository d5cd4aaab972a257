-- theme_links: for some concepts, the wider concepts that they are parts of: existing ones they fit, and new ones that several
-- found together.
--
-- A theme is a concept without events of its own. Its parts share a word of their titles, which stand for what their events
-- share, and are nearer to each other than concepts of this tenant usually are, by theme.lift. It is derived_from its parts,
-- which is stated and gives it provenance; that they are part_of it no event stated, so that is inferred. Having no
-- events it has no vector, mass or words of evidence: no event folds into it, nothing merges with it, and no goal comes of it.
--
-- A concept is part of one theme at most, a theme of none, and it has at most theme.parts: no hub, no ring, and nothing to do the next time.
CREATE OR REPLACE FUNCTION cognifold.theme_links(tenant text, concepts uuid[], as_of timestamptz) RETURNS jsonb
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
-- A few rows by their keys, whatever the statistics say.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_variable
DECLARE
    own      cognifold.embedding_model := cognifold.tenant_model(tenant);
    settings jsonb := cognifold.settings(tenant);
    fewest   CONSTANT integer := settings -> 'theme.founders';
    most     CONSTANT integer := settings -> 'theme.parts';
    founding CONSTANT integer := settings -> 'theme.new';
    lift     CONSTANT double precision := settings -> 'theme.lift';
    renewed  CONSTANT double precision := settings -> 'theme.renew';
    -- What something was shown by is not what it is about.
    media    CONSTANT text[] := ARRAY['photo', 'photograph', 'pictur', 'pic', 'imag', 'video', 'vid', 'post', 'messag', 'text', 'thread', 'email'];
    -- What many texts have in common, whatever they are about.
    vague    CONSTANT text[] := ARRAY[
        'stay', 'keep', 'make', 'get', 'help', 'tri', 'want', 'need', 'go', 'come', 'look', 'feel', 'think', 'know', 'see', 'show', 'take', 'give', 'start', 'let', 'put',
        'use', 'find', 'happen', 'share', 'bring', 'talk', 'chang', 'enjoy', 'love', 'like', 'great', 'good', 'amaz', 'awesom', 'new', 'big', 'time', 'day', 'way', 'thing'];
    usual    vector;        -- mean of the vectors of the latest concepts
    free     uuid[];        -- the given concepts that may become parts
    operations jsonb := '[]';
    sharing  jsonb;         -- concepts by a word of their titles that one of the given has in its own
    theme    record;
    taken    uuid[] := '{}';
    titles   text[] := '{}';
    part     record;        -- what a theme that is being founded has
    founded  boolean;
BEGIN
    -- 1. Ties that concepts with fresh evidence have to their themes are kept alive.
    SELECT coalesce(jsonb_agg(jsonb_build_object(
               'op', 'ADD_EDGE', 'source', e.source_id, 'target', e.target_id, 'type', 'part_of', 'weight', renewed, 'inferred', true,
               'reasoning', format('"%s" is in use', n.title)) ORDER BY e.source_id, e.target_id), '[]')
    INTO operations
    FROM unnest(concepts) AS c (id)
    JOIN cognifold.graph_edge AS e ON e.tenant_id = tenant AND e.source_id = c.id AND e.type = 'part_of' AND e.target_kind = 'concept'
    JOIN cognifold.concept_state AS s ON s.tenant_id = tenant AND s.node_id = e.target_id AND s.event_count = 0
    JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = c.id AND n.merged_into IS NULL
    WHERE cognifold.mass(e.potential, cognifold.decay_integral(tenant, e.rate, as_of)) < renewed;

    SELECT array_agg(n.id ORDER BY n.id) INTO free
    FROM unnest(concepts) AS c (id)
    JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = c.id AND n.kind = 'concept' AND n.merged_into IS NULL
    WHERE cognifold.may_be_part(tenant, n.id);
    IF free IS NULL THEN
        RETURN operations;
    END IF;
    SELECT avg(e.vector::vector) INTO usual
    FROM (SELECT e.vector FROM cognifold.embedding AS e
          WHERE e.tenant_id = tenant AND e.model_id = own.model_id AND e.kind = 'concept'
          ORDER BY e.node_id DESC LIMIT (settings ->> 'theme.sample')::integer) AS e;
    IF usual IS NULL THEN
        RETURN operations;
    END IF;

    -- 2. Who shares a word of its title with whom: of each word the newest. A word that much of the memory is about tells nothing.
    SELECT coalesce(jsonb_agg(to_jsonb(g)), '[]') INTO sharing
    FROM (
        WITH word AS MATERIALIZED (
            SELECT l.lexeme, array_agg(n.id) AS concepts
            FROM cognifold.node AS n CROSS JOIN LATERAL cognifold.lexemes(n.title) AS l
            WHERE n.tenant_id = tenant AND n.id = ANY (free) AND l.lexeme ~ '^[[:alpha:]][[:alnum:]-]+$' AND l.lexeme <> ALL (media || vague)
              AND l.lexeme <> ALL (cognifold.small_talk())
              AND NOT EXISTS (SELECT FROM cognifold.actor_name AS a WHERE a.tenant_id = tenant AND a.word = l.lexeme)
            GROUP BY l.lexeme
        )
        SELECT w.lexeme, p.node_id, s.event_count = 0 AS is_theme, w.concepts @> ARRAY[p.node_id] AS asking
        FROM word AS w
        CROSS JOIN LATERAL (
            SELECT p.node_id FROM cognifold.posting AS p
            WHERE p.tenant_id = tenant AND p.lexeme = w.lexeme AND p.kind = 'concept'
            ORDER BY p.impact DESC, p.node_id DESC LIMIT (settings ->> 'theme.candidates')::integer
        ) AS p
        JOIN cognifold.concept_state AS s ON s.tenant_id = tenant AND s.node_id = p.node_id
    ) AS g;

    -- 3. An existing theme takes in what fits, the nearest first, while it has room.
    FOR theme IN
        WITH open_theme AS MATERIALIZED (
            SELECT DISTINCT g.lexeme, g.node_id, n.title FROM jsonb_to_recordset(sharing) AS g (lexeme text, node_id uuid, is_theme boolean)
            JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = g.node_id AND n.merged_into IS NULL
            WHERE g.is_theme AND (SELECT array_agg(l.lexeme) FROM cognifold.lexemes(n.title) AS l) = ARRAY[g.lexeme]
        ), part AS MATERIALIZED (
            SELECT t.node_id AS theme, count(*) AS number, avg(v.vector::vector) AS middle
            FROM open_theme AS t
            JOIN cognifold.graph_edge AS e ON e.tenant_id = tenant AND e.target_id = t.node_id AND e.type = 'part_of' AND e.source_kind = 'concept'
            JOIN cognifold.embedding AS v ON v.tenant_id = tenant AND v.model_id = own.model_id AND v.kind = 'concept' AND v.node_id = e.source_id
            GROUP BY t.node_id
        )
        SELECT f.* FROM (
            SELECT t.node_id AS theme, t.title, m.id AS concept, m.title AS concept_title, p.number,
                   row_number() OVER (PARTITION BY t.node_id ORDER BY -(v.vector::vector <#> p.middle) DESC, m.id) AS rank,
                   -(v.vector::vector <#> p.middle) + (v.vector::vector <#> usual) AS lift
            FROM open_theme AS t
            JOIN part AS p ON p.theme = t.node_id
            JOIN jsonb_to_recordset(sharing) AS g (lexeme text, node_id uuid, asking boolean) ON g.lexeme = t.lexeme AND g.asking
            JOIN cognifold.node AS m ON m.tenant_id = tenant AND m.id = g.node_id
            JOIN cognifold.concept_lexeme AS l ON l.tenant_id = tenant AND l.lexeme = g.lexeme AND l.node_id = m.id AND l.event_count >= 2
            JOIN cognifold.embedding AS v ON v.tenant_id = tenant AND v.model_id = own.model_id AND v.kind = 'concept' AND v.node_id = m.id
            WHERE -(v.vector::vector <#> p.middle) + (v.vector::vector <#> usual) >= lift
        ) AS f
        WHERE f.number + f.rank <= most
        ORDER BY f.lift DESC, f.concept, f.theme
    LOOP
        CONTINUE WHEN theme.concept = ANY (taken);
        taken := taken || theme.concept;
        operations := operations || jsonb_build_object(
            'op', 'ADD_EDGE', 'source', theme.concept, 'target', theme.theme, 'type', 'part_of', 'inferred', true,
            'reasoning', format('"%s" shares "%s"; nearer to its parts than usual by %s', theme.concept_title, theme.title, round(theme.lift::numeric, 3)));
    END LOOP;

    -- 4. What is left founds themes, though none that was undone: of each word those that are nearer to the others than usual; the
    -- clearest first. Again till nothing is found, for what one theme has taken may leave another clearer.
    titles := ARRAY(SELECT lower(o.value ->> 'title') FROM jsonb_array_elements(cognifold.taken_back(tenant, 'ADD_NODE')) AS o WHERE o.value ->> 'kind' = 'concept');
    LOOP
        founded := false;
        FOR theme IN
            WITH member AS MATERIALIZED (
                SELECT g.lexeme, n.id, v.vector::vector AS vector
                FROM (SELECT DISTINCT g.lexeme, g.node_id FROM jsonb_to_recordset(sharing) AS g (lexeme text, node_id uuid, is_theme boolean) WHERE NOT g.is_theme) AS g
                JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = g.node_id AND n.kind = 'concept' AND n.merged_into IS NULL
                JOIN cognifold.concept_lexeme AS l ON l.tenant_id = tenant AND l.lexeme = g.lexeme AND l.node_id = n.id AND l.event_count >= 2
                JOIN cognifold.embedding AS v ON v.tenant_id = tenant AND v.model_id = own.model_id AND v.kind = 'concept' AND v.node_id = n.id
                WHERE n.id <> ALL (taken) AND cognifold.may_be_part(tenant, n.id)
                  AND EXISTS (SELECT FROM cognifold.lexemes(n.title) AS t WHERE t.lexeme = g.lexeme)
            ), whole AS (
                SELECT m.lexeme, sum(m.vector) AS total, count(*) AS number FROM member AS m GROUP BY m.lexeme HAVING count(*) >= fewest
            ), near AS (
                SELECT m.lexeme, m.id, c.cosine + (m.vector <#> usual) AS lift, row_number() OVER (PARTITION BY m.lexeme ORDER BY c.cosine DESC, m.id) AS rank
                FROM member AS m
                JOIN whole AS w ON w.lexeme = m.lexeme
                CROSS JOIN LATERAL (SELECT ((-(m.vector <#> w.total)) - 1) / (w.number - 1) AS cosine) AS c
                WHERE c.cosine + (m.vector <#> usual) >= lift
            )
            SELECT n.lexeme, array_agg(n.id ORDER BY n.id) AS ids, (SELECT array_agg(m.id ORDER BY m.id) FROM member AS m WHERE m.lexeme = n.lexeme) AS sharing,
                   NULL::text AS title, NULL::double precision AS cosine, NULL::double precision AS lift
            FROM near AS n
            JOIN cognifold.lexeme_frequency AS f ON f.tenant_id = tenant AND f.lexeme = n.lexeme
            JOIN cognifold.lexical_statistics AS d ON d.tenant_id = tenant
            WHERE n.rank <= most AND f.document_count <= (settings ->> 'theme.common')::double precision * d.document_count
            GROUP BY n.lexeme
            HAVING count(*) >= fewest
            ORDER BY count(*) * avg(n.lift) DESC, n.lexeme
        LOOP
            EXIT WHEN cardinality(titles) >= founding;
            -- Whatever is near to its parts is a part.
            LOOP
                SELECT coalesce(array_agg(m.id ORDER BY m.id), '{}') AS ids, avg(m.cosine) AS cosine, avg(m.lift) AS lift INTO part
                FROM (
                    SELECT v.node_id AS id, c.cosine, c.cosine + (v.vector::vector <#> usual) AS lift
                    FROM (SELECT sum(w.vector::vector) AS total, count(*) AS number FROM cognifold.embedding AS w
                          WHERE w.tenant_id = tenant AND w.model_id = own.model_id AND w.kind = 'concept' AND w.node_id = ANY (theme.ids) AND w.node_id <> ALL (taken)) AS w
                    JOIN cognifold.embedding AS v ON v.tenant_id = tenant AND v.model_id = own.model_id AND v.kind = 'concept'
                         AND v.node_id = ANY (theme.sharing) AND v.node_id <> ALL (taken)
                    CROSS JOIN LATERAL (   -- to the others
                        SELECT CASE WHEN v.node_id = ANY (theme.ids) THEN (-(v.vector::vector <#> w.total) - 1) / NULLIF(w.number - 1, 0)
                                    ELSE -(v.vector::vector <#> w.total) / NULLIF(w.number, 0) END AS cosine
                    ) AS c
                    WHERE v.node_id = ANY (theme.ids) OR c.cosine + (v.vector::vector <#> usual) >= lift
                    ORDER BY v.node_id = ANY (theme.ids) DESC, c.cosine DESC, v.node_id LIMIT most
                ) AS m;
                EXIT WHEN part.ids = theme.ids;
                theme.ids := part.ids;
            END LOOP;
            CONTINUE WHEN cardinality(part.ids) < fewest OR part.cosine >= own.merge;
            -- As most of their titles have the word.
            theme.title := (SELECT min(w.word[1]) FROM cognifold.node AS n
                            CROSS JOIN LATERAL regexp_matches(n.title, '[[:alnum:]][[:alnum:]-]*', 'g') AS w (word)
                            WHERE n.tenant_id = tenant AND n.id = ANY (part.ids) AND cognifold.lexeme(lower(w.word[1])) = theme.lexeme
                            GROUP BY lower(w.word[1]) ORDER BY count(*) DESC, lower(w.word[1]) LIMIT 1);
            theme.title := upper(left(theme.title, 1)) || substr(theme.title, 2);
            -- One of that title is there: a theme that is full, or a concept that is just this.
            CONTINUE WHEN theme.title IS NULL OR lower(theme.title) = ANY (titles) OR EXISTS (
                SELECT FROM cognifold.node AS n
                WHERE n.tenant_id = tenant AND n.title_key = lower(theme.title) AND n.kind = 'concept' AND n.merged_into IS NULL);
            founded := true;
            titles := titles || lower(theme.title);
            taken := taken || part.ids;
            operations := operations || (
                SELECT jsonb_build_object(
                           'op', 'ADD_NODE', 'kind', 'concept', 'ref', 'theme_' || cardinality(titles), 'title', theme.title, 'grounded_in', to_jsonb(part.ids),
                           'reasoning', format('%s concepts share it and are nearer to each other than usual by %s (cosine %s)', cardinality(part.ids),
                                               round(part.lift::numeric, 3), round(part.cosine::numeric, 3)))
                       || jsonb_agg(jsonb_build_object('op', 'ADD_EDGE', 'source', n.id, 'target', 'theme_' || cardinality(titles), 'type', 'part_of', 'inferred', true,
                                                       'reasoning', format('"%s" shares "%s"', n.title, theme.title)) ORDER BY n.id)
                FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = ANY (part.ids));
        END LOOP;
        EXIT WHEN NOT founded OR cardinality(titles) >= founding;
    END LOOP;
    RETURN operations;
END
$$;
COMMENT ON FUNCTION cognifold.theme_links(text, uuid[], timestamptz) IS
    'Operations (ADD_NODE, ADD_EDGE part_of) that make some concepts parts of themes: an existing theme takes in what shares its word and is near to its parts; at least theme.founders concepts that share a word of their titles and are nearer to each other than the tenant''s concepts usually are (theme.lift) found one, at most theme.new at once, the clearest. Ties of concepts in use that have grown weak are renewed. Reads of each title word the theme.candidates newest concepts. An empty array where nothing is to be done, so always when called again. Internal: a step of consolidate.';
