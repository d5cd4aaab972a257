-- installer_affect gives what the words feel like, a line a word: word, valence, arousal.
CREATE OR REPLACE FUNCTION cognifold.installer_affect() RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $cognifold_embedded$ SELECT $cognifold_affect$@AFFECT@$cognifold_affect$ $cognifold_embedded$;

COMMENT ON FUNCTION cognifold.installer_affect() IS
    'The scores of words for affect as text: a line a word, with tabs between word, valence, arousal. Attribution: CC BY-SA 4.0, cognifold_pg/lexicon/ATTRIBUTION.md. A member of the extension.';
