-- journal_changes: keeps what a plan changed: one entry a row, as it was before the whole plan.
CREATE OR REPLACE FUNCTION cognifold.journal_changes(tenant text, plan_id uuid, changes jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    last integer;  -- place of what is there already: mostly nothing
BEGIN
    SELECT max(j.position) INTO last
    FROM cognifold.journal AS j WHERE j.tenant_id = journal_changes.tenant AND j.plan_id = journal_changes.plan_id;
    INSERT INTO cognifold.journal (tenant_id, plan_id, position, relation, node_id, other_id, part, before)
    SELECT journal_changes.tenant, journal_changes.plan_id, coalesce(last, -1) + row_number() OVER (ORDER BY c.place),
           c.relation, c.node_id, c.other_id, c.part, NULLIF(c.before, 'null')
    FROM (
        SELECT DISTINCT ON (r.relation, r.node_id, r.other_id, r.part) r.*
        FROM ROWS FROM (jsonb_to_recordset(changes) AS (relation text, node_id uuid, other_id uuid, part text, before jsonb))
             WITH ORDINALITY AS r (relation, node_id, other_id, part, before, place)
        ORDER BY r.relation, r.node_id, r.other_id, r.part, r.place
    ) AS c
    WHERE last IS NULL
       OR NOT EXISTS (SELECT FROM cognifold.journal AS j
                      WHERE j.tenant_id = journal_changes.tenant AND j.plan_id = journal_changes.plan_id AND j.relation = c.relation
                        AND j.node_id = c.node_id AND j.other_id IS NOT DISTINCT FROM c.other_id AND j.part IS NOT DISTINCT FROM c.part);
END
$$;
COMMENT ON FUNCTION cognifold.journal_changes(text, uuid, jsonb) IS
    'Writes journal entries [{relation, node_id, other_id, part, before}] of a plan; of several of one row the first counts. Also for rows that a verb changes on top of its plan (the steps of an intent). Internal.';
