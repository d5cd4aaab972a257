-- acknowledge: a consumer has dealt with what it was handed.
CREATE OR REPLACE FUNCTION cognifold.acknowledge(
    consumer text, positions bigint[], fence bigint, tenant text DEFAULT cognifold.required_tenant()
) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    done     bigint;
BEGIN
    PERFORM cognifold.hold_deliveries(tenant, consumer, positions, fence);
    DELETE FROM cognifold.delivery AS d
    WHERE d.tenant_id = acknowledge.tenant AND d.consumer = acknowledge.consumer AND d.position = ANY (positions);
    GET DIAGNOSTICS done = ROW_COUNT;
    PERFORM cognifold.leave_tenant(previous);
    RETURN done;
END
$$;
COMMENT ON FUNCTION cognifold.acknowledge(text, bigint[], bigint, text) IS
    'Acknowledges deliveries that were handed out under fence: they are not handed out again, and what follows of their intents may be. All or none: CF030 where one is not under this fence any more, because its lease has lapsed and it was given to another, or it is acknowledged already. So what a consumer writes in the same transaction takes effect exactly once. Returns how many.';
