-- Recall: what a question is narrowed to, and what recall reads and learns from.
--
--   narrowing   what a recall is narrowed to, as one value that every stage is handed
--   recall_log  what was recalled, until it is counted; co_recall  which memories keep coming up together

--   mention     which node bears or names which name

--
--   state_slot ── state_cue               words and phrases by which an attribute is stated, named or asked for
--   tenant ── state_attribute             what is stated of a subject: one row for each of its attributes
--              └─ state_statement         who says when that an attribute has which value
--
-- Until when a statement holds is not stored: it follows from the statements of the same subject and attribute after it, whatever
-- order they came in (statement_end).

------------------------------------------------------------------------------------------------ questions
CREATE TYPE cognifold.narrowing AS (
    kinds          text[],
    since          timestamptz,
    until          timestamptz,
    as_of          timestamptz,
    known_at       timestamptz,
    actors         text[],
    sources        text[],
    memory_types   text[],
    privacy_levels text[],
    narrowed       boolean
);
COMMENT ON TYPE cognifold.narrowing IS 'What a recall is narrowed to: since <= occurred_at < until, occurred_at <= as_of, recorded_at <= known_at, and each of the others among those listed; NULL narrows nothing. kinds is always set; narrowed tells whether anything else is.';

------------------------------------------------------------------------------------------------ vectors of large memories
--   embedding ──► vector_count    how many vectors a tenant has of a model; from vector.exact on they are indexed
--       └───────► vector_tail     vectors of such a tenant that are not indexed yet: searched exactly
--                   └──► vector_index   and those that are, by one index for each number of dimensions, for all tenants
CREATE TABLE cognifold.vector_count (
    tenant_id  text COLLATE "C" NOT NULL REFERENCES cognifold.tenant (tenant_id) ON DELETE CASCADE,
    model_id   smallint NOT NULL,
    dimensions integer NOT NULL,
    events     bigint NOT NULL CHECK (events >= 0),
    concepts   bigint NOT NULL CHECK (concepts >= 0),
    indexed    boolean NOT NULL DEFAULT false,
    signature  halfvec(16),
    PRIMARY KEY (tenant_id, model_id),
    FOREIGN KEY (model_id, dimensions) REFERENCES cognifold.embedding_model (model_id, dimensions),
    CHECK (NOT indexed OR signature IS NOT NULL)
) WITH (fillfactor = 50);
COMMENT ON TABLE cognifold.vector_count IS 'How many vectors a tenant has of each model, kept by the triggers of embedding: what decides whether they are searched exactly or by an index. Whoever changes vectors of the tenant holds the row to the end of the transaction.';
COMMENT ON COLUMN cognifold.vector_count.events IS 'Vectors of events.';
COMMENT ON COLUMN cognifold.vector_count.concepts IS 'Vectors of concepts, and of whatever else is no event.';
COMMENT ON COLUMN cognifold.vector_count.indexed IS 'From then on each new vector is also written to vector_tail.';
COMMENT ON COLUMN cognifold.vector_count.signature IS 'What stands behind every vector of the tenant in the index (tenant_signature).';

CREATE TABLE cognifold.vector_tail (
    tenant_id  text COLLATE "C" NOT NULL,
    model_id   smallint NOT NULL,
    kind       text NOT NULL,
    node_id    uuid NOT NULL,
    dimensions integer NOT NULL,
    place      halfvec NOT NULL,
    PRIMARY KEY (tenant_id, model_id, kind, node_id)
);
COMMENT ON TABLE cognifold.vector_tail IS 'Vectors of large memories that wait to be indexed (index_vectors): searched exactly until then, so that nothing that writes a vector waits for an HNSW index.';
COMMENT ON COLUMN cognifold.vector_tail.place IS 'The vector with the tenant''s signature behind it.';

CREATE TABLE cognifold.vector_index (
    tenant_id  text COLLATE "C" NOT NULL,
    model_id   smallint NOT NULL,
    kind       text NOT NULL,
    node_id    uuid NOT NULL,
    dimensions integer NOT NULL,
    place      halfvec NOT NULL,
    PRIMARY KEY (tenant_id, model_id, kind, node_id)
);
CREATE INDEX vector_index_256 ON cognifold.vector_index USING hnsw ((place::halfvec(272)) halfvec_ip_ops) WITH (m = 16, ef_construction = 100) WHERE dimensions = 256;
CREATE INDEX vector_index_384 ON cognifold.vector_index USING hnsw ((place::halfvec(400)) halfvec_ip_ops) WITH (m = 16, ef_construction = 100) WHERE dimensions = 384;
CREATE INDEX vector_index_1536 ON cognifold.vector_index USING hnsw ((place::halfvec(1552)) halfvec_ip_ops) WITH (m = 16, ef_construction = 100) WHERE dimensions = 1536;
CREATE INDEX vector_index_256_concepts ON cognifold.vector_index USING hnsw ((place::halfvec(272)) halfvec_ip_ops) WITH (m = 16, ef_construction = 100) WHERE dimensions = 256 AND kind = 'concept';
CREATE INDEX vector_index_384_concepts ON cognifold.vector_index USING hnsw ((place::halfvec(400)) halfvec_ip_ops) WITH (m = 16, ef_construction = 100) WHERE dimensions = 384 AND kind = 'concept';
CREATE INDEX vector_index_1536_concepts ON cognifold.vector_index USING hnsw ((place::halfvec(1552)) halfvec_ip_ops) WITH (m = 16, ef_construction = 100) WHERE dimensions = 1536 AND kind = 'concept';
COMMENT ON TABLE cognifold.vector_index IS 'Vectors of large memories in HNSW indexes, one for each number of dimensions and one more of the concepts alone (make_vector_index). A copy: embedding has every vector.';
COMMENT ON COLUMN cognifold.vector_index.place IS 'The vector with the tenant''s signature behind it: tenants lie apart, so a search for one does not walk through the vectors of others, and within a tenant the order is that of the vectors.';

------------------------------------------------------------------------------------------------ another model
CREATE TABLE cognifold.reembedding (
    tenant_id    text COLLATE "C" PRIMARY KEY REFERENCES cognifold.tenant (tenant_id) ON DELETE CASCADE,
    from_model   smallint NOT NULL REFERENCES cognifold.embedding_model (model_id),
    to_model     smallint NOT NULL REFERENCES cognifold.embedding_model (model_id),
    started_at   timestamptz NOT NULL,
    switched_at  timestamptz,
    abandoned_at timestamptz,
    CHECK (from_model <> to_model),
    CHECK (switched_at IS NULL OR abandoned_at IS NULL)
);
COMMENT ON TABLE cognifold.reembedding IS 'The tenant''s move from one embedding model to another, from reembed until the last vector that is not needed any more is gone.';
COMMENT ON COLUMN cognifold.reembedding.started_at IS 'Wall clock, as the other two.';
COMMENT ON COLUMN cognifold.reembedding.switched_at IS 'Since when the tenant searches and stores with the new model; the old vectors go in batches. NULL: it is being filled, and everything goes on with the old one.';
COMMENT ON COLUMN cognifold.reembedding.abandoned_at IS 'Since when the new vectors go instead (abandon_reembedding).';

CREATE TABLE cognifold.reembedding_queue (
    tenant_id text COLLATE "C" NOT NULL,
    node_id   uuid NOT NULL,
    PRIMARY KEY (tenant_id, node_id),
    FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.node (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE cognifold.reembedding_queue IS 'Events that still lack their vector of the new model; each leaves it in the transaction that stores the vector.';

------------------------------------------------------------------------------------------------ access
CREATE TABLE cognifold.recall_log (
    tenant_id   text COLLATE "C" NOT NULL REFERENCES cognifold.tenant (tenant_id) ON DELETE CASCADE,
    log_id      uuid NOT NULL,
    recalled_at timestamptz NOT NULL,
    noted_at    timestamptz NOT NULL,
    node_ids    uuid[] NOT NULL CHECK (cardinality(node_ids) > 0),
    PRIMARY KEY (tenant_id, log_id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
COMMENT ON TABLE cognifold.recall_log IS 'What was recalled and is not yet counted: one row a recall, only ever added to (note_recall) until count_recalls takes it out. What was asked is not kept.';
COMMENT ON COLUMN cognifold.recall_log.log_id IS 'A uuid of version 7: the oldest note has the least.';
COMMENT ON COLUMN cognifold.recall_log.recalled_at IS 'When, on the memory''s clock.';
COMMENT ON COLUMN cognifold.recall_log.noted_at IS 'When, on the wall clock: a note is dropped uncounted after learn.keep_days.';
COMMENT ON COLUMN cognifold.recall_log.node_ids IS 'What came back, best first, at most learn.nodes of it. No foreign key: a note costs one insert; what is gone by the time of counting counts for nothing.';

CREATE TABLE cognifold.co_recall (
    tenant_id   text COLLATE "C" NOT NULL,
    one_id      uuid NOT NULL,
    other_id    uuid NOT NULL,
    recalls     integer NOT NULL CHECK (recalls > 0),
    recalled_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, one_id, other_id),
    FOREIGN KEY (tenant_id, one_id) REFERENCES cognifold.node (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, other_id) REFERENCES cognifold.node (tenant_id, id) ON DELETE CASCADE,
    CHECK (one_id < other_id)
) WITH (fillfactor = 80);
CREATE INDEX co_recall_by_other ON cognifold.co_recall (tenant_id, other_id);
CREATE INDEX co_recall_by_time ON cognifold.co_recall (tenant_id, recalled_at);
COMMENT ON TABLE cognifold.co_recall IS 'Pairs that were recalled together, but too seldom yet to be linked; count_recalls keeps it, and takes a pair out when it links it.';
COMMENT ON COLUMN cognifold.co_recall.recalls IS 'How many recalls brought up both among their first learn.together.';
COMMENT ON COLUMN cognifold.co_recall.recalled_at IS 'When last, on the memory''s clock: a pair that does not come up again within learn.pair_days begins anew.';

------------------------------------------------------------------------------------------------ names
CREATE TABLE cognifold.mention (
    tenant_id text COLLATE "C" NOT NULL,
    name      text COLLATE "C" NOT NULL,
    role      smallint NOT NULL CHECK (role IN (0, 1)),
    node_id   uuid NOT NULL,
    PRIMARY KEY (tenant_id, name, role, node_id),
    FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.lexical_document (tenant_id, node_id) ON DELETE CASCADE
);
CREATE INDEX mention_by_node ON cognifold.mention (tenant_id, node_id, role, name);
COMMENT ON TABLE cognifold.mention IS 'Which node bears which name as its title, and which names stand in which node''s text: what activation spreads over besides the edges. Written by index_node.';
COMMENT ON COLUMN cognifold.mention.name IS 'Lower case, without accents and leading articles (name_keys): "The Prestige (film)" bears "prestige" and "prestige film".';
COMMENT ON COLUMN cognifold.mention.role IS '0: the node''s title is this name; 1: its text names it. Bearers come first in the key, so that one bounded look-up finds them.';

------------------------------------------------------------------------------------------------ words of attributes
CREATE TABLE cognifold.state_slot (
    slot        text COLLATE "C" PRIMARY KEY CHECK (slot ~ '^[a-z_]+$'),
    is_multiple boolean NOT NULL,
    description text NOT NULL
);
COMMENT ON TABLE cognifold.state_slot IS 'Attributes that have a name of their own, whatever words state them. Others are named by the stems of their words.';
COMMENT ON COLUMN cognifold.state_slot.is_multiple IS 'Several values hold side by side (languages, pets): a new one replaces none unless it says so.';
COMMENT ON COLUMN cognifold.state_slot.description IS 'Words whose vector stands for the attribute when a question is compared with it.';

CREATE TABLE cognifold.state_cue (
    first_word text COLLATE "C" NOT NULL,
    phrase     text COLLATE "C" NOT NULL CHECK (phrase = first_word OR starts_with(phrase, first_word || ' ')),
    role       text COLLATE "C" NOT NULL CHECK (role IN ('states', 'former', 'ends', 'names', 'asks')),
    slot       text COLLATE "C" NOT NULL REFERENCES cognifold.state_slot (slot) ON DELETE CASCADE,
    length     smallint NOT NULL CHECK (length BETWEEN 1 AND 6),
    PRIMARY KEY (first_word, phrase, role, slot)
);
COMMENT ON TABLE cognifold.state_cue IS 'Phrases, in lower case, that stand for a slot. The install keeps the shipped ones equal to the file; rows of slots that it does not know are left alone.';
COMMENT ON COLUMN cognifold.state_cue.role IS 'states: a verb after which the value stands ("live in"); former: one that says it is over ("lived in"); ends: one that ends it ("left"); names: a noun for it ("phone number"); asks: words of a question for it ("get hold of").';
COMMENT ON COLUMN cognifold.state_cue.length IS 'How many words the phrase has.';

------------------------------------------------------------------------------------------------ what is stated
CREATE TABLE cognifold.state_attribute (
    tenant_id   text COLLATE "C" NOT NULL REFERENCES cognifold.tenant (tenant_id) ON DELETE CASCADE,
    subject     text COLLATE "C" NOT NULL,
    attribute   text COLLATE "C" NOT NULL,
    words       text[] COLLATE "C" NOT NULL,
    is_multiple boolean NOT NULL,
    vector      halfvec,
    PRIMARY KEY (tenant_id, subject, attribute)
);
COMMENT ON TABLE cognifold.state_attribute IS 'The attributes that are stated of each subject. Derived from events (note_statements); gone with the last statement.';
COMMENT ON COLUMN cognifold.state_attribute.subject IS 'Whom or what it is stated of, in lower case: an actor (who says "I"), a name; empty for an actor without a name, * for a thing, whose name is then part of the attribute.';
COMMENT ON COLUMN cognifold.state_attribute.attribute IS 'Its words in alphabetical order: slots and stems.';
COMMENT ON COLUMN cognifold.state_attribute.vector IS 'The lexicon''s vector of its words and of its slots'' descriptions.';

CREATE TABLE cognifold.state_statement (
    tenant_id   text COLLATE "C" NOT NULL,
    event_id    uuid NOT NULL,
    place       smallint NOT NULL,
    subject     text COLLATE "C" NOT NULL,
    attribute   text COLLATE "C" NOT NULL,
    polarity    text COLLATE "C" NOT NULL CHECK (polarity IN ('holds', 'ends', 'former')),
    value       text NOT NULL,
    value_words text[] COLLATE "C" NOT NULL,
    old_words   text[] COLLATE "C" NOT NULL,
    is_change   boolean NOT NULL,
    occurred_at timestamptz NOT NULL,
    said_by     text COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant_id, event_id, place),
    FOREIGN KEY (tenant_id, event_id) REFERENCES cognifold.node (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, subject, attribute) REFERENCES cognifold.state_attribute (tenant_id, subject, attribute) ON DELETE CASCADE
);
CREATE INDEX state_statement_in_order ON cognifold.state_statement (tenant_id, subject, attribute, occurred_at, event_id, place);
CREATE INDEX state_statement_by_voice ON cognifold.state_statement (tenant_id, said_by, occurred_at, event_id, place);
COMMENT ON TABLE cognifold.state_statement IS 'What an event states: that an attribute of a subject has a value, had it before, or has it no longer. Derived from the events (note_statements, rebuild_statements).';
COMMENT ON COLUMN cognifold.state_statement.place IS 'Where among the event''s statements, from 1.';
COMMENT ON COLUMN cognifold.state_statement.polarity IS 'holds: from then on; former: it was so and is over; ends: it is so no longer, and nothing takes its place.';
COMMENT ON COLUMN cognifold.state_statement.value_words IS 'Stems of the value: two values are one when all of one''s stand in the other''s.';
COMMENT ON COLUMN cognifold.state_statement.old_words IS 'Stems of the value that it says holds no longer ("not X", "instead of X"); empty where it names none.';
COMMENT ON COLUMN cognifold.state_statement.is_change IS 'It says that something has changed (now, actually, moved to, instead): then it replaces even where several values may hold.';
COMMENT ON COLUMN cognifold.state_statement.said_by IS 'The event''s actor in lower case, empty for none: whose words "actually it is X" refer to.';
