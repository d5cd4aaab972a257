-- hold_claim: takes the tenant's turn and makes sure that a claim is still good, to the end of the transaction.
CREATE OR REPLACE FUNCTION cognifold.hold_claim(tenant text, event_ids uuid[], fence bigint) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    lost record;
BEGIN
    IF coalesce(cardinality(event_ids), 0) = 0 OR array_position(event_ids, NULL) IS NOT NULL OR hold_claim.fence IS NULL THEN
        RAISE EXCEPTION 'a claim is given by its events and its fence, not by % and %',
            coalesce(event_ids::text, 'NULL'), coalesce(hold_claim.fence::text, 'NULL')
            USING ERRCODE = 'CF010', HINT = 'claim_folds returns both.';
    ELSIF cardinality(event_ids) > (SELECT count(DISTINCT e.id) FROM unnest(event_ids) AS e (id)) THEN
        RAISE EXCEPTION 'an event is named more than once in %', event_ids
            USING ERRCODE = 'CF010', HINT = 'Name each event of the claim once.';
    END IF;
    -- The turn first, then the rows, as fold does: two that fold never wait for each other both.
    PERFORM cognifold.take_turn(tenant);
    PERFORM FROM cognifold.work AS w
    WHERE w.tenant_id = hold_claim.tenant AND w.task = 'fold' AND w.node_id = ANY (event_ids)
    ORDER BY w.node_id
    FOR UPDATE;
    SELECT e.id, w.state, w.fence, w.lease_until, w.worker, f.plan_id INTO lost
    FROM unnest(event_ids) WITH ORDINALITY AS e (id, place)
    LEFT JOIN cognifold.work AS w ON w.tenant_id = hold_claim.tenant AND w.task = 'fold' AND w.node_id = e.id
    LEFT JOIN cognifold.folded_event AS f ON f.tenant_id = hold_claim.tenant AND f.event_id = e.id
    WHERE w.fence IS DISTINCT FROM hold_claim.fence
    ORDER BY e.place
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'event % is not claimed with fence % any more: %', lost.id, hold_claim.fence,
            CASE WHEN lost.fence IS NOT NULL THEN format('%s has it with fence %s until %s', lost.worker, lost.fence, lost.lease_until)
                 WHEN lost.state IS NOT NULL THEN format('nobody has it, its state is %s', lost.state)
                 WHEN lost.plan_id IS NOT NULL THEN format('it was folded by plan %s', lost.plan_id)
                 ELSE 'it does not wait to be folded' END
            USING ERRCODE = 'CF024', HINT = 'Nothing was changed. Claim anew, and make the lease (setting fold.lease) longer than a batch takes.';
    END IF;
END
$$;
COMMENT ON FUNCTION cognifold.hold_claim(text, uuid[], bigint) IS
    'Raises CF024, naming the event and who has it now, unless every event is under this fence; a lease that has lapsed is good as long as nobody else has taken the event up. Internal.';
