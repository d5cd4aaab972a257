-- mne_score: how much a memory counts: its likeness, raised by emotion, recency, use and integration.
CREATE OR REPLACE FUNCTION cognifold.mne_score(
    cosine double precision, emotional_weight double precision, age_seconds double precision,
    access_count bigint, integration_score double precision
) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN GREATEST(cosine, 0)
     * (1 + 0.5 * ABS(emotional_weight))
     * (0.3 * EXP(-LEAST(GREATEST(age_seconds, 0) / 86400, 700)) + 0.7)
     * (1 + 0.1 * LN(1 + GREATEST(access_count, 0)::double precision))
     * (1 + 0.2 * integration_score);
COMMENT ON FUNCTION cognifold.mne_score(double precision, double precision, double precision, bigint, double precision) IS
    'greatest(cosine, 0) * (1 + .5 |emotional_weight|) * (.3 exp(-age in days) + .7) * (1 + .1 ln(1 + access_count)) * (1 + .2 integration_score): the retrieval score of MNE (NeoCortex-M), age clamped to [0, 700] days.';
