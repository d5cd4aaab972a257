-- The memory's tables: who it belongs to, what happened, what was made of it, and how each change came about.
--
--   tenant ─┬─ node ──┬─ node_content      what was said, verbatim
--           │         ├─ node_state        hot counters, one narrow row, made when first needed
--           │         ├─ concept_state     strength, evidence mass, sum of vectors
--           │         ├─ annotation        what was learned about a node later
--           │         ├─ embedding         one vector a model
--           │         └─ posting           the lexical index, with the tenant's own statistics beside it
--           ├─ graph_edge                  typed, weighted by forward decay
--           ├─ node_rank                   PageRank as last settled; rank_arc, rank_dirty beside it
--           ├─ work                        events waiting to be folded
--           └─ plan ─── journal            every change of the graph, with what was there before
--
-- tenant_id leads every key, foreign key and index. The names a reader uses (event, concept, intent, edge) are views.

------------------------------------------------------------------------------------------------ installation
CREATE TABLE cognifold.schema_migration (
    name       text PRIMARY KEY,
    sha256     text NOT NULL,
    version    text NOT NULL,
    applied_at timestamptz NOT NULL
);
COMMENT ON TABLE cognifold.schema_migration IS 'Which SQL files made this schema: their checksum, the package version that ran them, when.';

------------------------------------------------------------------------------------------------ words
CREATE TABLE cognifold.node_kind (
    kind        text PRIMARY KEY,
    description text NOT NULL
);
COMMENT ON TABLE cognifold.node_kind IS 'The kinds a node can be of (CogniFold, section 3: events, concepts, intents; time anchors).';

INSERT INTO cognifold.node_kind (kind, description) VALUES
    ('event',   'hippocampal: what happened, verbatim and immutable'),
    ('concept', 'neocortical: a pattern that recurs over events'),
    ('intent',  'prefrontal: a goal nobody asked for'),
    ('time',    'an anchor in time: a deadline, a date, a recurring period');

CREATE TABLE cognifold.edge_type (
    type           text PRIMARY KEY,
    default_weight double precision NOT NULL CHECK (default_weight > 0 AND default_weight <= 1),
    relationship   text NOT NULL CHECK (relationship IN ('confirmatory', 'causal', 'semantic', 'temporal', 'contradictory')),
    description    text NOT NULL
);
COMMENT ON TABLE cognifold.edge_type IS 'The types an edge can be of, each with its weight when a plan states none, and its MNE relationship.';
COMMENT ON COLUMN cognifold.edge_type.default_weight IS 'Mass of a new edge, in (0, 1].';

INSERT INTO cognifold.edge_type (type, default_weight, relationship, description) VALUES
    ('grounds',       0.9, 'confirmatory',  'the event is evidence a concept or intent was made from'),
    ('causes',        0.9, 'causal',        'the source event brought the target event about'),
    ('triggers',      0.8, 'causal',        'the source gave rise to the intent'),
    ('user_feedback', 0.8, 'confirmatory',  'the event is a person''s answer to the intent'),
    ('reinforces',    0.7, 'confirmatory',  'the event is further evidence for an existing concept'),
    ('part_of',       0.7, 'semantic',      'the source belongs to the wider concept'),
    ('derived_from',  0.6, 'semantic',      'the source concept was abstracted from the target'),
    ('deadline_for',  0.6, 'temporal',      'the time is the last moment for the target'),
    ('related_to',    0.5, 'semantic',      'the two are about something alike'),
    ('precedes',      0.5, 'temporal',      'the source is the last event of the same source and actor before the target'),
    ('contradicts',   0.8, 'contradictory', 'the two cannot both hold');

CREATE TABLE cognifold.edge_legality (
    type        text NOT NULL REFERENCES cognifold.edge_type (type),
    source_kind text NOT NULL REFERENCES cognifold.node_kind (kind),
    target_kind text NOT NULL REFERENCES cognifold.node_kind (kind),
    PRIMARY KEY (type, source_kind, target_kind)
);
COMMENT ON TABLE cognifold.edge_legality IS 'Which kinds an edge type may join; graph_edge refers to it, so that an illegal edge cannot be stored.';

INSERT INTO cognifold.edge_legality (type, source_kind, target_kind) VALUES
    ('grounds', 'event', 'concept'), ('grounds', 'event', 'intent'),
    ('causes', 'event', 'event'),
    ('triggers', 'concept', 'intent'), ('triggers', 'event', 'intent'),
    ('user_feedback', 'event', 'intent'),
    ('reinforces', 'event', 'concept'),
    ('part_of', 'event', 'concept'), ('part_of', 'concept', 'concept'),
    ('derived_from', 'concept', 'concept'),
    ('deadline_for', 'time', 'intent'), ('deadline_for', 'time', 'event'),
    ('precedes', 'event', 'event'),
    ('contradicts', 'event', 'event'), ('contradicts', 'concept', 'concept');
INSERT INTO cognifold.edge_legality (type, source_kind, target_kind)
SELECT 'related_to', s.kind, t.kind FROM cognifold.node_kind AS s CROSS JOIN cognifold.node_kind AS t;

CREATE TABLE cognifold.antonym (
    word     text COLLATE "C" NOT NULL,
    opposite text COLLATE "C" NOT NULL,
    PRIMARY KEY (word, opposite)
);
COMMENT ON TABLE cognifold.antonym IS 'Pairs of opposite words, stored both ways: texts that differ in one are never near-duplicates.';

------------------------------------------------------------------------------------------------ models
CREATE TABLE cognifold.embedding_model (
    model_id   smallint PRIMARY KEY,
    name       text NOT NULL UNIQUE,
    provider   text NOT NULL CHECK (provider IN ('lexicon', 'openai', 'minilm', 'external')),
    dimensions integer NOT NULL CHECK (dimensions BETWEEN 1 AND 4000),
    reinforce  double precision NOT NULL CHECK (reinforce BETWEEN -1 AND 1),
    cluster    double precision NOT NULL CHECK (cluster BETWEEN -1 AND 1),
    pair       double precision NOT NULL CHECK (pair BETWEEN -1 AND 2),
    merge      double precision NOT NULL CHECK (merge BETWEEN -1 AND 1),
    duplicate  double precision NOT NULL CHECK (duplicate BETWEEN -1 AND 1),
    complete   double precision NOT NULL CHECK (complete BETWEEN -1 AND 1),
    relate     double precision NOT NULL CHECK (relate BETWEEN -1 AND 1),
    usual      double precision NOT NULL CHECK (usual BETWEEN -1 AND 1),
    notes      text,
    UNIQUE (model_id, dimensions)
);
COMMENT ON TABLE cognifold.embedding_model IS 'The registry of embedding models: a vector belongs to one of them, and so does every similarity threshold.';
COMMENT ON COLUMN cognifold.embedding_model.dimensions IS 'Length of every vector of this model; a vector of another length is refused (CF013).';
COMMENT ON COLUMN cognifold.embedding_model.reinforce IS 'An event with this affinity to a concept is further evidence for it. Affinity: mean cosine plus shared rarity of words, less what is usual in the tenant (propose_plan).';
COMMENT ON COLUMN cognifold.embedding_model.cluster IS 'Two or more ungrouped events with this affinity to a new one found a concept with it.';
COMMENT ON COLUMN cognifold.embedding_model.pair IS 'A single ungrouped event with this affinity founds a concept with the new one.';
COMMENT ON COLUMN cognifold.embedding_model.merge IS 'Concepts this similar become one in consolidation (cosine).';
COMMENT ON COLUMN cognifold.embedding_model.duplicate IS 'A proposed concept this similar to an existing one is a reinforcement of it (cosine).';
COMMENT ON COLUMN cognifold.embedding_model.complete IS 'An orphan concept is linked to neighbours this similar in consolidation (cosine).';
COMMENT ON COLUMN cognifold.embedding_model.usual IS 'Mean cosine of unrelated texts: what is usual in a tenant before it has events of its own.';
COMMENT ON COLUMN cognifold.embedding_model.relate IS 'A new event becomes related_to earlier ones with this affinity.';

------------------------------------------------------------------------------------------------ tenants
CREATE TABLE cognifold.tenant (
    tenant_id    text COLLATE "C" PRIMARY KEY CHECK (octet_length(tenant_id) BETWEEN 1 AND 63),
    display_name text,
    time_zone    text NOT NULL DEFAULT 'UTC',
    model_id     smallint NOT NULL REFERENCES cognifold.embedding_model (model_id),
    created_at   timestamptz NOT NULL
);
COMMENT ON TABLE cognifold.tenant IS 'Whose memories these are: a customer, a user or an agent. A tenant not listed here is an error, never "all".';
COMMENT ON COLUMN cognifold.tenant.tenant_id IS 'The name every key begins with: 1 to 63 bytes, compared byte by byte.';
COMMENT ON COLUMN cognifold.tenant.time_zone IS 'Zone in which dates of a text are read when nothing else says (an IANA name).';
COMMENT ON COLUMN cognifold.tenant.model_id IS 'The embedding model this tenant''s nodes are stored and searched with.';

CREATE TABLE cognifold.graph_turn (
    tenant_id text COLLATE "C" PRIMARY KEY REFERENCES cognifold.tenant (tenant_id) ON DELETE CASCADE
);
COMMENT ON TABLE cognifold.graph_turn IS 'One row a tenant, which whoever changes its graph holds till the end of the transaction (take_turn). A row, and not an advisory lock: those can be taken by anybody who can log in.';

CREATE TABLE cognifold.tenant_member (
    role_name text COLLATE "C" NOT NULL,
    tenant_id text COLLATE "C" NOT NULL REFERENCES cognifold.tenant (tenant_id) ON DELETE CASCADE,
    PRIMARY KEY (role_name, tenant_id)
);
COMMENT ON TABLE cognifold.tenant_member IS 'Bound roles: a role listed here reaches these tenants only, whatever it SETs.';

CREATE TABLE cognifold.setting_default (
    name        text COLLATE "C" PRIMARY KEY,
    value       double precision NOT NULL,
    minimum     double precision NOT NULL,
    maximum     double precision NOT NULL,
    unit        text NOT NULL,
    description text NOT NULL,
    source      text NOT NULL,
    CHECK (value BETWEEN minimum AND maximum)
);
COMMENT ON TABLE cognifold.setting_default IS 'Every constant of the memory, with its default, range, unit, meaning and source. The install keeps it equal to the files.';

CREATE TABLE cognifold.setting (
    tenant_id text COLLATE "C" NOT NULL REFERENCES cognifold.tenant (tenant_id) ON DELETE CASCADE,
    name      text COLLATE "C" NOT NULL REFERENCES cognifold.setting_default (name),
    value     double precision NOT NULL,
    PRIMARY KEY (tenant_id, name)
);
COMMENT ON TABLE cognifold.setting IS 'What a tenant has set differently from the default (cognifold.set_setting).';

CREATE TABLE cognifold.decay_clock (
    tenant_id  text COLLATE "C" NOT NULL REFERENCES cognifold.tenant (tenant_id) ON DELETE CASCADE,
    rate       text NOT NULL CHECK (rate IN ('episodic', 'semantic')),
    valid_from timestamptz NOT NULL,
    lambda     double precision NOT NULL CHECK (lambda >= 0 AND lambda < 'infinity'),
    cumulative double precision NOT NULL,
    PRIMARY KEY (tenant_id, rate, valid_from)
);
COMMENT ON TABLE cognifold.decay_clock IS
    'D(t), the integral of the decay rate over time, piecewise linear (forward decay: Cormode et al., ICDE 2009). A new lambda appends a row and leaves the past exact.';
COMMENT ON COLUMN cognifold.decay_clock.lambda IS 'Decay per hour from valid_from on; 0 stops forgetting.';
COMMENT ON COLUMN cognifold.decay_clock.cumulative IS 'D at valid_from; for the first row (-infinity) D at 1970-01-01 00:00 UTC.';

------------------------------------------------------------------------------------------------ nodes
CREATE TABLE cognifold.node (
    tenant_id          text COLLATE "C" NOT NULL REFERENCES cognifold.tenant (tenant_id),
    id                 uuid NOT NULL,
    kind               text NOT NULL REFERENCES cognifold.node_kind (kind),
    memory_type        text NOT NULL CHECK (memory_type IN ('episodic', 'semantic', 'procedural', 'associative')),
    title              text NOT NULL,
    source             text,
    actor              text,
    source_agent       text,
    occurred_at        timestamptz NOT NULL,
    ended_at           timestamptz CHECK (ended_at >= occurred_at),
    occurred_precision text NOT NULL DEFAULT 'instant' CHECK (occurred_precision IN ('instant', 'day', 'month', 'year')),
    recorded_at        timestamptz NOT NULL,
    emotional_weight   real NOT NULL DEFAULT 0 CHECK (emotional_weight BETWEEN -1 AND 1),
    valence            text CHECK (valence IN ('positive', 'negative', 'neutral', 'mixed')),
    arousal            real NOT NULL DEFAULT 0 CHECK (arousal BETWEEN 0 AND 1),
    affect_inferred    boolean NOT NULL DEFAULT false,
    asks               boolean NOT NULL DEFAULT false,
    privacy_level      text NOT NULL DEFAULT 'private' CHECK (privacy_level IN ('private', 'shared', 'public')),
    reasoning          text,
    digest             bytea,
    idempotency_key    text COLLATE "C",
    merged_into        uuid,
    plan_id            uuid,
    title_key          text GENERATED ALWAYS AS (CASE kind WHEN 'concept' THEN left(lower(btrim(title)), 500) END) STORED,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, id, kind),
    FOREIGN KEY (tenant_id, merged_into) REFERENCES cognifold.node (tenant_id, id),
    CHECK ((kind = 'event') = (digest IS NOT NULL)),
    CHECK ((kind = 'event') = (plan_id IS NULL))
);
CREATE UNIQUE INDEX node_idempotency ON cognifold.node (tenant_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX node_by_title ON cognifold.node (tenant_id, title_key) WHERE kind = 'concept' AND merged_into IS NULL;
CREATE INDEX node_by_time ON cognifold.node (tenant_id, kind, occurred_at, id);
-- CASE and not coalesce(): row-level security lets only what it takes for leakproof reach an index.
CREATE INDEX node_by_voice ON cognifold.node (
    tenant_id, (CASE WHEN source IS NULL THEN '' ELSE source END), (CASE WHEN actor IS NULL THEN '' ELSE actor END), occurred_at, id
) WHERE kind = 'event';
CREATE INDEX node_by_source ON cognifold.node (
    tenant_id, (CASE WHEN source IS NULL THEN '' ELSE source END), occurred_at, id
) WHERE kind = 'event';
CREATE UNIQUE INDEX node_time_anchor ON cognifold.node (tenant_id, occurred_precision, occurred_at) WHERE kind = 'time';

COMMENT ON TABLE cognifold.node IS 'What the memory holds: events (by remember), concepts, intents and times (by apply_plan). The MNE capsule''s fixed part.';
COMMENT ON COLUMN cognifold.node.memory_type IS 'MNE memory type: episodic, semantic, procedural or associative.';
COMMENT ON COLUMN cognifold.node.source IS 'Where it came from: an application, a table, a channel, a conversation.';
COMMENT ON COLUMN cognifold.node.actor IS 'Who said or did it.';
COMMENT ON COLUMN cognifold.node.source_agent IS 'The software agent that recorded it, where one did.';
COMMENT ON COLUMN cognifold.node.occurred_at IS 'Event time: drives decay and recency. For a concept, the time of the event it was made at; for a time node, its moment.';
COMMENT ON COLUMN cognifold.node.ended_at IS 'End of an episode that lasted; NULL for a moment.';
COMMENT ON COLUMN cognifold.node.recorded_at IS 'Transaction time: when the memory learned it (wall clock, never cognifold.now).';
COMMENT ON COLUMN cognifold.node.emotional_weight IS 'Affect, -1 (bad) to 1 (good); its size makes a memory more salient (MNE).';
COMMENT ON COLUMN cognifold.node.arousal IS 'Activation, 0 (calm) to 1 (excited).';
COMMENT ON COLUMN cognifold.node.affect_inferred IS 'True where emotional_weight, valence and arousal were read in the text (see affect), because the caller gave none.';
COMMENT ON COLUMN cognifold.node.asks IS 'True for an event whose text ends with a question mark: it asks, and what comes after it may answer.';
COMMENT ON COLUMN cognifold.node.digest IS 'SHA-256 over an event''s immutable fields: content, title, payload, occurred_at, source, actor.';
COMMENT ON COLUMN cognifold.node.idempotency_key IS 'Two remembers with one key are one event. Given by the caller, or made from the digest.';
COMMENT ON COLUMN cognifold.node.title_key IS 'What two concepts of one title have in common: it in lower case.';
COMMENT ON COLUMN cognifold.node.merged_into IS 'The concept this one was merged into; the old id still resolves.';
COMMENT ON COLUMN cognifold.node.plan_id IS 'The plan that made it; NULL for events, which only remember makes.';

CREATE TABLE cognifold.node_content (
    tenant_id text COLLATE "C" NOT NULL,
    node_id   uuid NOT NULL,
    content   text NOT NULL,
    payload   jsonb,
    media     jsonb CHECK (jsonb_typeof(media) = 'array'),
    PRIMARY KEY (tenant_id, node_id),
    FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.node (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE cognifold.node_content IS 'The bulk of a node, verbatim; apart from node, so that archival can compress or move it.';
COMMENT ON COLUMN cognifold.node_content.payload IS 'Free fields of the application.';
COMMENT ON COLUMN cognifold.node_content.media IS 'References to images, audio, video, sensor data: [{"mime", "uri", "digest"}, ...].';

CREATE TABLE cognifold.node_state (
    tenant_id           text COLLATE "C" NOT NULL,
    node_id             uuid NOT NULL,
    access_count        bigint NOT NULL DEFAULT 0 CHECK (access_count >= 0),
    last_accessed       timestamptz,
    replay_count        integer NOT NULL DEFAULT 0 CHECK (replay_count >= 0),
    integration_score   real NOT NULL DEFAULT 0 CHECK (integration_score BETWEEN 0 AND 1),
    consolidation_state text NOT NULL DEFAULT 'fresh'
                        CHECK (consolidation_state IN ('fresh', 'consolidating', 'consolidated', 'archived')),
    PRIMARY KEY (tenant_id, node_id),
    FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.node (tenant_id, id) ON DELETE CASCADE
) WITH (fillfactor = 70);
COMMENT ON TABLE cognifold.node_state IS 'Hot counters of a node, apart so that they update in place. No row means the defaults. Not journaled.';
COMMENT ON COLUMN cognifold.node_state.integration_score IS '1 - exp(-(live weight to concepts and consolidated events) / 2), in [0, 1] (MNE).';

CREATE TABLE cognifold.concept_state (
    tenant_id          text COLLATE "C" NOT NULL,
    node_id            uuid NOT NULL,
    strength           double precision NOT NULL CHECK (strength BETWEEN 0 AND 1),
    evidence_count     integer NOT NULL CHECK (evidence_count >= 0),
    evidence_potential double precision,
    event_count        integer NOT NULL DEFAULT 0 CHECK (event_count >= 0),
    vector_sum         vector,
    vector_count       integer NOT NULL DEFAULT 0 CHECK (vector_count >= 0),
    PRIMARY KEY (tenant_id, node_id),
    FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.node (tenant_id, id) ON DELETE CASCADE
) WITH (fillfactor = 70);
COMMENT ON TABLE cognifold.concept_state IS 'What evidence has made of a concept. Written by apply_plan alone; strength, count and potential are journaled, the rest is derived from the evidence.';
COMMENT ON COLUMN cognifold.concept_state.strength IS 'Confidence, 0 to 1: grows by a step with each reinforcement.';
COMMENT ON COLUMN cognifold.concept_state.evidence_count IS 'Grounding events at its making, plus one for each reinforcement since.';
COMMENT ON COLUMN cognifold.concept_state.evidence_potential IS 'ln of the summed mass of all stated grounds and reinforces edges, plus D: one number kept by logaddexp.';
COMMENT ON COLUMN cognifold.concept_state.event_count IS 'How many events are stated evidence for it.';
COMMENT ON COLUMN cognifold.concept_state.vector_sum IS 'Sum of the unit vectors of its stated grounding events: its direction is the concept''s embedding, its dot product with a vector their summed cosine.';
COMMENT ON COLUMN cognifold.concept_state.vector_count IS 'How many vectors the sum is of.';

CREATE TABLE cognifold.concept_lexeme (
    tenant_id   text COLLATE "C" NOT NULL,
    lexeme      text COLLATE "C" NOT NULL,
    node_id     uuid NOT NULL,
    event_count integer NOT NULL CHECK (event_count > 0),
    PRIMARY KEY (tenant_id, lexeme, node_id),
    FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.concept_state (tenant_id, node_id) ON DELETE CASCADE
) WITH (fillfactor = 70);
CREATE INDEX concept_lexeme_by_node ON cognifold.concept_lexeme (tenant_id, node_id);
COMMENT ON TABLE cognifold.concept_lexeme IS 'In how many of a concept''s events a lexeme stands: what the concept is about, in words. Derived from the evidence, kept by apply_plan.';

CREATE TABLE cognifold.annotation (
    tenant_id  text COLLATE "C" NOT NULL,
    node_id    uuid NOT NULL,
    name       text NOT NULL,
    value      jsonb NOT NULL,
    plan_id    uuid,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, node_id, name),
    FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.node (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE cognifold.annotation IS 'What was learned about a node after it was stored (affect, entities, dates): events themselves never change.';

CREATE TABLE cognifold.insight_state (
    tenant_id         text COLLATE "C" NOT NULL REFERENCES cognifold.tenant (tenant_id),
    insight_id        uuid NOT NULL,
    node_id           uuid,
    kind              text COLLATE "C" NOT NULL CHECK (kind ~ '^[a-z_]{1,63}$'),
    aspect            text COLLATE "C" NOT NULL DEFAULT '' CHECK (octet_length(aspect) <= 1000),
    insight           text NOT NULL,
    confidence        real NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    abstraction_level text NOT NULL CHECK (abstraction_level IN ('specific', 'general', 'principle')),
    derived_from      uuid[] NOT NULL CHECK (cardinality(derived_from) > 0),
    from_concepts     boolean NOT NULL,
    figures           jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(figures) = 'object'),
    as_of             timestamptz NOT NULL,
    closed_at         timestamptz,
    plan_id           uuid NOT NULL,
    created_at        timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, insight_id),
    FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.node (tenant_id, id) ON DELETE CASCADE
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX insight_state_open ON cognifold.insight_state (tenant_id, node_id, kind, aspect) NULLS NOT DISTINCT WHERE closed_at IS NULL;
CREATE INDEX insight_state_by_node ON cognifold.insight_state (tenant_id, node_id);
CREATE INDEX insight_state_from_concepts ON cognifold.insight_state (tenant_id, insight_id) WHERE from_concepts;
COMMENT ON TABLE cognifold.insight_state IS 'Distilled statements with their evidence (MNE insights), those that no longer hold too. Written by plans alone; the view insight shows what holds.';
COMMENT ON COLUMN cognifold.insight_state.node_id IS 'The concept it is about; NULL where it is about a person or thing over all concepts.';
COMMENT ON COLUMN cognifold.insight_state.kind IS 'What sort of finding: statement, actor, time_of_day, weekday, interval, shift, frequency, tone, shared (find_insights), or a word of a plan''s own.';
COMMENT ON COLUMN cognifold.insight_state.aspect IS 'What of it, where one concept can have several findings of a kind. Node, kind and aspect are one finding: it is refreshed, never repeated.';
COMMENT ON COLUMN cognifold.insight_state.confidence IS 'From amount and consistency, in [0, 1]: the lower end of the 95 % Wilson interval of the share of the evidence that fits (wilson_bound).';
COMMENT ON COLUMN cognifold.insight_state.derived_from IS 'The events it rests on; of a principle the concepts.';
COMMENT ON COLUMN cognifold.insight_state.from_concepts IS 'derived_from names a concept: a merge or removal has to look at it.';
COMMENT ON COLUMN cognifold.insight_state.figures IS 'The numbers of the finding: held of total, chance (the probability of so much by chance), value (what was found, comparable between concepts).';
COMMENT ON COLUMN cognifold.insight_state.as_of IS 'The memory''s clock when it was last stated.';
COMMENT ON COLUMN cognifold.insight_state.closed_at IS 'The memory''s clock when its evidence no longer bore it; NULL while it holds.';
COMMENT ON COLUMN cognifold.insight_state.plan_id IS 'The plan that last stated it.';
COMMENT ON COLUMN cognifold.insight_state.created_at IS 'The memory''s clock when it was first stated.';

------------------------------------------------------------------------------------------------ edges
CREATE TABLE cognifold.graph_edge (
    tenant_id     text COLLATE "C" NOT NULL,
    source_id     uuid NOT NULL,
    target_id     uuid NOT NULL,
    type          text NOT NULL,
    source_kind   text NOT NULL,
    target_kind   text NOT NULL,
    rate          text NOT NULL CHECK (rate = CASE source_kind WHEN 'event' THEN 'episodic' ELSE 'semantic' END),
    potential     double precision NOT NULL CHECK (potential > '-infinity' AND potential < 'infinity'),
    stamped_at    timestamptz NOT NULL,
    created_at    timestamptz NOT NULL,
    inferred      boolean NOT NULL DEFAULT false,
    bidirectional boolean NOT NULL DEFAULT false,
    faded_at      timestamptz,
    metadata      jsonb,
    plan_id       uuid NOT NULL,
    PRIMARY KEY (tenant_id, source_id, target_id, type),
    FOREIGN KEY (type, source_kind, target_kind) REFERENCES cognifold.edge_legality (type, source_kind, target_kind),
    FOREIGN KEY (tenant_id, source_id, source_kind) REFERENCES cognifold.node (tenant_id, id, kind) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, target_id, target_kind) REFERENCES cognifold.node (tenant_id, id, kind) ON DELETE CASCADE,
    CHECK (source_id <> target_id)
);
CREATE INDEX graph_edge_out ON cognifold.graph_edge (tenant_id, source_id, rate, potential DESC) WHERE faded_at IS NULL;
CREATE INDEX graph_edge_in ON cognifold.graph_edge (tenant_id, target_id, rate, potential DESC) WHERE faded_at IS NULL;
CREATE INDEX graph_edge_target ON cognifold.graph_edge (tenant_id, target_id, type, potential DESC);
CREATE INDEX graph_edge_fading ON cognifold.graph_edge (tenant_id, rate, potential) WHERE faded_at IS NULL;

COMMENT ON TABLE cognifold.graph_edge IS 'The edges as stored; the view edge shows their weight now. Written by apply_plan alone.';
COMMENT ON COLUMN cognifold.graph_edge.rate IS 'Which decay clock it fades by: episodic when its source is an event, else semantic (complementary learning systems).';
COMMENT ON COLUMN cognifold.graph_edge.potential IS 'ln(mass) + D(stamp). mass(as_of) = exp(potential - D(as_of)); the order of a node''s edges by potential never changes with time alone.';
COMMENT ON COLUMN cognifold.graph_edge.stamped_at IS 'Event time of the last statement of this edge.';
COMMENT ON COLUMN cognifold.graph_edge.inferred IS 'No event stated it: neither provenance nor evidence.';
COMMENT ON COLUMN cognifold.graph_edge.faded_at IS 'When it left the live graph; NULL while it lives. It stays as provenance.';

------------------------------------------------------------------------------------------------ ranks
-- No foreign keys to node: what a removed node passed on must still be withdrawn. None to tenant: each event marks and moves
-- dozens of these rows, which follow from its edges.
CREATE TABLE cognifold.node_rank (
    tenant_id text COLLATE "C" NOT NULL,
    node_id   uuid NOT NULL,
    rank      double precision NOT NULL,
    residual  double precision NOT NULL,
    -- Indexed in place of the rank: most updates stay in the page (HOT), for a band is 3 % wide.
    band      smallint NOT NULL GENERATED ALWAYS AS (floor(32 * ln(greatest(rank, 1)))::smallint) STORED,
    PRIMARY KEY (tenant_id, node_id)
) WITH (fillfactor = 60);
CREATE INDEX node_rank_band ON cognifold.node_rank (tenant_id, band DESC, node_id DESC) WHERE band > 0;
COMMENT ON TABLE cognifold.node_rank IS 'PageRank as it was last settled (settle_ranks); no row means rank 1, residual 0. Not journaled: it follows from the live edges.';
COMMENT ON COLUMN cognifold.node_rank.rank IS 'In units of what a node has that nothing points at, so 1 or more: 1 + damping * sum of share * (rank - residual) over the arcs in (rank_arc).';
COMMENT ON COLUMN cognifold.node_rank.residual IS 'The part of the rank that is not passed on yet. If none exceeds b, every rank is within the share b of the exact one, more precisely of the exact one less 1.';
COMMENT ON COLUMN cognifold.node_rank.band IS 'floor(32 ln rank): the order by rank, to 3 %.';

CREATE TABLE cognifold.rank_arc (
    tenant_id text COLLATE "C" NOT NULL,
    node_id   uuid NOT NULL,
    targets   uuid[] NOT NULL,
    shares    double precision[] NOT NULL CHECK (cardinality(shares) = cardinality(targets)),
    PRIMARY KEY (tenant_id, node_id)
) WITH (fillfactor = 80);
COMMENT ON TABLE cognifold.rank_arc IS 'How a node''s rank was last passed on: what differs from its live edges is what settle_ranks has to correct.';
COMMENT ON COLUMN cognifold.rank_arc.shares IS 'The share of its rank that goes to the target at the same place; they sum to 1.';

CREATE TABLE cognifold.rank_dirty (
    tenant_id text COLLATE "C" NOT NULL,
    node_id   uuid NOT NULL,
    PRIMARY KEY (tenant_id, node_id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
COMMENT ON TABLE cognifold.rank_dirty IS 'Nodes whose edges out may have changed since the ranks were settled, written by the plan that changed them, and nodes whose residual is still to be passed on.';

CREATE INDEX graph_edge_both_ways ON cognifold.graph_edge (tenant_id, target_id) WHERE bidirectional AND faded_at IS NULL;
CREATE INDEX node_state_accessed ON cognifold.node_state (tenant_id, last_accessed DESC, node_id) WHERE last_accessed IS NOT NULL;
CREATE INDEX node_state_accesses ON cognifold.node_state (tenant_id, access_count DESC, node_id) WHERE access_count > 0;

------------------------------------------------------------------------------------------------ vectors
CREATE TABLE cognifold.embedding (
    tenant_id  text COLLATE "C" NOT NULL,
    model_id   smallint NOT NULL,
    kind       text NOT NULL,
    node_id    uuid NOT NULL,
    dimensions integer NOT NULL,
    vector     halfvec NOT NULL,
    PRIMARY KEY (tenant_id, model_id, kind, node_id),
    FOREIGN KEY (tenant_id, node_id, kind) REFERENCES cognifold.node (tenant_id, id, kind) ON DELETE CASCADE,
    FOREIGN KEY (model_id, dimensions) REFERENCES cognifold.embedding_model (model_id, dimensions),
    CHECK (vector_dims(vector) = dimensions),
    CHECK (l2_norm(vector) BETWEEN 0.99 AND 1.01)
);
CREATE INDEX embedding_by_node ON cognifold.embedding (tenant_id, node_id);
COMMENT ON TABLE cognifold.embedding IS 'One unit vector a node and model, in half precision; apart from node, so that counters update without touching a vector.';
COMMENT ON COLUMN cognifold.embedding.vector IS 'Unit length. A text without direction (no word in it) has no row and is found by its other signals.';

------------------------------------------------------------------------------------------------ words of texts
CREATE TABLE cognifold.lexical_document (
    tenant_id   text COLLATE "C" NOT NULL,
    node_id     uuid NOT NULL,
    length      integer NOT NULL CHECK (length >= 0),
    truncated   boolean NOT NULL,
    lexemes     text[] COLLATE "C" NOT NULL,
    frequencies smallint[] NOT NULL CHECK (cardinality(frequencies) = cardinality(lexemes)),
    PRIMARY KEY (tenant_id, node_id),
    FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.node (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE cognifold.lexical_document IS 'Which texts are in the lexical index: their lexemes, and how long they are in them.';
COMMENT ON COLUMN cognifold.lexical_document.lexemes IS 'The text''s lexemes, each once, ascending: what a candidate holds of a question''s words is read here, one row a candidate.';
COMMENT ON COLUMN cognifold.lexical_document.frequencies IS 'How often the lexeme at the same place stands in the text.';
COMMENT ON COLUMN cognifold.lexical_document.truncated IS 'Only the first part of a very long text is indexed (setting lexical.max_characters); the text itself is stored whole.';

CREATE TABLE cognifold.posting (
    tenant_id       text COLLATE "C" NOT NULL,
    lexeme          text COLLATE "C" NOT NULL,
    kind            text NOT NULL,
    node_id         uuid NOT NULL,
    impact          smallint NOT NULL,
    frequency       smallint NOT NULL,
    document_length integer NOT NULL,
    signature       bytea NOT NULL,
    PRIMARY KEY (tenant_id, lexeme, kind, impact, node_id) INCLUDE (frequency, document_length, signature),
    FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.lexical_document (tenant_id, node_id) ON DELETE CASCADE
) WITH (autovacuum_vacuum_insert_scale_factor = 0.05);  -- soon visible to all, so that its index alone is read
CREATE INDEX posting_by_node ON cognifold.posting (tenant_id, node_id);
COMMENT ON TABLE cognifold.posting IS 'The lexical index: which lexeme stands how often in which node, read from where it weighs most. A btree on plain text serves under row-level security, where a GIN index does not.';
COMMENT ON COLUMN cognifold.posting.impact IS 'What the lexeme contributes to its text''s BM25, 0 to 255, for a mean length of lexical.usual_length: the order of reading, never a score. 0 where the node is no event: there the newest come first.';
COMMENT ON COLUMN cognifold.posting.signature IS 'The text''s words at a glance (signature): which further words of a question it may hold, and which it surely does not.';

CREATE TABLE cognifold.lexeme_frequency (
    tenant_id      text COLLATE "C" NOT NULL,
    lexeme         text COLLATE "C" NOT NULL,
    document_count bigint NOT NULL CHECK (document_count >= 0),
    PRIMARY KEY (tenant_id, lexeme)
) WITH (fillfactor = 70);
COMMENT ON TABLE cognifold.lexeme_frequency IS 'In how many of the tenant''s events a lexeme stands: BM25 and the query''s word weights use the tenant''s own statistics.';

CREATE TABLE cognifold.lexical_statistics (
    tenant_id      text COLLATE "C" PRIMARY KEY REFERENCES cognifold.tenant (tenant_id) ON DELETE CASCADE,
    document_count bigint NOT NULL DEFAULT 0 CHECK (document_count >= 0),
    total_length   bigint NOT NULL DEFAULT 0 CHECK (total_length >= 0)
) WITH (fillfactor = 50);
COMMENT ON TABLE cognifold.lexical_statistics IS 'How many events are indexed and how long they are together, in lexemes.';

CREATE TABLE cognifold.embedding_statistics (
    tenant_id    text COLLATE "C" NOT NULL REFERENCES cognifold.tenant (tenant_id) ON DELETE CASCADE,
    model_id     smallint NOT NULL REFERENCES cognifold.embedding_model (model_id),
    vector_count bigint NOT NULL CHECK (vector_count >= 0),
    vector_sum   vector NOT NULL,
    PRIMARY KEY (tenant_id, model_id)
) WITH (fillfactor = 50);
COMMENT ON TABLE cognifold.embedding_statistics IS 'The sum of a tenant''s event vectors: its mean tells how alike any two of the tenant''s events are anyway.';

CREATE TABLE cognifold.actor_frequency (
    tenant_id   text COLLATE "C" NOT NULL REFERENCES cognifold.tenant (tenant_id) ON DELETE CASCADE,
    actor       text NOT NULL,
    event_count bigint NOT NULL CHECK (event_count >= 0),
    PRIMARY KEY (tenant_id, actor)
) WITH (fillfactor = 70);
COMMENT ON TABLE cognifold.actor_frequency IS 'Who acts in the tenant''s events, and how often.';

CREATE TABLE cognifold.actor_name (
    tenant_id text COLLATE "C" NOT NULL,
    word      text COLLATE "C" NOT NULL,
    actor     text NOT NULL,
    PRIMARY KEY (tenant_id, word, actor),
    FOREIGN KEY (tenant_id, actor) REFERENCES cognifold.actor_frequency (tenant_id, actor) ON DELETE CASCADE
);
COMMENT ON TABLE cognifold.actor_name IS 'The words of each actor''s name in lower case: a name in a question is looked up here and becomes a boost, not a direction.';

------------------------------------------------------------------------------------------------ work
CREATE TABLE cognifold.work (
    tenant_id   text COLLATE "C" NOT NULL,
    task        text NOT NULL DEFAULT 'fold' CHECK (task IN ('fold')),
    node_id     uuid NOT NULL,
    occurred_at timestamptz NOT NULL,
    state       text NOT NULL DEFAULT 'ready' CHECK (state IN ('ready', 'failed', 'rate_limited', 'dead')),
    attempts    smallint NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    not_before  timestamptz NOT NULL DEFAULT '-infinity',
    enqueued_at timestamptz NOT NULL,
    vectorless  boolean NOT NULL DEFAULT false,
    fence       bigint,
    lease_until timestamptz,
    worker      text,
    error_state text,
    error       text,
    PRIMARY KEY (tenant_id, task, node_id),
    FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.node (tenant_id, id) ON DELETE CASCADE,
    CHECK (num_nulls(fence, lease_until, worker) IN (0, 3)),
    CHECK (fence IS NULL OR state = 'ready')
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
CREATE INDEX work_queue ON cognifold.work (tenant_id, task, occurred_at, node_id) WHERE state <> 'dead';
COMMENT ON TABLE cognifold.work IS 'Events waiting to be folded, in order of event time. A folded event has no row here and a plan instead; dead letters stay with their reason.';
COMMENT ON COLUMN cognifold.work.vectorless IS 'The tenant''s outside model has no vector for this text: it is folded by its words alone.';
COMMENT ON COLUMN cognifold.work.state IS 'ready; failed: will be tried again after not_before; rate_limited: the model''s service asked to wait until not_before; dead: attempts used up, retry it by hand.';
COMMENT ON COLUMN cognifold.work.attempts IS 'How often its fold was begun: counted at the claim, so that an event that ends its worker is counted, too; one that the service of a model turned away is not.';
COMMENT ON COLUMN cognifold.work.fence IS 'Number of the claim it is under, greater with each claim; NULL if none. Only who knows it may write what came of the event.';
COMMENT ON COLUMN cognifold.work.lease_until IS 'Until then nobody else takes it up (wall clock); after that anybody may, and the old fence is worth nothing.';
COMMENT ON COLUMN cognifold.work.worker IS 'Who claimed it, in its own words.';

CREATE SEQUENCE cognifold.fold_fence;
COMMENT ON SEQUENCE cognifold.fold_fence IS 'The numbers of claims (work.fence): never given twice, so that a late worker is told from the one that has the event now.';

------------------------------------------------------------------------------------------------ plans
CREATE TABLE cognifold.plan (
    tenant_id        text COLLATE "C" NOT NULL REFERENCES cognifold.tenant (tenant_id),
    plan_id          uuid NOT NULL,
    version          bigint NOT NULL CHECK (version > 0),
    proposer         text NOT NULL CHECK (proposer IN ('sql', 'llm', 'user', 'consolidate', 'intent', 'undo')),
    model            text,
    trigger_event_id uuid,
    reasoning        text NOT NULL DEFAULT '',
    operations       jsonb NOT NULL CHECK (jsonb_typeof(operations) = 'array'),
    result           jsonb NOT NULL,
    status           text NOT NULL DEFAULT 'applied' CHECK (status IN ('applied', 'undone')),
    undoes           uuid,
    as_of            timestamptz NOT NULL,
    applied_at       timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, plan_id),
    FOREIGN KEY (tenant_id, trigger_event_id) REFERENCES cognifold.node (tenant_id, id),
    FOREIGN KEY (tenant_id, undoes) REFERENCES cognifold.plan (tenant_id, plan_id),
    CHECK ((proposer = 'undo') = (undoes IS NOT NULL)),
    CHECK (model IS NULL OR proposer = 'llm')
);
CREATE UNIQUE INDEX plan_by_version ON cognifold.plan (tenant_id, version);
CREATE INDEX plan_by_time ON cognifold.plan (tenant_id, applied_at);
CREATE INDEX plan_by_trigger ON cognifold.plan (tenant_id, trigger_event_id) WHERE trigger_event_id IS NOT NULL;
CREATE INDEX plan_by_undone ON cognifold.plan (tenant_id, undoes) WHERE undoes IS NOT NULL;
CREATE INDEX plan_of_pass_undone ON cognifold.plan (tenant_id, version) WHERE proposer = 'consolidate' AND status = 'undone';
COMMENT ON TABLE cognifold.plan IS 'Every plan that was applied: its operations with their reasons, and what came of them.';
COMMENT ON COLUMN cognifold.plan.version IS '1, 2, 3, ... in the order applied: the version of the tenant''s graph that the plan made.';
COMMENT ON COLUMN cognifold.plan.status IS 'applied, or undone by a later plan.';
COMMENT ON COLUMN cognifold.plan.model IS 'The model whose answer it is (proposer llm), as its service names it.';
COMMENT ON COLUMN cognifold.plan.undoes IS 'The plan that this one took back (proposer undo).';
COMMENT ON COLUMN cognifold.plan.as_of IS 'The memory''s clock when it was applied.';
COMMENT ON COLUMN cognifold.plan.applied_at IS 'Transaction time (wall clock), strictly growing with version: the moment from which the graph is known to be so.';

CREATE TABLE cognifold.folded_event (
    tenant_id text COLLATE "C" NOT NULL,
    event_id  uuid NOT NULL,
    plan_id   uuid NOT NULL,
    PRIMARY KEY (tenant_id, event_id),
    FOREIGN KEY (tenant_id, event_id) REFERENCES cognifold.node (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, plan_id) REFERENCES cognifold.plan (tenant_id, plan_id)
);
CREATE INDEX folded_event_by_plan ON cognifold.folded_event (tenant_id, plan_id);
COMMENT ON TABLE cognifold.folded_event IS 'Which plan each folded event was folded by: one at most, so that no event is folded twice. An event that is neither here nor in work was folded, and the plan undone.';

CREATE TABLE cognifold.journal (
    tenant_id text COLLATE "C" NOT NULL,
    plan_id   uuid NOT NULL,
    position  integer NOT NULL,
    relation  text NOT NULL CHECK (relation IN (
                  'node', 'graph_edge', 'concept_state', 'annotation', 'insight_state', 'folded_event', 'node_state',
                  'intent_state', 'intent_transition', 'intent_feedback', 'intent_action_state')),
    node_id   uuid NOT NULL,
    other_id  uuid,
    part      text,
    before    jsonb,
    PRIMARY KEY (tenant_id, plan_id, position),
    FOREIGN KEY (tenant_id, plan_id) REFERENCES cognifold.plan (tenant_id, plan_id)
);
CREATE INDEX journal_by_node ON cognifold.journal (tenant_id, node_id);
CREATE INDEX journal_by_other ON cognifold.journal (tenant_id, other_id) WHERE other_id IS NOT NULL;
COMMENT ON TABLE cognifold.journal IS 'What each plan changed, one entry a row: the whole row as it was before, or NULL where the plan made it. history, undo_plan and questions about what was known when are answered from it.';
COMMENT ON COLUMN cognifold.journal.relation IS 'The table of the row. A node stands with its content; of concept_state what evidence did not derive; node_state only where the node was removed.';
COMMENT ON COLUMN cognifold.journal.node_id IS 'The node the row belongs to; of an edge its source, of an insight its id.';
COMMENT ON COLUMN cognifold.journal.other_id IS 'Of an edge its target, of an answer to an intent the event, of an insight the concept it is about.';
COMMENT ON COLUMN cognifold.journal.part IS 'Of an edge its type, of an annotation its name, of a step of an intent its number, of an answer the category, of an insight its kind.';
COMMENT ON COLUMN cognifold.journal.before IS 'The row without its tenant_id, as JSON.';
