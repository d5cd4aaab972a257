-- hold_deliveries: makes sure that deliveries are still under a fence, to the end of the transaction.
CREATE OR REPLACE FUNCTION cognifold.hold_deliveries(tenant text, consumer text, positions bigint[], fence bigint) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    known cognifold.outbox_consumer := cognifold.known_consumer(tenant, consumer);
    lost  record;
BEGIN
    IF coalesce(cardinality(positions), 0) = 0 OR array_position(positions, NULL) IS NOT NULL OR hold_deliveries.fence IS NULL THEN
        RAISE EXCEPTION 'deliveries are given by their positions and their fence, not by % and %',
            coalesce(positions::text, 'NULL'), coalesce(hold_deliveries.fence::text, 'NULL')
            USING ERRCODE = 'CF010', HINT = 'take_deliveries returns both.';
    END IF;
    PERFORM FROM cognifold.delivery AS d
    WHERE d.tenant_id = hold_deliveries.tenant AND d.consumer = known.name AND d.position = ANY (positions)
    ORDER BY d.position
    FOR UPDATE;
    SELECT p.position, d.state, d.fence, d.lease_until, d.worker INTO lost
    FROM unnest(positions) AS p (position)
    LEFT JOIN cognifold.delivery AS d ON d.tenant_id = hold_deliveries.tenant AND d.consumer = known.name AND d.position = p.position
    WHERE d.fence IS DISTINCT FROM hold_deliveries.fence
    ORDER BY p.position
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'delivery % of consumer "%" is not under fence % any more: %', lost.position, known.name, hold_deliveries.fence,
            CASE WHEN lost.fence IS NOT NULL THEN format('%s has it with fence %s until %s', lost.worker, lost.fence, lost.lease_until)
                 WHEN lost.state IS NOT NULL THEN format('nobody has it, its state is %s', lost.state)
                 ELSE 'it is acknowledged, or was never handed out' END
            USING ERRCODE = 'CF030', HINT = 'Nothing was changed. Go on with what take_deliveries gives; make the lease (setting delivery.lease) longer than a batch takes.';
    END IF;
END
$$;
COMMENT ON FUNCTION cognifold.hold_deliveries(text, text, bigint[], bigint) IS
    'Raises CF030, naming the delivery and who has it now, unless all are under this fence; a lease that has lapsed is good as long as nobody else was given the delivery. Internal.';
