-- lexical_faults: where the lexical statistics and the texts that are indexed differ.
CREATE OR REPLACE FUNCTION cognifold.lexical_faults(tenant text) RETURNS TABLE (invariant text, subject text, detail text)
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
BEGIN
    RETURN QUERY
    SELECT 'a lexeme''s document count is the number of its events', coalesce(f.lexeme, p.lexeme),
           format('kept %s, counted %s', coalesce(f.document_count, 0), coalesce(p.documents, 0))
    FROM (SELECT f.lexeme, f.document_count FROM cognifold.lexeme_frequency AS f WHERE f.tenant_id = tenant) AS f
    FULL JOIN (SELECT p.lexeme, count(*) AS documents FROM cognifold.posting AS p
               WHERE p.tenant_id = tenant AND p.kind = 'event' GROUP BY p.lexeme) AS p ON p.lexeme = f.lexeme
    WHERE coalesce(f.document_count, 0) <> coalesce(p.documents, 0)
    UNION ALL
    SELECT 'the lexical statistics count the indexed events', tenant,
           format('kept %s texts of length %s, counted %s of %s', s.document_count, s.total_length, d.number, d.total)
    FROM cognifold.lexical_statistics AS s
    CROSS JOIN (
        SELECT count(*) AS number, coalesce(sum(d.length), 0) AS total
        FROM cognifold.lexical_document AS d
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = d.node_id AND n.kind = 'event'
        WHERE d.tenant_id = tenant
    ) AS d
    WHERE s.tenant_id = tenant AND (s.document_count, s.total_length) IS DISTINCT FROM (d.number, d.total)
    UNION ALL
    SELECT 'a folded event is indexed', n.id::text, n.title
    FROM cognifold.folded_event AS f
    JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = f.event_id
    WHERE f.tenant_id = tenant
      AND NOT EXISTS (SELECT FROM cognifold.lexical_document AS d WHERE d.tenant_id = tenant AND d.node_id = n.id);
END
$$;
COMMENT ON FUNCTION cognifold.lexical_faults(text) IS
    'Document counts and lengths that are not those of the indexed events, and folded events without an index. Internal: for check.';
