-- posted_texts: of the texts that bounded heads of a question's posting lists hold, those that promise most, best first.
--
-- A word whose list is read whole counts as BM25 counts it. Of a word whose list is cut, the signature of the text tells
-- whether it may stand there; then it is taken to stand there once. Where no list is cut, the promise is the score.
CREATE OR REPLACE FUNCTION cognifold.posted_texts(
    tenant text, lexemes text[], rarities double precision[], limits integer[], whole boolean[], mean_length double precision,
    k1 double precision, b double precision, narrow cognifold.narrowing, number integer
) RETURNS TABLE (node_id uuid, promise double precision)
LANGUAGE plpgsql STABLE ROWS 100
SET search_path FROM CURRENT
-- Planned once, on whatever the memory holds then: it looks rows up by their keys, and can only do that.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_mergejoin = off
SET jit = off
AS $$
#variable_conflict use_variable
DECLARE
    base       double precision := 1 + k1 * (1 - b);
    per_length double precision := k1 * b / mean_length;
    bound      integer := CASE WHEN NOT (narrow).narrowed THEN number END;  -- the sort keeps no more
    cut        integer := cardinality(array_positions(whole, false));
    -- The bits and rarities of the eight rarest words whose lists are cut; variables of their own, for they are read once a
    -- posting. More of them move a promise little, and count when a text is scored.
    p1 integer; p2 integer; p3 integer; p4 integer; p5 integer; p6 integer; p7 integer; p8 integer;
    r1 double precision; r2 double precision; r3 double precision; r4 double precision;
    r5 double precision; r6 double precision; r7 double precision; r8 double precision;
BEGIN
    IF cut > 0 THEN
        SELECT q.p[1], coalesce(q.p[2], 0), coalesce(q.p[3], 0), coalesce(q.p[4], 0), coalesce(q.p[5], 0), coalesce(q.p[6], 0), coalesce(q.p[7], 0), coalesce(q.p[8], 0),
               q.r[1], coalesce(q.r[2], 0), coalesce(q.r[3], 0), coalesce(q.r[4], 0), coalesce(q.r[5], 0), coalesce(q.r[6], 0), coalesce(q.r[7], 0), coalesce(q.r[8], 0)
        INTO p1, p2, p3, p4, p5, p6, p7, p8, r1, r2, r3, r4, r5, r6, r7, r8
        FROM (SELECT array_agg(cognifold.signature_bit(q.lexeme) ORDER BY q.place) AS p, array_agg(q.rarity ORDER BY q.place) AS r
              FROM unnest(lexemes, rarities, whole) WITH ORDINALITY AS q (lexeme, rarity, whole, place) WHERE NOT q.whole) AS q;
    END IF;
    RETURN QUERY
    SELECT t.node_id, t.promise
    FROM (
        SELECT p.node_id,
               sum(CASE WHEN q.whole THEN cognifold.bm25(q.rarity, p.frequency, p.document_length, mean_length, k1, b)
                        WHEN p.frequency = 1 THEN 0
                        ELSE cognifold.bm25(q.rarity, p.frequency, p.document_length, mean_length, k1, b)
                             - cognifold.bm25(q.rarity, 1, p.document_length, mean_length, k1, b) END)
               + CASE WHEN cut = 0 THEN 0 ELSE
                 max((get_bit(p.signature, p1) * r1
                      + CASE WHEN cut < 2 THEN 0 ELSE get_bit(p.signature, p2) * r2 + get_bit(p.signature, p3) * r3 + get_bit(p.signature, p4) * r4 END
                      + CASE WHEN cut < 5 THEN 0 ELSE get_bit(p.signature, p5) * r5 + get_bit(p.signature, p6) * r6
                                                    + get_bit(p.signature, p7) * r7 + get_bit(p.signature, p8) * r8 END)
                     * (k1 + 1) / (base + per_length * p.document_length)) END AS promise
        FROM unnest(lexemes, rarities, limits, whole) AS q (lexeme, rarity, row_limit, whole)
        CROSS JOIN unnest((narrow).kinds) AS k (kind)
        CROSS JOIN LATERAL (
            SELECT p.node_id, p.frequency, p.document_length, p.signature
            FROM cognifold.posting AS p
            WHERE p.tenant_id = tenant AND p.lexeme = q.lexeme AND p.kind = k.kind
            ORDER BY p.impact DESC, p.node_id DESC
            LIMIT q.row_limit
        ) AS p
        GROUP BY p.node_id
        ORDER BY promise DESC, p.node_id DESC
        LIMIT bound
    ) AS t
    WHERE NOT (narrow).narrowed OR EXISTS (
        SELECT FROM cognifold.node AS n
        WHERE n.tenant_id = tenant AND n.id = t.node_id
          AND cognifold.is_asked_for(n.occurred_at, n.actor, n.source, n.recorded_at, n.memory_type, n.privacy_level, narrow))
    LIMIT number;
END
$$;
COMMENT ON FUNCTION cognifold.posted_texts(
    text, text[], double precision[], integer[], boolean[], double precision, double precision, double precision, cognifold.narrowing, integer) IS
    'Up to number texts within the narrowing and what they promise, read from at most limits postings a lexeme and kind; whole says of which lexemes that is all. Internal: near_words calls it.';
