-- affect: how a text feels, from its words and a few marks of its surface; no language model, one look-up of its words.
CREATE OR REPLACE FUNCTION cognifold.affect(content text)
RETURNS TABLE (emotional_weight double precision, valence text, arousal double precision)
LANGUAGE sql STABLE PARALLEL SAFE ROWS 1
AS $$
    -- No SET clause and every name qualified: the planner inlines it into what remembers, where it should cost little.
    SELECT CASE WHEN f.words = 0 THEN 0 ELSE felt.emotional_weight END,
           CASE WHEN f.words = 0 THEN 'neutral'
                WHEN f.best >= r.mixed AND f.worst <= -r.mixed AND pg_catalog.abs(felt.emotional_weight) < 2 * r.neutral THEN 'mixed'
                WHEN felt.emotional_weight >= r.neutral THEN 'positive'
                WHEN felt.emotional_weight <= -r.neutral THEN 'negative'
                ELSE 'neutral' END,
           CASE WHEN f.words = 0 THEN 0.5 ELSE felt.arousal END
    FROM (
        SELECT b.beginning, pg_catalog.ln(1 + least(b.length, 400)) AS length,
               least(b.length - pg_catalog.length(pg_catalog.replace(b.beginning, '!', '')), 3) AS exclamations,
               least(b.length - pg_catalog.length(pg_catalog.replace(b.beginning, '?', '')), 2) AS questions
        FROM (SELECT t.beginning, pg_catalog.length(t.beginning) AS length
              FROM (SELECT pg_catalog."left"(affect.content, 2000) AS beginning) AS t) AS b
        OFFSET 0
    ) AS c
    CROSS JOIN LATERAL (
        SELECT pg_catalog.count(*) AS words, pg_catalog.sum(a.valence) AS valence, pg_catalog.max(a.valence) AS best, pg_catalog.min(a.valence) AS worst,
               pg_catalog.sum(a.arousal) AS arousal, pg_catalog.max(a.arousal) AS wildest, pg_catalog.min(a.arousal) AS calmest
        FROM cognifold.affect_word AS a
        WHERE a.word = ANY (
            -- Plain ASCII is parted in one go, as words would part it: at half the cost.
            CASE WHEN pg_catalog.octet_length(c.beginning) = pg_catalog.length(c.beginning)
                 THEN pg_catalog.string_to_array(pg_catalog.regexp_replace(pg_catalog.lower((' ' || c.beginning || ' ') COLLATE "C"),
                          '''*(?:''s)?''*[^a-z0-9'']+''*', ' ', 'g'), ' ')
                 ELSE ARRAY(SELECT w.word FROM cognifold.words(c.beginning) AS w) END)
    ) AS f
    LEFT JOIN cognifold.affect_release AS r ON true
    CROSS JOIN LATERAL (
        -- In the order of FEATURES in cognifold_pg/lexicon/affect.py, where they are read. Four words more than there are,
        -- neutral ones: a text of few words is nearer to neutral than their mean.
        SELECT greatest(-1, least(1, (r.valence_weights[1] + r.valence_weights[2] * f.valence / (f.words + 4) + r.valence_weights[3] * f.best + r.valence_weights[4] * f.worst +
                    r.valence_weights[5] * f.arousal / (f.words + 4) + r.valence_weights[6] * f.wildest + r.valence_weights[7] * f.calmest +
                    r.valence_weights[8] * c.length + r.valence_weights[9] * c.exclamations + r.valence_weights[10] * c.questions) / 2)) AS emotional_weight,
               greatest(0, least(1, 0.5 + (r.arousal_weights[1] + r.arousal_weights[2] * f.valence / (f.words + 4) + r.arousal_weights[3] * f.best + r.arousal_weights[4] * f.worst +
                    r.arousal_weights[5] * f.arousal / (f.words + 4) + r.arousal_weights[6] * f.wildest + r.arousal_weights[7] * f.calmest +
                    r.arousal_weights[8] * c.length + r.arousal_weights[9] * c.exclamations + r.arousal_weights[10] * c.questions) / 4)) AS arousal
        OFFSET 0   -- or each would be reckoned wherever it is named
    ) AS felt
$$;
COMMENT ON FUNCTION cognifold.affect(text) IS
    'How a text in English feels, as people would rate it (fitted on EmoBank, whose ratings go from 1 to 5): emotional_weight = (valence - 3) / 2 in [-1, 1], 0 being neutral; arousal = (arousal - 1) / 4 in [0, 1], 0.5 being an ordinary sentence; valence positive or negative from affect_release.neutral on, else neutral, and mixed where words beyond affect_release.mixed pull both ways and neither side wins by twice neutral. The rating to be expected of a sentence is seldom extreme, so most weights are small. Reads the first 2,000 characters; a text without a listed word is (0, neutral, 0.5).';
