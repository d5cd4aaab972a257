-- impact: what a lexeme contributes to its text's BM25, rarity aside, from 0 to 255: the order in which postings are read.
CREATE OR REPLACE FUNCTION cognifold.impact(
    frequency integer, length integer, usual_length double precision, k1 double precision, b double precision
) RETURNS smallint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
-- No SET clause: it is inlined where an event's postings are written.
RETURN (255 * frequency / (frequency + k1 * (1 - b + b * length / usual_length)))::smallint;
COMMENT ON FUNCTION cognifold.impact(integer, integer, double precision, double precision, double precision) IS
    'round(255 * f / (f + k1 * (1 - b + b * length / usual_length))): BM25''s saturated frequency (Robertson and Zaragoza 2009), of a fixed mean length, so that it need not be written anew as a memory grows. Internal.';
