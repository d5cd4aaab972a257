-- deadline_moment: when a deadline is, of one that recurs the next time.
CREATE OR REPLACE FUNCTION cognifold.deadline_moment(
    metadata jsonb, occurred_at timestamptz, "precision" text, zone text, clock timestamptz
) RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT CASE WHEN metadata ? 'recurrence' AND occurred_at < clock THEN coalesce(
                    -- A day is ahead until it ends.
                    (SELECT t.moment FROM cognifold.recurring_times(
                         metadata ->> 'recurrence', occurred_at, zone,
                         clock - (cognifold.precision_end('epoch', "precision") - timestamptz 'epoch') + interval '1 microsecond', 1) AS t),
                    occurred_at)
                ELSE occurred_at END
$$;
COMMENT ON FUNCTION cognifold.deadline_moment(jsonb, timestamptz, text, text, timestamptz) IS
    'The moment of a time node as the deadline of an edge with this metadata: its own; where the edge has a "recurrence", the first at clock or after, or that is not over then, and the node''s own again when there is none. Internal.';
