-- context_window: what to have in mind now: the most important memories in tiers, from the immediate to the background.
CREATE OR REPLACE FUNCTION cognifold.context_window(
    max_nodes integer DEFAULT 100, as_of timestamptz DEFAULT NULL, tenant text DEFAULT cognifold.required_tenant()
) RETURNS TABLE (
    tier text, node_id uuid, kind text, title text, score double precision,
    pagerank double precision, recency double precision, access double precision, urgency double precision,
    diversity double precision, tier_score double precision, occurred_at timestamptz, content text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
SET search_path FROM CURRENT
SET enable_nestloop = off
SET jit = off
AS $$
#variable_conflict use_variable
DECLARE
    previous   text := cognifold.scope_tenant(tenant);
    settings   jsonb := cognifold.settings(tenant);
    immediate  integer;
    working    integer;
    background integer;
    ids        uuid[] := '{}';
BEGIN
    IF cognifold.sees_in_part(tenant) THEN
        RETURN QUERY SELECT c.* FROM cognifold.cleared_context_window(max_nodes, as_of, tenant) AS c;
        PERFORM cognifold.leave_tenant(previous);
        RETURN;
    END IF;
    IF max_nodes IS NULL OR max_nodes NOT BETWEEN 1 AND 10000 THEN
        RAISE EXCEPTION 'context_window: max_nodes = % is not between 1 and 10000', coalesce(max_nodes::text, 'NULL')
            USING ERRCODE = 'CF010', HINT = 'Ask for fewer nodes: 100 is usual, 20 for a planner.';
    END IF;
    -- Whole places; a nudge, for .3 * 90 may come out below 27. What rounding leaves over goes to the rest.
    immediate  := least(floor(max_nodes * (settings ->> 'context.immediate_share')::double precision + 1e-9), max_nodes);
    working    := least(floor(max_nodes * (settings ->> 'context.working_share')::double precision + 1e-9), max_nodes - immediate);
    background := least(floor(max_nodes * (settings ->> 'context.background_share')::double precision + 1e-9), max_nodes - immediate - working);

    FOR tier, node_id, kind, title, score, pagerank, recency, access, urgency, diversity, tier_score, occurred_at, content IN
    WITH candidate AS (
        SELECT p.*, cognifold.immediate_score(p.recency, p.urgency, settings) AS immediate_score,
               cognifold.working_score(p.pagerank, p.recency, p.kind, settings) AS working_score
        FROM (SELECT f.* FROM cognifold.foremost(tenant, cognifold.now(), settings, immediate, working, background, max_nodes) AS f WHERE as_of IS NULL
              UNION ALL
              SELECT w.* FROM cognifold.priority(tenant, as_of) AS w WHERE as_of IS NOT NULL) AS p
    ), by_immediate AS (
        SELECT c.*, row_number() OVER (ORDER BY c.immediate_score DESC, c.score DESC, c.occurred_at DESC, c.node_id) <= immediate AS is_immediate
        FROM candidate AS c
    ), placed AS MATERIALIZED (   -- each tier takes its best of what the tiers above have left
        SELECT b.*,
               NOT b.is_immediate AND working >= row_number() OVER (
                   PARTITION BY b.is_immediate ORDER BY b.working_score DESC, b.score DESC, b.occurred_at DESC, b.node_id) AS is_working
        FROM by_immediate AS b
    ), pool AS (   -- of equal bands the latest; nothing is said of a node that nothing points at by its id
        SELECT p.* FROM placed AS p WHERE NOT p.is_immediate AND NOT p.is_working
        ORDER BY p.band DESC, CASE WHEN p.band = 0 THEN p.occurred_at END DESC, p.node_id DESC
        LIMIT background + (settings ->> 'context.background_pool')::integer
    ), remaining AS (
        SELECT array_agg(p.node_id ORDER BY p.score DESC, p.occurred_at DESC, p.node_id) AS nodes,
               array_agg((settings ->> 'context.background_pagerank')::double precision * p.pagerank
                         ORDER BY p.score DESC, p.occurred_at DESC, p.node_id) AS worths
        FROM pool AS p
    ), diverse AS MATERIALIZED (
        SELECT d.node_id, d.gain, d.diversity
        FROM remaining AS r
        CROSS JOIN LATERAL cognifold.most_diverse(
            tenant, r.nodes, r.worths, ARRAY(SELECT p.node_id FROM placed AS p WHERE p.is_immediate OR p.is_working),
            background, (settings ->> 'context.background_diversity')::double precision) AS d
    ), tiered AS (
        SELECT p.*, d.diversity,
               CASE WHEN p.is_immediate THEN 1 WHEN p.is_working THEN 2 WHEN d.node_id IS NOT NULL THEN 3 ELSE 4 END AS level,
               CASE WHEN p.is_immediate THEN p.immediate_score WHEN p.is_working THEN p.working_score ELSE coalesce(d.gain, p.score) END AS fit
        FROM placed AS p LEFT JOIN diverse AS d ON d.node_id = p.node_id
    ), best AS (
        SELECT t.* FROM tiered AS t ORDER BY t.level, t.fit DESC, t.score DESC, t.occurred_at DESC, t.node_id LIMIT max_nodes
    )
    SELECT (ARRAY['immediate', 'working', 'background', 'priority'])[b.level], b.node_id, b.kind,
           (SELECT n.title FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = b.node_id), b.score,
           b.pagerank, b.recency, b.access, b.urgency, b.diversity, b.fit, b.occurred_at,
           (SELECT c.content FROM cognifold.node_text AS c WHERE c.tenant_id = tenant AND c.node_id = b.node_id)
    FROM best AS b
    ORDER BY b.level, b.fit DESC, b.score DESC, b.occurred_at DESC, b.node_id
    LOOP
        ids := ids || node_id;
        RETURN NEXT;
    END LOOP;
    PERFORM cognifold.note_read(tenant, 'context_window', NULL, ids);
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.context_window(integer, timestamptz, text) IS
    'Up to max_nodes events, concepts and intents to have in mind at as_of, in tiers (CogniFold): immediate, 10 % by .7 recency + .3 (urgency - 1); working, 30 % by .5 pagerank + .3 recency + .2 type (concept 1, intent .8, event 0); background, 50 % by .8 pagerank + .2 diversity; priority, the rest and what rounding down leaves, by score. Each tier takes its best of what those above have left. tier_score is what the tier goes by; score = (.4 pagerank + .4 recency + .2 access) * urgency (Eq. 1), with its parts: pagerank, recency and access in [0, 1], urgency in [1, 2]. diversity (background only): 1 - the largest cosine to anything chosen before it; considered are as many as there are places and 200 more (context.background_pool), those of the highest PageRank to 3 %. As of now the ranks are those last settled (refresh_ranks), and the cost does not grow with the memory; any as_of is computed from the whole of it. Merged concepts and times are left out, and with as_of what happened later. Equals are ordered by time, but where more are equal than there are places any of them may stand. Shares and weights are settings. Writes nothing.';
