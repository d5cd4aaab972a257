-- near_identical: whether two events say the same, of the same actor.
CREATE OR REPLACE FUNCTION cognifold.near_identical(tenant text, one uuid, other uuid) RETURNS boolean
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    SELECT CASE WHEN m.actor IS DISTINCT FROM n.actor THEN false
                WHEN t.one = t.other THEN true
                WHEN greatest(length(t.one), length(t.other)) > cognifold.setting('summary.characters', near_identical.tenant) THEN false
                -- Other numbers, or in another order: what keeps lines of a log apart is seen at once.
                WHEN regexp_replace(t.one, '[^0-9]+', ' ', 'g') <> regexp_replace(t.other, '[^0-9]+', ' ', 'g') THEN false
                ELSE coalesce(-(v.vector <#> w.vector) >= own."duplicate", false) AND NOT cognifold.texts_conflict(near_identical.tenant, t.one, t.other) END
    FROM cognifold.tenant_model(near_identical.tenant) AS own
    JOIN cognifold.node AS m ON m.tenant_id = near_identical.tenant AND m.id = near_identical.one
    JOIN cognifold.node AS n ON n.tenant_id = near_identical.tenant AND n.id = near_identical.other
    JOIN cognifold.node_text AS c ON c.tenant_id = near_identical.tenant AND c.node_id = m.id
    JOIN cognifold.node_text AS d ON d.tenant_id = near_identical.tenant AND d.node_id = n.id
    CROSS JOIN LATERAL (SELECT cognifold.indexed_text(m.title, c.content) AS one, cognifold.indexed_text(n.title, d.content) AS other) AS t
    LEFT JOIN cognifold.embedding AS v ON v.tenant_id = near_identical.tenant AND v.model_id = own.model_id AND v.kind = 'event' AND v.node_id = m.id
    LEFT JOIN cognifold.embedding AS w ON w.tenant_id = near_identical.tenant AND w.model_id = own.model_id AND w.kind = 'event' AND w.node_id = n.id
$$;
COMMENT ON FUNCTION cognifold.near_identical(text, uuid, uuid) IS
    'True if two events of one actor (or both of none) have the same text, or texts of at most summary.characters with the same numbers in the same order and a cosine of at least the model''s duplicate threshold that do not conflict (texts_conflict). Internal.';
