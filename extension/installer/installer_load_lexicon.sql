-- installer_load_lexicon fills the lexicon unless it is there; true if it did. The numbers come out as load.py's, bit for bit.
CREATE OR REPLACE FUNCTION cognifold.installer_load_lexicon() RETURNS boolean
LANGUAGE plpgsql
AS $$
DECLARE
    mine jsonb := cognifold.installer_release() -> 'lexicon';
    smoothing double precision := (mine ->> 'smoothing')::double precision;
    origin integer := (mine ->> 'origin')::integer;
    last_component integer := (mine ->> 'dimensions')::integer - 1;
    lines text;
    there text;
BEGIN
    LOCK TABLE cognifold.lexicon_release IN SHARE ROW EXCLUSIVE MODE;
    SELECT r.checksum INTO there FROM cognifold.lexicon_release AS r;
    IF there = mine ->> 'checksum' THEN
        RETURN false;
    ELSIF there IS NOT NULL THEN
        RAISE EXCEPTION 'The database holds the lexicon %, this version ships %: their vectors can''t be compared.', left(there, 12), left(mine ->> 'checksum', 12)
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  HINT = 'Keep the version that loaded it; or empty cognifold.lexicon and cognifold.lexicon_release, call migrate() and embed every text again.';
    END IF;
    lines := cognifold.installer_lexicon();
    IF encode(sha256(convert_to(lines, 'UTF8')), 'hex') <> mine ->> 'text_sha256' THEN
        RAISE EXCEPTION 'The lexicon in the extension''s script is damaged: its checksum is not %.', mine ->> 'text_sha256'
            USING ERRCODE = 'data_corrupted', HINT = 'Build the extension anew and install its files again.';
    END IF;
    INSERT INTO cognifold.lexicon (word, frequency, document_weight, document_vector)
    SELECT w.word, w.frequency, w.weight,
           ARRAY(SELECT (get_byte(w.grid, generate_series(0, last_component)) - origin)::real / w.length * w.weight)
    FROM (
        SELECT f.cells[1] AS word,
               f.cells[2]::real AS frequency,
               (smoothing / (smoothing + f.cells[2]::real::double precision))::real AS weight,
               sqrt(f.cells[3]::double precision)::real AS length,
               convert_to(f.cells[4], 'UTF8') AS grid
        FROM (SELECT string_to_array(string_to_table(lines, E'\n'), E'\t') AS cells) AS f
        OFFSET 0  -- a word's cells are read once, not once for each component
    ) AS w;
    INSERT INTO cognifold.lexicon_release (checksum, word_count, smoothing, unknown_frequency, loaded_at)
    VALUES (mine ->> 'checksum', (mine ->> 'words')::integer, smoothing, (mine ->> 'unknown_frequency')::double precision, clock_timestamp());
    ANALYZE cognifold.lexicon;
    RETURN true;
END
$$;

COMMENT ON FUNCTION cognifold.installer_load_lexicon() IS
    'Fills cognifold.lexicon from installer_lexicon() unless that release is there already; true if it did. Raises where another release is there. For migrate. A member of the extension.';
