-- wilson_bound: how large a share surely is, judged by so many of so many: the confidence of every insight.
CREATE OR REPLACE FUNCTION cognifold.wilson_bound(held integer, total integer) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
-- No SET clause: the planner inlines it. z = 1.96: 95 %.
AS $$
    SELECT CASE WHEN total <= 0 THEN 0
                ELSE greatest(0, (p + 1.9208 / total - 1.96 * pg_catalog.sqrt(p * (1 - p) / total + 0.9604 / total / total)) / (1 + 3.8416 / total)) END
    FROM (SELECT held::double precision / NULLIF(total, 0) AS p) AS s
$$;
COMMENT ON FUNCTION cognifold.wilson_bound(integer, integer) IS
    'The lower end of the 95 % Wilson interval of a share, held of total: grows with consistency and with amount, in [0, 1). The confidence of an insight.';
