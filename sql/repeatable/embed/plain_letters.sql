-- plain_letters: a text with its letters in their plain form: decomposed, without accents, apostrophes straight, in lower
-- case as far as that is not ASCII's (words does the rest). Independent of locale and of the version of Unicode.
CREATE OR REPLACE FUNCTION cognifold.plain_letters(text text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
SET search_path FROM CURRENT
AS $$
    -- Innermost first: blocks whose decomposition may still change become spaces; decompose; drop accents and joiners;
    -- map apostrophes and capitals; set each ideograph apart, as a word of its own.
    SELECT regexp_replace(translate(regexp_replace(normalize(regexp_replace(text,
        '[\u0870-\u08ff\u0c5c\u0c5d\u0ece\u1ab0-\u1aff\u1c80-\u1c8f\ua7c0-\ua7ff\ud800-\uf8ff'
        '\U00010000-\U0001d3ff\U0001d800-\U0001ffff\U00040000-\U0010ffff]', ' ', 'g'), NFKD),
        '[\u00ad\u200c\u200d\u2060\ufeff\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u3099\u309a]', '', 'g'),
        '‘’ʻʼ'
        'ÆÐØÞĐĦŁŊŒŦƏΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯҐҒҖҚҢҮҰҲҶҺӘӨ'
        'ԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ',
        ''''''''''
        'æðøþđħłŋœŧəαβγδεζηθικλμνξοπρστυφχψωђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяґғҗқңүұҳҷһәө'
        'աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ'),
        '([\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff])', ' \1 ', 'g')
$$;
COMMENT ON FUNCTION cognifold.plain_letters(text) IS
    'NFKD without accents, straight apostrophes, lower case beyond ASCII, ideographs set apart: the first half of words, for texts that are not plain ASCII. Internal.';
