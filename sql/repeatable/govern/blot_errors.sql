-- blot_errors: takes away error texts and questions that may quote what is forgotten, and the ids of events in what was told of intents.
CREATE OR REPLACE FUNCTION cognifold.blot_errors(tenant text, gone uuid[]) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    left_out CONSTANT text := 'left out: it may quote what was forgotten since';
BEGIN
    -- A message says not whom it quotes, and a batch or a pass is about many: none is spared. What sort of error it was stays.
    UPDATE cognifold.work AS w SET error = left_out WHERE w.tenant_id = tenant AND w.error IS NOT NULL AND w.error <> left_out;
    UPDATE cognifold.job_run AS r SET error = left_out WHERE r.tenant_id = tenant AND r.error IS NOT NULL AND r.error <> left_out;
    UPDATE cognifold.delivery AS d SET error = left_out WHERE d.tenant_id = tenant AND d.error IS NOT NULL AND d.error <> left_out;
    UPDATE cognifold.outbox_consumer AS c SET disabled_reason = left_out
    WHERE c.tenant_id = tenant AND c.disabled_reason IS NOT NULL AND c.disabled_reason <> left_out;
    -- Nor does a question. Its digest and the ids it was told of stay: who was told what is the account; those of what is gone lead nowhere.
    UPDATE cognifold.audit_read AS a SET question = NULL WHERE a.tenant_id = tenant AND a.question IS NOT NULL;
    UPDATE cognifold.outbox AS o SET event_id = NULL FROM unnest(gone) AS g (id) WHERE o.tenant_id = tenant AND o.event_id = g.id;
END
$$;
COMMENT ON FUNCTION cognifold.blot_errors(text, uuid[]) IS
    'Replaces the error texts of the tenant''s folds, jobs and deliveries, and why a consumer was disabled; takes the questions out of the audit and the ids of what is gone out of the outbox. Internal: forget_nodes calls it.';
