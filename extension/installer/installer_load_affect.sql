-- installer_load_affect fills the scores of words for affect unless this fit is there; true if it did. Another fit is replaced.
CREATE OR REPLACE FUNCTION cognifold.installer_load_affect() RETURNS boolean
LANGUAGE plpgsql
AS $$
DECLARE
    mine jsonb := cognifold.installer_release() -> 'affect';
    lines text;
BEGIN
    LOCK TABLE cognifold.affect_release IN SHARE ROW EXCLUSIVE MODE;
    IF EXISTS (SELECT FROM cognifold.affect_release AS r WHERE r.checksum = mine ->> 'checksum') THEN
        RETURN false;
    END IF;
    lines := cognifold.installer_affect();
    IF encode(sha256(convert_to(lines, 'UTF8')), 'hex') <> mine ->> 'text_sha256' THEN
        RAISE EXCEPTION 'The scores of words in the extension''s script are damaged: their checksum is not %.', mine ->> 'text_sha256'
            USING ERRCODE = 'data_corrupted', HINT = 'Build the extension anew and install its files again.';
    END IF;
    DELETE FROM cognifold.affect_word;
    DELETE FROM cognifold.affect_release;
    INSERT INTO cognifold.affect_word (word, valence, arousal)
    SELECT f.cells[1], f.cells[2]::real, f.cells[3]::real
    FROM (SELECT string_to_array(string_to_table(lines, E'\n'), E'\t') AS cells) AS f;
    INSERT INTO cognifold.affect_release (checksum, word_count, valence_weights, arousal_weights, neutral, mixed, loaded_at)
    VALUES (
        mine ->> 'checksum', (mine ->> 'words')::integer,
        ARRAY(SELECT w.value::double precision FROM jsonb_array_elements_text(mine -> 'valence_weights') WITH ORDINALITY AS w (value, place) ORDER BY w.place),
        ARRAY(SELECT w.value::double precision FROM jsonb_array_elements_text(mine -> 'arousal_weights') WITH ORDINALITY AS w (value, place) ORDER BY w.place),
        (mine ->> 'neutral')::double precision, (mine ->> 'mixed')::double precision, clock_timestamp());
    ANALYZE cognifold.affect_word;
    RETURN true;
END
$$;

COMMENT ON FUNCTION cognifold.installer_load_affect() IS
    'Fills cognifold.affect_word from installer_affect() unless that fit is there already; true if it did. For migrate. A member of the extension.';
