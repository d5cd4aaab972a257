-- Every constant of the memory: name, default, range, unit, meaning, source. A tenant overrides one with set_setting.
INSERT INTO cognifold.setting_default AS d (name, value, minimum, maximum, unit, description, source) VALUES
    ('decay.episodic', 0.005, 0, 1000, '1/hour', 'Decay of edges whose source is an event, for a new tenant; set_decay changes it later.', 'half-life 139 h: hippocampal, CLS'),
    ('decay.semantic', 0.0005, 0, 1000, '1/hour', 'Decay of all other edges, for a new tenant; set_decay changes it later.', 'half-life 58 days: neocortical, CLS'),
    ('edge.reinforcement', 0.1, 0.000001, 1, 'mass', 'Mass added when an existing edge is stated again.', 'this project'),
    ('edge.fade', 0.1, 0.000001, 1, 'mass', 'Below this mass an edge has faded and leaves the live graph.', 'this project'),
    ('concept.initial_strength', 0.5, 0, 1, 'strength', 'Strength of a new concept.', 'this project'),
    ('concept.strength_step', 0.1, 0, 1, 'strength', 'Strength gained by one reinforcement, capped at 1.', 'this project'),
    ('plan.maximum_operations', 200, 1, 10000, 'operations', 'A plan with more operations is refused.', 'this project'),
    ('fold.attempts', 5, 1, 100, 'attempts', 'A fold that failed this often is a dead letter.', 'this project'),
    ('fold.retry_delay', 30, 0, 86400, 'seconds', 'Wait before a failed fold is tried again, doubled each time.', 'this project'),
    ('fold.size_penalty', 0.03, 0, 1, 'affinity', 'Taken off a concept''s affinity times ln(events / 2): the larger, the harder to join, so that none becomes a hub.', 'development scenarios'),
    ('fold.usual_weight', 4, 0, 10000, 'events', 'How many events the model''s own "usual" cosine counts for beside the tenant''s: matters for the first ones.', 'this project'),
    ('fold.prior_documents', 100, 0, 1000000, 'events', 'Added to the tenant''s events when a word''s rarity is reckoned: in a young memory a word said twice is still rare.', 'development scenarios'),
    ('fold.focus', 0.00003, 0.0000001, 1, 'frequency', 'A word this frequent counts half when an event looks for its like: far below the smoothing of stored vectors, so that rare words lead.', 'development scenarios'),
    ('fold.minimum_information', 1.5, 0, 100, 'words', 'An event whose words carry less (see information) is small talk and joins no concept.', 'development half of LoCoMo'),
    ('fold.related', 3, 0, 20, 'edges', 'At most this many related_to edges from a new event.', 'this project'),
    ('remember.repeat_window', 60, 0, 86400, 'seconds', 'An event said again word for word within this time, with neither occurred_at nor key, is the same event; 0 turns this off.', 'retries of a client, FAILURES'),
    ('lexical.max_characters', 100000, 1000, 500000, 'characters', 'A longer text is indexed up to here and stored whole.', 'tsvector ends at 1 MB'),
    ('recall.candidates', 200, 10, 10000, 'nodes', 'Candidates kept from each signal before fusion.', 'this project'),
    ('recall.bm25_k1', 1.2, 0, 10, '1', 'BM25: how soon repeating a word stops helping.', 'Robertson and Zaragoza 2009'),
    ('recall.bm25_b', 0.3, 0, 1, '1', 'BM25: how far long texts are held back.', 'development half of LoCoMo'),
    ('recall.weight_meaning', 0.5, 0, 10, 'relevance', 'Weight of the cosine, as a share of the best cosine.', 'development half of LoCoMo'),
    ('recall.weight_words', 1, 0, 10, 'relevance', 'Weight of BM25, as a share of the best BM25.', 'development half of LoCoMo'),
    ('recall.weight_actor', 0.4, 0, 10, 'relevance', 'Added for events of an actor the question names.', 'development half of LoCoMo'),
    ('recall.neighbour_share', 0.35, 0, 1, 'share', 'Share of an event''s relevance that the events just before and after it receive.', 'development half of LoCoMo'),
    ('recall.second_neighbour_share', 0.2, 0, 1, 'share', 'Share that the events next to those receive.', 'development half of LoCoMo'),
    ('recall.neighbour_window', 3600, 0, 31536000, 'seconds', 'Events further apart are not neighbours.', 'this project')
ON CONFLICT (name) DO UPDATE
    SET value = excluded.value, minimum = excluded.minimum, maximum = excluded.maximum,
        unit = excluded.unit, description = excluded.description, source = excluded.source
    WHERE (d.value, d.minimum, d.maximum, d.unit, d.description, d.source)
          IS DISTINCT FROM (excluded.value, excluded.minimum, excluded.maximum, excluded.unit, excluded.description, excluded.source);
