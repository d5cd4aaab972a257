-- note_read: keeps account of a question, where the tenant wants that and the transaction may write.
CREATE OR REPLACE FUNCTION cognifold.note_read(tenant text, verb text, question text, node_ids uuid[]) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    wanted double precision := cognifold.setting('audit.reads', tenant);
BEGIN
    IF wanted = 0 OR current_setting('transaction_read_only') = 'on' THEN
        RETURN;
    END IF;
    INSERT INTO cognifold.audit_read (tenant_id, audit_id, read_at, role_name, login_name, verb, digest, question, node_ids)
    VALUES (tenant, cognifold.new_id(), clock_timestamp(), cognifold.effective_role(), session_user, verb,
            sha256(convert_to(question, 'UTF8')), CASE WHEN wanted >= 2 THEN question END, coalesce(node_ids, '{}'));
END
$$;
COMMENT ON FUNCTION cognifold.note_read(text, text, text, uuid[]) IS
    'Writes a row of audit_read where the setting audit.reads is on: with 1 a digest of the question, with 2 the question, too. Writes nothing in a read-only transaction, as on a standby. Internal: the reading verbs call it last.';
