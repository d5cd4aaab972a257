-- The models that come with the memory, with the thresholds that belong to each.
INSERT INTO cognifold.embedding_model AS m
    (model_id, name, provider, dimensions, reinforce, cluster, pair, merge, duplicate, complete, relate, usual, notes) VALUES
    (1, 'lexicon', 'lexicon', 256, 0.34, 0.24, 0.34, 0.85, 0.95, 0.35, 0.43, 0.12,
     'A table of word vectors in this database: needs no model server. Thresholds chosen on development data.'),
    (2, 'text-embedding-3-small', 'openai', 1536, 0.24, 0.22, 0.26, 0.85, 0.92, 0.35, 0.24, 0.10,
     'Thresholds for merging, duplicates and completion as in the CogniFold paper; those of affinity are the lexicon''s, not yet measured.'),
    (3, 'all-MiniLM-L6-v2', 'minilm', 384, 0.28, 0.28, 0.30, 0.85, 0.92, 0.35, 0.24, 0.10,
     'Runs in the client (extra minilm). Thresholds chosen on development data.')
ON CONFLICT (model_id) DO UPDATE
    SET reinforce = excluded.reinforce, cluster = excluded.cluster, pair = excluded.pair, merge = excluded.merge, duplicate = excluded.duplicate,
        complete = excluded.complete, relate = excluded.relate, usual = excluded.usual, notes = excluded.notes
    WHERE (m.reinforce, m.cluster, m.pair, m.merge, m.duplicate, m.complete, m.relate, m.usual, m.notes)
          IS DISTINCT FROM (excluded.reinforce, excluded.cluster, excluded.pair, excluded.merge, excluded.duplicate, excluded.complete,
                            excluded.relate, excluded.usual, excluded.notes);
