-- Recall: what a question is narrowed to, and what recall reads and learns from.
--
--   narrowing   what a recall is narrowed to, as one value that every stage is handed

------------------------------------------------------------------------------------------------ questions
CREATE TYPE cognifold.narrowing AS (
    kinds          text[],
    since          timestamptz,
    until          timestamptz,
    as_of          timestamptz,
    known_at       timestamptz,
    actors         text[],
    sources        text[],
    memory_types   text[],
    privacy_levels text[],
    narrowed       boolean
);
COMMENT ON TYPE cognifold.narrowing IS 'What a recall is narrowed to: since <= occurred_at < until, occurred_at <= as_of, recorded_at <= known_at, and each of the others among those listed; NULL narrows nothing. kinds is always set; narrowed tells whether anything else is.';
