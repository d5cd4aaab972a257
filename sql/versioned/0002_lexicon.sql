-- The lexicon: a word -> vector table, from which SQL alone embeds a text. Shared by all tenants; loaded at install.
CREATE TABLE cognifold.lexicon (
    word            text COLLATE "C" PRIMARY KEY,
    frequency       real NOT NULL CHECK (frequency > 0 AND frequency <= 1),
    document_weight real NOT NULL CHECK (document_weight > 0 AND document_weight <= 1),
    document_vector halfvec(256) NOT NULL
);
COMMENT ON TABLE cognifold.lexicon IS 'The default embedder: a vector for each frequent word of English and each word piece of MiniLM (how it was made: cognifold_pg/lexicon/ATTRIBUTION.md). Read by embed, written by load_lexicon at install.';
COMMENT ON COLUMN cognifold.lexicon.word IS 'A word as cognifold.words spells it, or the continuation of a word, written ##ing.';
COMMENT ON COLUMN cognifold.lexicon.frequency IS 'Share of all words of English that is this one, (0, 1]; source: wordfreq.';
COMMENT ON COLUMN cognifold.lexicon.document_weight IS 'What the word weighs in a document, (0, 1]: a / (a + frequency), a = lexicon_release.smoothing (Arora, Liang and Ma, 2017).';
COMMENT ON COLUMN cognifold.lexicon.document_vector IS 'The word''s vector times document_weight, so that a document is a plain sum; divided by document_weight it has length 1.';

CREATE TABLE cognifold.lexicon_release (
    checksum          text PRIMARY KEY CHECK (checksum ~ '^[0-9a-f]{64}$'),
    word_count        integer NOT NULL CHECK (word_count > 0),
    smoothing         double precision NOT NULL CHECK (smoothing > 0),
    unknown_frequency real NOT NULL CHECK (unknown_frequency > 0 AND unknown_frequency <= 1),
    loaded_at         timestamptz NOT NULL
);
CREATE UNIQUE INDEX lexicon_release_single ON cognifold.lexicon_release ((true));
COMMENT ON TABLE cognifold.lexicon_release IS 'Which data file the lexicon was loaded from: one row, or none before the first load. Vectors of two releases are never comparable.';
COMMENT ON COLUMN cognifold.lexicon_release.checksum IS 'SHA-256 of the data file, hexadecimal.';
COMMENT ON COLUMN cognifold.lexicon_release.word_count IS 'Rows of lexicon: words and pieces.';
COMMENT ON COLUMN cognifold.lexicon_release.smoothing IS 'The a of document_weight = a / (a + frequency).';
COMMENT ON COLUMN cognifold.lexicon_release.unknown_frequency IS 'The frequency taken for a word that is not listed, (0, 1].';
COMMENT ON COLUMN cognifold.lexicon_release.loaded_at IS 'When it was loaded (wall clock).';

-- How the words of English feel: what affect adds up. Loaded at install like the lexicon, and replaced by a newer fit.
CREATE TABLE cognifold.affect_word (
    word    text COLLATE "C" PRIMARY KEY,
    valence real NOT NULL,
    arousal real NOT NULL
);
COMMENT ON TABLE cognifold.affect_word IS 'What a word of the lexicon does to the affect of a text, fitted on EmoBank (how: cognifold_pg/lexicon/build_affect.py). Read by affect, written by load_affect at install.';
COMMENT ON COLUMN cognifold.affect_word.word IS 'A word as cognifold.words spells it.';
COMMENT ON COLUMN cognifold.affect_word.valence IS 'Its score, from bad (negative) to good (positive); unbounded, 0 is neutral.';
COMMENT ON COLUMN cognifold.affect_word.arousal IS 'Its score, from calm (negative) to exciting (positive); unbounded, 0 is ordinary.';

CREATE TABLE cognifold.affect_release (
    checksum        text PRIMARY KEY CHECK (checksum ~ '^[0-9a-f]{64}$'),
    word_count      integer NOT NULL CHECK (word_count > 0),
    valence_weights double precision[] NOT NULL CHECK (array_length(valence_weights, 1) = 10),
    arousal_weights double precision[] NOT NULL CHECK (array_length(arousal_weights, 1) = 10),
    neutral         double precision NOT NULL CHECK (neutral BETWEEN 0 AND 1),
    mixed           double precision NOT NULL CHECK (mixed > 0),
    loaded_at       timestamptz NOT NULL
);
CREATE UNIQUE INDEX affect_release_single ON cognifold.affect_release ((true));
COMMENT ON TABLE cognifold.affect_release IS 'Which data file affect_word was loaded from, and the weights that go with it: one row.';
COMMENT ON COLUMN cognifold.affect_release.checksum IS 'SHA-256 of the data file, hexadecimal.';
COMMENT ON COLUMN cognifold.affect_release.word_count IS 'Rows of affect_word.';
COMMENT ON COLUMN cognifold.affect_release.valence_weights IS 'What affect''s features weigh for valence, in rating points: one, mean, highest and lowest valence of the words, the same of their arousal, length, exclamation marks, question marks.';
COMMENT ON COLUMN cognifold.affect_release.arousal_weights IS 'The same for arousal.';
COMMENT ON COLUMN cognifold.affect_release.neutral IS 'A text whose emotional weight is nearer to 0 than this is neutral, [0, 1].';
COMMENT ON COLUMN cognifold.affect_release.mixed IS 'A text with a word of at least this valence, and one of at most minus this, is mixed unless one side wins.';
COMMENT ON COLUMN cognifold.affect_release.loaded_at IS 'When it was loaded (wall clock).';
