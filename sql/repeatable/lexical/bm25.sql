-- bm25: what one lexeme of a question adds to a text's score.
CREATE OR REPLACE FUNCTION cognifold.bm25(
    rarity double precision, frequency double precision, document_length double precision, mean_length double precision,
    k1 double precision, b double precision
) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
-- No SET clause: the planner inlines it.
RETURN rarity * frequency * (k1 + 1) / (frequency + k1 * (1 - b + b * document_length / mean_length));
COMMENT ON FUNCTION cognifold.bm25(double precision, double precision, double precision, double precision, double precision, double precision) IS
    'rarity * f (k1 + 1) / (f + k1 (1 - b + b length / mean length)): BM25 of one lexeme (Robertson and Zaragoza 2009). Internal.';
