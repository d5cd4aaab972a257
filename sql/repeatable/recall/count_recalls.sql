-- count_recalls: counts the recalls noted since the last time, a batch of them, each exactly once.
CREATE OR REPLACE FUNCTION cognifold.count_recalls(
    max_rows integer DEFAULT NULL, tenant text DEFAULT cognifold.required_tenant()
) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    report   jsonb;
BEGIN
    IF max_rows < 1 THEN
        RAISE EXCEPTION 'count_recalls: max_rows = % is not a positive number', max_rows
            USING ERRCODE = 'CF010', HINT = 'Say how many noted recalls to count at most, or leave it out for learn.batch.';
    END IF;
    report := cognifold.learn_recalls(tenant, coalesce(max_rows, cognifold.setting('learn.batch', tenant)::integer));
    IF report -> 'plans' <> '[]' THEN
        PERFORM cognifold.settle_ranks(tenant, enough => cognifold.ranks_due(tenant));
    END IF;
    PERFORM cognifold.leave_tenant(previous);
    RETURN report;
END
$$;
COMMENT ON FUNCTION cognifold.count_recalls(integer, text) IS
    'Counts up to max_rows (default: setting learn.batch) recalls that note_recall has noted, oldest first, and returns {"recalls_counted", "nodes_accessed", "concepts_woken", "pairs_linked", "pairs_reinforced", "plans": [plan ids]}. Uses are added to access_count and last_accessed; a dormant concept among what was recalled wakes; memories that keep coming up together are tied by related_to, in plans that undo_plan can take back. Each note counts once, whatever crashes or runs beside it. consolidate calls it for all that is noted, workers as they fold.';
