-- The constants of the query role; the document role has none, so that all that is stored stays comparable.
INSERT INTO cognifold.setting_default AS d (name, value, minimum, maximum, unit, description, source) VALUES
    ('embed.prior_documents', 100, 0.001, 1000000, 'documents', 'n0: how many documents of ordinary English a tenant''s own word statistics are mixed with.', 'this project'),
    ('embed.minimum_rarity', 0.001, 0.000001, 10, 'nats', 'A question''s word weighs at least this, even one that stands in every document.', 'this project')
ON CONFLICT (name) DO UPDATE
    SET value = excluded.value, minimum = excluded.minimum, maximum = excluded.maximum,
        unit = excluded.unit, description = excluded.description, source = excluded.source
    WHERE (d.value, d.minimum, d.maximum, d.unit, d.description, d.source)
          IS DISTINCT FROM (excluded.value, excluded.minimum, excluded.maximum, excluded.unit, excluded.description, excluded.source);
