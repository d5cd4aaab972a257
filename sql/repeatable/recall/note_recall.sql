-- note_recall: remembers that these memories were recalled, to be counted later: one insert, and nothing else is touched.
CREATE OR REPLACE FUNCTION cognifold.note_recall(
    node_ids uuid[], tenant text DEFAULT cognifold.required_tenant()
) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.scope_tenant(tenant);
    moment   timestamptz := cognifold.checked_moment('note_recall', cognifold.now());
    noted    uuid[];
BEGIN
    IF node_ids IS NULL THEN
        RAISE EXCEPTION 'note_recall: node_ids is NULL'
            USING ERRCODE = 'CF010', HINT = 'Give the ids that recall returned, best first; an empty array notes nothing.';
    END IF;
    noted := ARRAY(SELECT g.id FROM unnest(node_ids) WITH ORDINALITY AS g (id, place)
                   WHERE g.id IS NOT NULL GROUP BY g.id ORDER BY min(g.place)
                   LIMIT cognifold.setting('learn.nodes', tenant)::integer);
    IF cardinality(noted) > 0 THEN
        INSERT INTO cognifold.recall_log (tenant_id, log_id, recalled_at, noted_at, node_ids)
        VALUES (tenant, cognifold.new_id(), moment, clock_timestamp(), noted);
        -- Where nobody counts, the log must end somewhere: each note takes up to two that are too old with it.
        WITH oldest AS MATERIALIZED (
            SELECT o.log_id, o.noted_at FROM cognifold.recall_log AS o
            WHERE o.tenant_id = tenant ORDER BY o.log_id LIMIT 2 FOR UPDATE SKIP LOCKED
        )
        DELETE FROM cognifold.recall_log AS l
        USING oldest
        WHERE l.tenant_id = tenant AND l.log_id = oldest.log_id
          AND oldest.noted_at < clock_timestamp() - make_interval(secs => 86400 * cognifold.setting('learn.keep_days', tenant));
    END IF;
    PERFORM cognifold.leave_tenant(previous);
    RETURN cardinality(noted);
END
$$;
COMMENT ON FUNCTION cognifold.note_recall(uuid[], text) IS
    'Notes that these nodes were recalled (ids as recall returned them, best first; the first learn.nodes of them are kept, each once), now by the memory''s clock; returns how many. recall itself writes nothing: who wants the memory to learn from what is recalled calls this after it, in a transaction that may write. The counting is count_recalls''. The question is not kept. Ids that are no nodes of the tenant count for nothing.';
