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
