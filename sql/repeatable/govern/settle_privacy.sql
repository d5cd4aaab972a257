-- settle_privacy: what a plan derives is as private as the most private of what it is derived from, and never less.
CREATE OR REPLACE FUNCTION cognifold.settle_privacy(tenant text, edges jsonb, new_nodes jsonb DEFAULT '[]', restated boolean DEFAULT false) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    levels  CONSTANT text[] := ARRAY['public', 'shared', 'private'];
    pairs   jsonb;  -- {derived, basis}: what this plan says rests on what
    raised  jsonb;  -- {node_id, level} of nodes that were there before
    changes jsonb;
BEGIN
    -- Titles come from evidence, parts, causes and dates. What completion ties in (grounds that nobody stated) says nothing.
    SELECT jsonb_agg(DISTINCT CASE WHEN e.type IN ('derived_from', 'deadline_for') THEN jsonb_build_object('derived', e.source_id, 'basis', e.target_id)
                                   ELSE jsonb_build_object('derived', e.target_id, 'basis', e.source_id) END)
    INTO pairs
    FROM jsonb_to_recordset(edges) AS e (source_id uuid, target_id uuid, type text, inferred boolean)
    WHERE e.type IN ('part_of', 'triggers', 'derived_from', 'deadline_for') OR e.type IN ('grounds', 'reinforces') AND NOT e.inferred;
    -- Where all that this plan ties together is private, as most of what people remember is, nothing rises, and nothing new is less.
    IF NOT restated AND NOT EXISTS (
        SELECT FROM cognifold.node AS n
        WHERE n.tenant_id = tenant AND n.privacy_level <> 'private'
          AND n.id = ANY (ARRAY(SELECT v.id FROM jsonb_to_recordset(pairs) AS p (derived uuid, basis uuid)
                                CROSS JOIN LATERAL (VALUES (p.derived), (p.basis)) AS v (id)))) THEN
        RETURN '[]';
    END IF;

    -- 1. What is new, and for which nothing was said, has the level of what it rests on, be it by way of other new nodes.
    IF new_nodes <> '[]' THEN
        WITH RECURSIVE pair AS MATERIALIZED (
            SELECT p.derived, p.basis FROM jsonb_to_recordset(pairs) AS p (derived uuid, basis uuid)
        ), fresh AS MATERIALIZED (
            SELECT w.id FROM jsonb_to_recordset(new_nodes) AS w (id uuid, made boolean, privacy_level text) WHERE w.made AND w.privacy_level IS NULL
        ), reach AS (
            SELECT f.id AS node_id, p.basis FROM fresh AS f JOIN pair AS p ON p.derived = f.id
            UNION
            SELECT r.node_id, p.basis FROM reach AS r JOIN fresh AS f ON f.id = r.basis JOIN pair AS p ON p.derived = r.basis
        ), settled AS (
            SELECT r.node_id, max(array_position(levels, n.privacy_level)) AS rank
            FROM reach AS r JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = r.basis
            WHERE NOT EXISTS (SELECT FROM fresh AS f WHERE f.id = r.basis)
            GROUP BY r.node_id
        )
        UPDATE cognifold.node AS n SET privacy_level = levels[s.rank]
        FROM settled AS s WHERE n.tenant_id = tenant AND n.id = s.node_id AND n.privacy_level <> levels[s.rank];
    END IF;

    -- 2. What was there becomes as private as what it rests on now, and so does, step by step, what rests on that.
    WITH RECURSIVE pair AS (
        SELECT p.derived, p.basis FROM jsonb_to_recordset(pairs) AS p (derived uuid, basis uuid)
        UNION ALL   -- a plan that states a level does not publish what is private
        SELECT n.id, CASE WHEN g.target_id = n.id THEN g.source_id ELSE g.target_id END
        FROM cognifold.graph_edge AS g
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id IN (g.source_id, g.target_id)
        WHERE restated AND g.tenant_id = tenant AND n.id IN (SELECT k.node_id FROM jsonb_to_recordset(edges) AS k (node_id uuid))
          AND CASE WHEN g.target_id = n.id THEN g.type IN ('part_of', 'triggers') OR g.type IN ('grounds', 'reinforces') AND NOT g.inferred
                   ELSE g.type IN ('derived_from', 'deadline_for') END
    ), rising AS (
        SELECT n.id AS node_id, array_position(levels, b.privacy_level) AS rank
        FROM pair AS p
        JOIN cognifold.node AS b ON b.tenant_id = tenant AND b.id = p.basis AND b.privacy_level <> 'public'
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = p.derived AND n.kind <> 'event' AND n.privacy_level <> 'private'
        WHERE array_position(levels, n.privacy_level) < array_position(levels, b.privacy_level)
        UNION
        SELECT n.id, r.rank
        FROM rising AS r
        CROSS JOIN LATERAL (
            SELECT g.target_id AS derived FROM cognifold.graph_edge AS g
            WHERE g.tenant_id = tenant AND g.source_id = r.node_id AND g.type IN ('grounds', 'part_of', 'triggers')
            UNION ALL
            SELECT g.source_id FROM cognifold.graph_edge AS g
            WHERE g.tenant_id = tenant AND g.target_id = r.node_id AND g.type IN ('derived_from', 'deadline_for')
        ) AS d
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = d.derived AND n.kind <> 'event' AND n.privacy_level <> 'private'
        WHERE array_position(levels, n.privacy_level) < r.rank
    )
    SELECT jsonb_agg(jsonb_build_object('node_id', r.node_id, 'level', levels[r.rank]))
    INTO raised
    FROM (SELECT r.node_id, max(r.rank) AS rank FROM rising AS r GROUP BY r.node_id) AS r;
    IF raised IS NULL THEN
        RETURN '[]';
    END IF;
    SELECT cognifold.row_images(tenant, coalesce(jsonb_agg(jsonb_build_object('relation', 'node', 'node_id', r.node_id)), '[]'))
    INTO changes
    FROM jsonb_to_recordset(raised) AS r (node_id uuid)
    WHERE NOT EXISTS (SELECT FROM jsonb_to_recordset(new_nodes) AS w (id uuid, made boolean) WHERE w.id = r.node_id AND w.made);
    UPDATE cognifold.node AS n SET privacy_level = r.level
    FROM jsonb_to_recordset(raised) AS r (node_id uuid, level text) WHERE n.tenant_id = tenant AND n.id = r.node_id;
    RETURN changes;
END
$$;
COMMENT ON FUNCTION cognifold.settle_privacy(text, jsonb, jsonb, boolean) IS
    'Settles the privacy_level of concepts, intents and times after a plan has written edges [{source_id, target_id, type, inferred}]: a new node for which the plan states none takes the most private of what it rests on; one that is there, or for which one is stated, becomes at least as private as that, and so does what rests on it in turn; none becomes less private. Rests on: evidence that was stated, parts, triggers, what it is derived from, what a time is the deadline for. With restated the elements name nodes as node_id, whose own edges are looked at. Returns the journal''s entries. Internal: execute_plan calls it.';
