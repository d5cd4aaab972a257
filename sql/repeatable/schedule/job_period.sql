-- job_period: the period a moment lies in: when it began.
CREATE OR REPLACE FUNCTION cognifold.job_period(tenant text, job text, moment timestamptz, every interval, jitter interval) RETURNS timestamptz
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    SELECT date_bin(job_period.every, job_period.moment,
                    '2000-01-01 00:00:00+00'::timestamptz
                    + least(job_period.jitter, job_period.every) * (get_byte(sha256(convert_to(format('%s %s', job_period.tenant, job_period.job), 'UTF8')), 0) / 256.0))
$$;
COMMENT ON FUNCTION cognifold.job_period(text, text, timestamptz, interval, interval) IS
    'When the period began that the moment lies in. Periods of one length lie side by side from 2000-01-01 UTC on, shifted by a share of jitter that follows from the names alone. Internal.';
