-- embed: the vector of a text by the lexicon, of length 1; NULL for a text without a word.
--
-- Each scalar subquery looks one word up by the primary key: a join would let the planner hash the whole lexicon for a
-- text of ten words. Sums are ordered, so that the same text gives the same bits.
CREATE OR REPLACE FUNCTION cognifold.embed(text text, role text DEFAULT 'document', tenant text DEFAULT NULL) RETURNS vector
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    documents double precision;
    prior     double precision;
    minimum   double precision;
    unlisted  double precision;
BEGIN
    IF role = 'document' THEN
        RETURN (
            SELECT l2_normalize(sum(coalesce((SELECT l.document_vector::vector FROM cognifold.lexicon AS l WHERE l.word = w.word),
                                             cognifold.composed_vector(w.word)) ORDER BY w.place))
            FROM cognifold.words(text) AS w
        );
    ELSIF role IS DISTINCT FROM 'query' THEN
        RAISE EXCEPTION 'embed: there is no role %', coalesce(quote_literal(role), 'NULL')
            USING ERRCODE = 'CF010', HINT = 'Use ''document'' for what is stored or compared, ''query'' for a question.';
    END IF;

    tenant := coalesce(tenant, cognifold.required_tenant());
    IF tenant <> cognifold.required_tenant() THEN
        RAISE EXCEPTION 'tenant "%" was given while "%" is set', tenant, cognifold.current_tenant()
            USING ERRCODE = 'CF004', HINT = 'A question is weighed by the statistics of the tenant that is set: leave the argument out.';
    END IF;
    prior := cognifold.setting('embed.prior_documents', tenant);
    minimum := cognifold.setting('embed.minimum_rarity', tenant);
    unlisted := (SELECT r.unknown_frequency FROM cognifold.lexicon_release AS r);
    documents := coalesce((SELECT s.document_count FROM cognifold.lexical_statistics AS s WHERE s.tenant_id = tenant), 0);
    RETURN (
        -- Stemmed beforehand: row-level security keeps a function that may leak out of an index condition.
        WITH asked AS MATERIALIZED (
            SELECT w.word, w.place, cognifold.lexeme(w.word) AS lexeme FROM cognifold.words(text) AS w
        )
        SELECT l2_normalize(sum(
                   coalesce(l.document_vector::vector, cognifold.composed_vector(w.word))
                   -- The document weight is taken out again and the word's rarity for this tenant put in.
                   * array_fill((greatest(minimum, ln((documents + prior) / (coalesce(f.document_count, 0)
                                                                            + prior * coalesce(l.frequency, unlisted))))
                                 / coalesce(l.document_weight, 1))::real, ARRAY[256])::vector
                   ORDER BY w.place))
        FROM asked AS w
        LEFT JOIN LATERAL (
            SELECT * FROM cognifold.lexicon AS l WHERE l.word = w.word LIMIT 1
        ) AS l ON true
        LEFT JOIN LATERAL (
            SELECT f.document_count FROM cognifold.lexeme_frequency AS f
            WHERE f.tenant_id = tenant AND f.lexeme = w.lexeme LIMIT 1
        ) AS f ON true
    );
END
$$;
COMMENT ON FUNCTION cognifold.embed(text, text, text) IS
    'The text''s vector by the lexicon, 256 dimensions, length 1; NULL for a text without a word. Role document (everything stored or compared with each other): sum of the word vectors, each weighted a / (a + frequency) (Arora, Liang and Ma, 2017). Role query (a question; never compared with another question): weighted by rarity ln((N + n0) / (df + n0 * frequency)), N and df being the documents of the tenant and those with the word, n0 = embed.prior_documents. Reads the first 20,000 characters.';
