-- redeliver: dead letters get all their attempts anew; by position, what was acknowledged comes once more.
CREATE OR REPLACE FUNCTION cognifold.redeliver(
    consumer text, positions bigint[] DEFAULT NULL, tenant text DEFAULT cognifold.required_tenant()
) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    known    cognifold.outbox_consumer := cognifold.known_consumer(tenant, consumer);
    revived  bigint;
    repeated bigint;
BEGIN
    -- Nobody purges meanwhile what is to come once more.
    PERFORM FROM cognifold.outbox_consumer AS c WHERE c.tenant_id = redeliver.tenant AND c.name = known.name FOR KEY SHARE;
    UPDATE cognifold.delivery AS d
    SET state = 'ready', attempts = 0, not_before = '-infinity'
    WHERE d.tenant_id = redeliver.tenant AND d.consumer = known.name AND d.state = 'dead' AND (positions IS NULL OR d.position = ANY (positions));
    GET DIAGNOSTICS revived = ROW_COUNT;
    INSERT INTO cognifold.delivery (tenant_id, consumer, position, node_id)
    SELECT o.tenant_id, known.name, o.position, o.node_id
    FROM cognifold.outbox AS o
    WHERE o.tenant_id = redeliver.tenant AND o.position = ANY (positions)
      AND o.position <= (SELECT c.cursor_position FROM cognifold.outbox_consumer AS c WHERE c.tenant_id = redeliver.tenant AND c.name = known.name)
    ON CONFLICT ON CONSTRAINT delivery_pkey DO NOTHING;
    GET DIAGNOSTICS repeated = ROW_COUNT;
    PERFORM cognifold.leave_tenant(previous);
    RETURN revived + repeated;
END
$$;
COMMENT ON FUNCTION cognifold.redeliver(text, bigint[], text) IS
    'Has dead deliveries of a consumer handed out again, all or those at positions, with all attempts before them; at a position it has acknowledged, and that the outbox still holds, it is handed out once more. Before what follows of its intent and is not handed out yet; after what was meanwhile. Returns how many; CF031 for a consumer that there is not.';
