-- taken_back: what passes have done of a kind and somebody has undone: a pass does not do that again.
CREATE OR REPLACE FUNCTION cognifold.taken_back(tenant text, op text) RETURNS jsonb
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    SELECT coalesce(jsonb_agg(o.body ORDER BY p.version DESC, o.place), '[]')
    FROM (SELECT p.* FROM cognifold.plan AS p
          WHERE p.tenant_id = taken_back.tenant AND p.proposer = 'consolidate' AND p.status = 'undone'
          ORDER BY p.version DESC LIMIT 1000) AS p
    CROSS JOIN LATERAL jsonb_array_elements(p.operations) WITH ORDINALITY AS o (body, place)
    WHERE o.body ->> 'op' = taken_back.op
      -- What only stood in the way of another undo, nobody has objected to.
      AND EXISTS (SELECT FROM cognifold.plan AS u
                  WHERE u.tenant_id = taken_back.tenant AND u.undoes = p.plan_id AND u.status = 'applied' AND NOT u.result ? 'cascade')
$$;
COMMENT ON FUNCTION cognifold.taken_back(text, text) IS
    'The operations of a kind (op) in the latest 1,000 undone plans of passes that undo_plan was called for, not counting those it undid by cascade; undo the undo, and they are not among them. Internal: alike_concepts, event_summaries and theme_links ask.';
