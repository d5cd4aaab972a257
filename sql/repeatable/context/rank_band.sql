-- rank_band: which step of 3 % a rank stands on: what the order by rank goes by where it must not cost.
CREATE OR REPLACE FUNCTION cognifold.rank_band(rank double precision) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN FLOOR(32 * LN(GREATEST(rank, 1)))::integer;
COMMENT ON FUNCTION cognifold.rank_band(double precision) IS 'floor(32 ln rank), as the column band of node_rank. Internal.';
