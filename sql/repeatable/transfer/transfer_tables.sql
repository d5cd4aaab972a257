-- transfer_tables: what becomes of each table of a tenant in an export and an import, and why: the one list of both.
--
-- Rows are written in this order, so that whatever a row refers to is there before it; what triggers write meanwhile is taken away
-- again before the rows of such a table come in their turn. A new table with a tenant belongs into this list.
CREATE OR REPLACE FUNCTION cognifold.transfer_tables() RETURNS TABLE (
    place integer, relation text, treatment text, reason text, own_columns text[], vector_columns text[], given jsonb, read_from text, in_order text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 60
SET search_path FROM CURRENT
AS $$
    SELECT row_number() OVER ()::integer, v.relation, v.treatment, v.reason, coalesce(o.own_columns, '{}'), coalesce(o.vector_columns, '{}'),
           coalesce(o.given, '{}'), coalesce(o.read_from, v.relation), v.in_order
    FROM (VALUES
        -- what it is set to
        ('setting', 'exported', 's.name', 'what the tenant has set'),
        ('decay_clock', 'exported', 's.rate, s.valid_from', 'how fast it faded when'),
        -- what happened and what was made of it
        ('node', 'exported', 's.merged_into IS NOT NULL, s.id', 'events, concepts, intents and times'),
        ('node_content', 'exported', 's.node_id', 'what they say, verbatim, wherever it lies'),
        ('annotation', 'exported', 's.node_id, s.name', 'what was learned about them'),
        ('graph_edge', 'exported', 's.source_id, s.target_id, s.type', 'the edges, live and faded'),
        ('plan', 'exported', 's.version', 'every plan with its reasons'),
        ('folded_event', 'exported', 's.event_id', 'which plan folded which event'),
        ('journal', 'exported', 's.plan_id, s.position', 'what each plan found, so that it can be undone'),
        ('plan_mention', 'exported', 's.node_id, s.plan_id', 'which plans speak of what beyond their journal, so that it can be forgotten'),
        ('insight_state', 'exported', 's.insight_id', 'what was concluded'),
        ('concept_state', 'exported', 's.node_id', 'strength and evidence of concepts'),
        ('lexical_document', 'exported', '(SELECT n.occurred_at FROM cognifold.node AS n WHERE n.tenant_id = s.tenant_id AND n.id = s.node_id), s.node_id',
         'which nodes are indexed; their words are read from the texts'),
        ('embedding', 'vectors', 's.kind, s.node_id', 'the vectors of the tenant''s own model'),
        ('embedding_statistics', 'vectors', 's.model_id', 'the sum of those vectors'),
        -- what is kept no longer
        ('forgetting', 'exported', 's.forget_id', 'that something was forgotten'),
        ('forgotten_key', 'exported', 's.key_hash', 'which events are not taken in again: else a replay would bring back in the copy what was forgotten'),
        ('retention', 'exported', 's.name', 'how long what is kept: in the copy as well'),
        ('retention_run', 'exported', 's.run_id', 'passes over those rules, and how far the open one is'),
        -- what is hot
        ('node_state', 'exported', 's.node_id', 'accesses, replays, what is archived'),
        ('recall_log', 'exported', 's.log_id', 'recalls that are not counted yet'),
        ('co_recall', 'exported', 's.one_id, s.other_id', 'what was recalled together'),
        ('work', 'exported', 's.task, s.node_id', 'what waits to be folded'),
        ('consolidation_dirty', 'exported', 's.kind, s.node_id', 'what the next sleep has to look at'),
        ('consolidation_run', 'exported', 's.run_id', 'what sleeps did'),
        ('schedule', 'exported', 's.job', 'what the tenant wants done when'),
        -- what is wanted
        ('cue_reading', 'exported', 's.node_id', 'what cues say in its events'),
        ('intent_state', 'exported', 's.node_id', 'where intents stand'),
        ('intent_transition', 'exported', 's.node_id, s.position', 'how they came there'),
        ('intent_feedback', 'exported', 's.category, s.at, s.event_id', 'what people answered'),
        ('intent_action_state', 'exported', 's.node_id, s.position', 'steps proposed and taken'),
        ('intent_assessment', 'exported', 's.node_id', 'what concepts were found to want'),
        ('intent_hold', 'exported', 's.node_id', 'what waits for a stronger goal'),
        ('intent_due', 'exported', 's.node_id, s.due_at', 'what is to be looked at when'),
        -- who is told
        ('outbox', 'exported', 's.position', 'what was told of intents'),
        ('outbox_head', 'exported', 's.last_position', 'how far the telling has come'),
        ('outbox_consumer', 'exported', 's.name', 'who is told, and how far each is'),
        ('delivery', 'exported', 's.consumer, s.position', 'what they have not acknowledged'),
        ('intent_alarm', 'exported', 's.node_id, s.kind', 'what the clock will tell'),
        -- what follows from all that
        ('tenant', 'rebuilt', NULL, 'the head of the file says who it is'),
        ('graph_turn', 'rebuilt', NULL, 'a lock, made with the tenant'),
        ('archived_content', 'rebuilt', NULL, 'texts at rest are packed anew'),
        ('posting', 'rebuilt', NULL, 'read from the texts'),
        ('lexeme_frequency', 'rebuilt', NULL, 'counted from the texts'),
        ('lexical_statistics', 'rebuilt', NULL, 'counted from the texts'),
        ('mention', 'rebuilt', NULL, 'read from the texts'),
        ('actor_frequency', 'rebuilt', NULL, 'counted from the events'),
        ('actor_name', 'rebuilt', NULL, 'read from the actors'),
        ('state_attribute', 'rebuilt', NULL, 'read from the texts'),
        ('state_statement', 'rebuilt', NULL, 'read from the texts'),
        ('concept_lexeme', 'rebuilt', NULL, 'counted from postings and edges'),
        ('vector_count', 'rebuilt', NULL, 'a trigger counts the vectors'),
        ('vector_tail', 'rebuilt', NULL, 'index_vectors fills it'),
        ('vector_index', 'rebuilt', NULL, 'index_vectors fills it'),
        ('node_rank', 'rebuilt', NULL, 'computed from the edges'),
        ('rank_arc', 'rebuilt', NULL, 'computed from the edges'),
        ('rank_dirty', 'rebuilt', NULL, 'computed from the edges'),
        ('graph_projection', 'rebuilt', NULL, 'a projection, and there only with Apache AGE: graph_enable and graph_rebuild there'),
        -- what belongs to where it is
        ('tenant_member', 'left', NULL, 'roles are of their server: bind_role there'),
        ('clearance', 'left', NULL, 'roles are of their server: set_clearance there'),
        ('audit_read', 'left', NULL, 'who asked here what; it is for auditors, and who exports need be none'),
        ('webhook', 'left', NULL, 'a copy must not post to where the original does, and headers may hold keys: set_webhook there'),
        ('watch_count', 'left', NULL, 'watched tables are the application''s: watch them there'),
        ('job_run', 'left', NULL, 'what the workers of one installation did'),
        ('reembedding', 'left', NULL, 'a move to another model is begun anew with reembed'),
        ('reembedding_queue', 'left', NULL, 'a move to another model is begun anew with reembed')
    ) AS v (relation, treatment, in_order, reason)
    LEFT JOIN (VALUES
        -- What is said lies in two places, and goes to one.
        ('node_content', '{pack_id,pack_place}'::text[], '{}'::text[], '{}'::jsonb, 'node_text'),
        -- Which nodes are indexed; their words are read from the texts.
        ('lexical_document', '{length,truncated,lexemes,frequencies}', '{}', '{}', NULL),
        ('concept_state', '{}', '{vector_sum,vector_count}', '{}', NULL),
        -- A model has another number elsewhere.
        ('embedding', '{model_id}', '{}', '{"model_id": "$4"}', NULL),
        ('embedding_statistics', '{model_id}', '{}', '{"model_id": "$4"}', NULL),
        -- Who has something in hand stays behind, and lets go of it in the copy.
        ('work', '{fence,lease_until,worker}', '{}', '{}', NULL),
        ('delivery', '{fence,lease_until,worker}', '{}', '{}', NULL),
        ('consolidation_run', '{holder,leased_until}', '{}',
         '{"holder": "0", "leased_until": "timestamptz ''-infinity''", "state": "CASE r.state WHEN ''running'' THEN ''interrupted'' ELSE r.state END"}', NULL),
        ('outbox', '{written_by}', '{}', '{"written_by": "pg_current_xact_id()"}', NULL)
    ) AS o (relation, own_columns, vector_columns, given, read_from) ON o.relation = v.relation
$$;
COMMENT ON FUNCTION cognifold.transfer_tables() IS
    'Each table with a tenant (graph_projection: if there is one) and what a transfer does with it: exported; vectors (exported with embeddings only); rebuilt by the import; left where it is. reason says why, own_columns what of its rows stays behind, given (SQL) what the import writes instead. Internal.';
