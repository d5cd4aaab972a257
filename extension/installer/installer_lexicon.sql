-- installer_lexicon gives the word vectors of the default embedder, a line a word, as installer_load_lexicon reads them.
CREATE OR REPLACE FUNCTION cognifold.installer_lexicon() RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $cognifold_embedded$ SELECT $cognifold_lexicon$@LEXICON@$cognifold_lexicon$ $cognifold_embedded$;

COMMENT ON FUNCTION cognifold.installer_lexicon() IS
    'The word vectors as text: a line a word, with tabs between word, frequency (share of all words of English), the sum of squares of its vector on the grid, and the vector, a letter a component: origin (installer_release) is zero, the next letter one step more. Attribution: CC BY-SA 4.0, cognifold_pg/lexicon/ATTRIBUTION.md. A member of the extension.';
