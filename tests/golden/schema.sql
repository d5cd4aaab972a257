CREATE SCHEMA cognifold;
CREATE TYPE cognifold.narrowing AS (
	kinds text[],
	since timestamp with time zone,
	until timestamp with time zone,
	as_of timestamp with time zone,
	known_at timestamp with time zone,
	actors text[],
	sources text[],
	memory_types text[],
	privacy_levels text[],
	narrowed boolean
);
CREATE FUNCTION cognifold.required_tenant() RETURNS text
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.abandon_reembedding(tenant text DEFAULT cognifold.required_tenant()) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.acknowledge(consumer text, positions bigint[], fence bigint, tenant text DEFAULT cognifold.required_tenant()) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.action_fault(tenant text, operation jsonb) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.actions_at(tenant text, moment timestamp with time zone) RETURNS TABLE(tenant_id text, intent_id uuid, "position" integer, what text, due_at timestamp with time zone, status text, proposer text, event_id uuid, as_of timestamp with time zone, plan_id uuid)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.active_intent(tenant text, verb text, intent_id uuid) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.add_edges(tenant text, wanted_edges jsonb, plan_id uuid, clock timestamp with time zone) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.add_evidence(tenant text, wanted_edges jsonb, new_nodes jsonb, fresh_evidence jsonb, settings jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.add_nodes(tenant text, new_nodes jsonb, plan_id uuid, recorded timestamp with time zone, settings jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.add_vectors(tenant text, evidence jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.added_counts(one jsonb, other jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.advance_consolidation(tenant text, run_id uuid, settings jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.affect(content text) RETURNS TABLE(emotional_weight double precision, valence text, arousal double precision)
    LANGUAGE sql STABLE ROWS 1 PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.age_required() RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.alike_concepts(tenant text, concepts uuid[]) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.all_tenants() RETURNS TABLE(tenant text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.altered_nodes(tenant text, moment timestamp with time zone) RETURNS uuid[]
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.answer_intent(intent_id uuid, answer text, note text DEFAULT NULL::text, wake_at timestamp with time zone DEFAULT NULL::timestamp with time zone, tenant text DEFAULT cognifold.required_tenant()) RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.apply_claimed(event_ids uuid[], fence bigint, plan jsonb, read_version bigint DEFAULT NULL::bigint, model text DEFAULT NULL::text, tenant text DEFAULT cognifold.required_tenant()) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.apply_plan(plan jsonb, tenant text DEFAULT cognifold.required_tenant()) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.apply_retention(as_of timestamp with time zone DEFAULT NULL::timestamp with time zone, max_nodes integer DEFAULT NULL::integer, tenant text DEFAULT cognifold.required_tenant()) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE TABLE cognifold.retention (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    keep interval NOT NULL,
    action text NOT NULL COLLATE pg_catalog."C",
    kind text DEFAULT 'event'::text NOT NULL COLLATE pg_catalog."C",
    sources text[],
    privacy_levels text[],
    memory_types text[],
    created_by text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT retention_action_check CHECK ((action = ANY (ARRAY['archive'::text, 'forget'::text]))),
    CONSTRAINT retention_check CHECK (((action = 'forget'::text) OR (kind = 'event'::text))),
    CONSTRAINT retention_keep_check CHECK (((keep > '00:00:00'::interval) AND (keep <= '1000 years'::interval))),
    CONSTRAINT retention_kind_check CHECK ((kind = ANY (ARRAY['event'::text, 'concept'::text, 'intent'::text]))),
    CONSTRAINT retention_memory_types_check CHECK ((memory_types <@ ARRAY['episodic'::text, 'semantic'::text, 'procedural'::text, 'associative'::text])),
    CONSTRAINT retention_name_check CHECK (((name ~ '\S'::text) AND (octet_length(name) <= 200))),
    CONSTRAINT retention_privacy_levels_check CHECK ((privacy_levels <@ ARRAY['private'::text, 'shared'::text, 'public'::text]))
);
ALTER TABLE ONLY cognifold.retention FORCE ROW LEVEL SECURITY;
CREATE FUNCTION cognifold.apply_rule(rule cognifold.retention, as_of timestamp with time zone, maximum integer, INOUT place_at timestamp with time zone, INOUT place_id uuid, OUT looked_at integer, OUT applied integer) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.archive_events(tenant text, as_of timestamp with time zone, maximum integer) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.ask_job(job text, tenant text DEFAULT cognifold.required_tenant()) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.asked_attributes(tenant text, spoken text[], asked text[], subjects text[], of_person boolean, settings jsonb) RETURNS TABLE(subject text, attribute text, words text[], is_multiple boolean, strength double precision)
    LANGUAGE plpgsql STABLE ROWS 5
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.asked_state(tenant text, query text, narrow cognifold.narrowing, until timestamp with time zone, rest text, settings jsonb) RETURNS TABLE(node_id uuid, strength double precision, answers boolean, holds uuid)
    LANGUAGE plpgsql STABLE ROWS 5
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.attracting(tenant text, node_ids uuid[], types text[], clock timestamp with time zone, known_at timestamp with time zone, settings jsonb) RETURNS TABLE(node_id uuid, pull double precision)
    LANGUAGE plpgsql STABLE ROWS 5
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS '...';
CREATE FUNCTION cognifold.attribute_words(words text[], roles text[] DEFAULT ARRAY['names'::text]) RETURNS text[]
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.await_consolidation(tenant text, wait boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.awaiting_embedding(max_events integer DEFAULT 100, tenant text DEFAULT cognifold.required_tenant()) RETURNS TABLE(event_id uuid, content text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.awaiting_reembedding(max_events integer DEFAULT 100, tenant text DEFAULT cognifold.required_tenant()) RETURNS TABLE(event_id uuid, content text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS '...';
CREATE FUNCTION cognifold.backfill(name text, batch integer DEFAULT 1000, restart boolean DEFAULT false) RETURNS TABLE(seen bigint, total bigint, done boolean)
    LANGUAGE plpgsql SECURITY DEFINER ROWS 1
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.begin_consolidation(tenant text, as_of timestamp with time zone, time_budget interval, row_budget bigint, settings jsonb) RETURNS uuid
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.begin_watch(relation regclass, INOUT name text, only_tenant text, OUT watch_id integer, OUT owner text, OUT called text) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.beyond_reach(verb text, reach bigint) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.bind_role(role_name text, tenant text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.binomial_tail(held integer, total integer, share double precision) RETURNS double precision
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.blot_errors(tenant text, gone uuid[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.blot_record(tenant text, plans uuid[], gone uuid[], shaken uuid[], answered uuid[], told jsonb, clock timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.blotted_operations(operations jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.bm25(rarity double precision, frequency double precision, document_length double precision, mean_length double precision, k1 double precision, b double precision) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ...;
CREATE FUNCTION cognifold.build_vector_index(dimensions integer) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.calendar_choice(month integer, day integer, reference date, ahead boolean, back boolean) RETURNS date
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.calendar_day(year integer, month integer, day integer, reference date) RETURNS date
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.calendar_phrase(phrase text, said timestamp without time zone, tense text, is_deadline boolean, is_southern boolean, OUT starts timestamp without time zone, OUT ends timestamp without time zone, OUT "precision" text, OUT shift interval, OUT has_time boolean) RETURNS record
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.calendar_phrase_in(content text, phrase text, place integer, said timestamp without time zone, is_southern boolean, OUT starts timestamp without time zone, OUT ends timestamp without time zone, OUT "precision" text, OUT shift interval, OUT is_deadline boolean) RETURNS record
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE TABLE cognifold.watch (
    watch_id integer NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    relation text NOT NULL,
    owner text NOT NULL,
    created_by text NOT NULL,
    created_as text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    only_tenant text COLLATE pg_catalog."C",
    operations text[] NOT NULL,
    source text NOT NULL,
    given jsonb NOT NULL,
    places jsonb NOT NULL,
    templates jsonb NOT NULL,
    key_places integer[] NOT NULL,
    columns jsonb NOT NULL,
    ended_at timestamp with time zone,
    backfill_after text[],
    backfilled bigint DEFAULT 0 NOT NULL,
    backfilled_at timestamp with time zone,
    CONSTRAINT watch_name_check CHECK (((octet_length(name) >= 1) AND (octet_length(name) <= 200)))
);
CREATE FUNCTION cognifold.captured_row_key(capture cognifold_watch.inbox, made_by cognifold.watch) RETURNS text
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.captured_source_key(capture cognifold_watch.inbox, made_by cognifold.watch) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.captures_of(batch cognifold_watch.inbox[]) RETURNS TABLE(capture cognifold_watch.inbox, place integer, made_by cognifold.watch, is_allowed boolean)
    LANGUAGE sql STABLE ROWS 50
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.category_acceptance(tenant text, clock timestamp with time zone, known_at timestamp with time zone DEFAULT NULL::timestamp with time zone) RETURNS TABLE(category text, answers bigint, accepted double precision, acceptance double precision)
    LANGUAGE plpgsql STABLE ROWS 8
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.category_theta(tenant text, category text, clock timestamp with time zone) RETURNS double precision
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.category_weight(tenant text, category text, clock timestamp with time zone) RETURNS double precision
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold."check"(tenant text DEFAULT cognifold.required_tenant()) RETURNS TABLE(invariant text, subject text, detail text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.checked_budget(time_budget interval, row_budget bigint) RETURNS void
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.checked_expression(relation regclass, owner text, path text, expression text, wanted text DEFAULT NULL::text) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.checked_lines(lines regclass, OUT header jsonb, OUT sections jsonb, OUT number bigint) RETURNS record
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.checked_moment(verb text, as_of timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.checked_period(every interval, after_folds integer) RETURNS void
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.checked_profile(role_name text, profile text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.checked_vector(given public.vector, model text, tenant text) RETURNS public.vector
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.checked_walk(verb text, hops integer, k integer, engine text, tenant text) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.claim_folds(max_events integer DEFAULT 1, lease interval DEFAULT NULL::interval, worker text DEFAULT NULL::text, tenant text DEFAULT cognifold.required_tenant()) RETURNS TABLE(event_id uuid, fence bigint, attempts integer)
    LANGUAGE plpgsql SECURITY DEFINER ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.claim_jobs(max_jobs integer DEFAULT 1, slots text[] DEFAULT NULL::text[], jobs text[] DEFAULT NULL::text[], tenants text[] DEFAULT NULL::text[], worker text DEFAULT NULL::text) RETURNS TABLE(tenant text, job text, period timestamp with time zone, cause text, fence bigint, attempts integer)
    LANGUAGE plpgsql SECURITY DEFINER ROWS 5
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.clear_archived() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.clear_places(tenant text, pack integer, places smallint[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.clearance(tenant text DEFAULT cognifold.required_tenant()) RETURNS text
    LANGUAGE plpgsql STABLE SECURITY DEFINER PARALLEL RESTRICTED
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.cleared_context(query text, token_budget integer DEFAULT 1000, kinds text[] DEFAULT NULL::text[], since timestamp with time zone DEFAULT NULL::timestamp with time zone, until timestamp with time zone DEFAULT NULL::timestamp with time zone, actors text[] DEFAULT NULL::text[], sources text[] DEFAULT NULL::text[], minimum_score double precision DEFAULT 0, as_of timestamp with time zone DEFAULT NULL::timestamp with time zone, query_embedding public.vector DEFAULT NULL::public.vector, model text DEFAULT NULL::text, known_at timestamp with time zone DEFAULT NULL::timestamp with time zone, seen uuid[] DEFAULT NULL::uuid[], memory_types text[] DEFAULT NULL::text[], privacy_levels text[] DEFAULT NULL::text[], tenant text DEFAULT cognifold.required_tenant(), OUT text text, OUT tokens integer, OUT source_ids uuid[], OUT left_out integer) RETURNS record
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.cleared_context_window(max_nodes integer DEFAULT 100, as_of timestamp with time zone DEFAULT NULL::timestamp with time zone, tenant text DEFAULT cognifold.required_tenant()) RETURNS TABLE(tier text, node_id uuid, kind text, title text, score double precision, pagerank double precision, recency double precision, access double precision, urgency double precision, diversity double precision, tier_score double precision, occurred_at timestamp with time zone, content text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET enable_nestloop TO 'off'
    SET jit TO 'off'
    AS '...';
CREATE FUNCTION cognifold.cleared_explain(node_id uuid, as_of timestamp with time zone DEFAULT NULL::timestamp with time zone, known_at timestamp with time zone DEFAULT NULL::timestamp with time zone, tenant text DEFAULT cognifold.required_tenant()) RETURNS TABLE(depth integer, id uuid, kind text, title text, content text, occurred_at timestamp with time zone, actor text, source text, relation text, supports uuid, weight double precision, stated boolean, reasoning text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.cleared_explain_recall(query text, k integer DEFAULT 10, kinds text[] DEFAULT NULL::text[], since timestamp with time zone DEFAULT NULL::timestamp with time zone, until timestamp with time zone DEFAULT NULL::timestamp with time zone, actors text[] DEFAULT NULL::text[], sources text[] DEFAULT NULL::text[], minimum_score double precision DEFAULT 0, as_of timestamp with time zone DEFAULT NULL::timestamp with time zone, query_embedding public.vector DEFAULT NULL::public.vector, model text DEFAULT NULL::text, known_at timestamp with time zone DEFAULT NULL::timestamp with time zone, seen uuid[] DEFAULT NULL::uuid[], memory_types text[] DEFAULT NULL::text[], privacy_levels text[] DEFAULT NULL::text[], tenant text DEFAULT cognifold.required_tenant()) RETURNS TABLE(place bigint, node_id uuid, kind text, title text, occurred_at timestamp with time zone, actor text, score double precision, relevance double precision, modulation double precision, signals jsonb, factors jsonb, cosine double precision, keyword double precision, path jsonb, path_reason text, replaced_by uuid, contradicts uuid[])
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET extra_float_digits TO '1'
    AS '...';
CREATE FUNCTION cognifold.cleared_levels() RETURNS text[]
    LANGUAGE sql STABLE PARALLEL RESTRICTED
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.cleared_ranked_intents(k integer DEFAULT 10, as_of timestamp with time zone DEFAULT NULL::timestamp with time zone, tenant text DEFAULT cognifold.required_tenant()) RETURNS TABLE(rank bigint, intent_id uuid, title text, status text, category text, value double precision, readiness double precision, acceptance double precision, urgency double precision, deadline timestamp with time zone)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.cleared_recall(query text, k integer DEFAULT 10, kinds text[] DEFAULT NULL::text[], since timestamp with time zone DEFAULT NULL::timestamp with time zone, until timestamp with time zone DEFAULT NULL::timestamp with time zone, actors text[] DEFAULT NULL::text[], sources text[] DEFAULT NULL::text[], minimum_score double precision DEFAULT 0, as_of timestamp with time zone DEFAULT NULL::timestamp with time zone, query_embedding public.vector DEFAULT NULL::public.vector, model text DEFAULT NULL::text, known_at timestamp with time zone DEFAULT NULL::timestamp with time zone, seen uuid[] DEFAULT NULL::uuid[], memory_types text[] DEFAULT NULL::text[], privacy_levels text[] DEFAULT NULL::text[], tenant text DEFAULT cognifold.required_tenant()) RETURNS TABLE(node_id uuid, kind text, title text, content text, occurred_at timestamp with time zone, score double precision, actor text, source text, cosine double precision, keyword double precision, names_actor boolean, neighbours double precision, intent double precision, relevance double precision, modulation double precision)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.cluster_density(tenant text, concept uuid, clock timestamp with time zone) RETURNS TABLE(members uuid[], mass double precision, cohesion double precision, density double precision)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.composed_vector(word text) RETURNS public.vector
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.concept_category(tenant text, concept uuid, events uuid[], settings jsonb) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.concept_evidence(tenant text, concepts uuid[], as_of timestamp with time zone, maximum integer) RETURNS TABLE(concept uuid, event_id uuid, occurred_at timestamp with time zone, occurred_precision text, actor text, emotional_weight real)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.concept_faults(tenant text) RETURNS TABLE(invariant text, subject text, detail text)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.concept_intents(tenant text, concepts uuid[], clock timestamp with time zone) RETURNS TABLE(intent_id uuid, status text, closed_at timestamp with time zone, last_evidence timestamp with time zone)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.concept_neighbours(tenant text, concepts uuid[], bar double precision, maximum integer) RETURNS TABLE(concept uuid, neighbour uuid, cosine numeric)
    LANGUAGE plpgsql STABLE ROWS 100
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.concept_title(tenant text, events uuid[], concept uuid DEFAULT NULL::uuid) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.concept_vector_at(tenant text, concept uuid, moment timestamp with time zone) RETURNS public.halfvec
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.concepts_at(tenant text, moment timestamp with time zone) RETURNS TABLE(tenant_id text, id uuid, title text, content text, strength double precision, evidence_count integer, evidence_mass double precision, occurred_at timestamp with time zone, recorded_at timestamp with time zone, memory_type text, reasoning text, payload jsonb, merged_into uuid, plan_id uuid, access_count bigint, last_accessed timestamp with time zone, dormant boolean)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.concepts_conflict(tenant text, one uuid, other uuid) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.conflicting_statements(tenant text, node_ids uuid[], clock timestamp with time zone DEFAULT NULL::timestamp with time zone) RETURNS TABLE(node_id uuid, contradicted_by uuid, subject text, attribute text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.consolidate(as_of timestamp with time zone DEFAULT NULL::timestamp with time zone, tenant text DEFAULT cognifold.required_tenant(), time_budget interval DEFAULT NULL::interval, row_budget bigint DEFAULT NULL::bigint, wait boolean DEFAULT true) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE PROCEDURE cognifold.consolidate_all(IN as_of timestamp with time zone DEFAULT NULL::timestamp with time zone, IN tenant text DEFAULT cognifold.required_tenant(), IN time_budget interval DEFAULT NULL::interval, IN row_budget bigint DEFAULT NULL::bigint, IN wait boolean DEFAULT true)
    LANGUAGE plpgsql
    AS '...';
CREATE FUNCTION cognifold.consolidate_step(run_id uuid DEFAULT NULL::uuid, as_of timestamp with time zone DEFAULT NULL::timestamp with time zone, tenant text DEFAULT cognifold.required_tenant(), time_budget interval DEFAULT NULL::interval, row_budget bigint DEFAULT NULL::bigint, finish boolean DEFAULT false) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.consolidation_due(tenant text, as_of timestamp with time zone) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.consolidation_faults(tenant text) RETURNS TABLE(invariant text, subject text, detail text)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.consolidation_pause(run_id uuid, tenant text DEFAULT cognifold.required_tenant()) RETURNS double precision
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.context(query text, token_budget integer DEFAULT 1000, kinds text[] DEFAULT NULL::text[], since timestamp with time zone DEFAULT NULL::timestamp with time zone, until timestamp with time zone DEFAULT NULL::timestamp with time zone, actors text[] DEFAULT NULL::text[], sources text[] DEFAULT NULL::text[], minimum_score double precision DEFAULT 0, as_of timestamp with time zone DEFAULT NULL::timestamp with time zone, query_embedding public.vector DEFAULT NULL::public.vector, model text DEFAULT NULL::text, known_at timestamp with time zone DEFAULT NULL::timestamp with time zone, seen uuid[] DEFAULT NULL::uuid[], memory_types text[] DEFAULT NULL::text[], privacy_levels text[] DEFAULT NULL::text[], tenant text DEFAULT cognifold.required_tenant(), OUT text text, OUT tokens integer, OUT source_ids uuid[], OUT left_out integer) RETURNS record
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.context_window(max_nodes integer DEFAULT 100, as_of timestamp with time zone DEFAULT NULL::timestamp with time zone, tenant text DEFAULT cognifold.required_tenant()) RETURNS TABLE(tier text, node_id uuid, kind text, title text, score double precision, pagerank double precision, recency double precision, access double precision, urgency double precision, diversity double precision, tier_score double precision, occurred_at timestamp with time zone, content text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET enable_nestloop TO 'off'
    SET jit TO 'off'
    AS '...';
CREATE FUNCTION cognifold.contradictions(tenant text, node_ids uuid[], known_at timestamp with time zone DEFAULT NULL::timestamp with time zone) RETURNS TABLE(node_id uuid, contradicts uuid)
    LANGUAGE sql STABLE ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.count_recalls(max_rows integer DEFAULT NULL::integer, tenant text DEFAULT cognifold.required_tenant()) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.count_vector(tenant text, model_id smallint, added public.vector) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.count_word(word text) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.counts() RETURNS TABLE(tenant_id text, events bigint, concepts bigint, intents bigint, times bigint, edges_live bigint, edges_faded bigint, folds_pending bigint, folds_failed bigint, folds_dead bigint, oldest_pending timestamp with time zone, last_event timestamp with time zone, last_fold timestamp with time zone, last_consolidation timestamp with time zone, embedding_model text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.create_consumer(name text, kinds text[] DEFAULT NULL::text[], categories text[] DEFAULT NULL::text[], from_start boolean DEFAULT false, tenant text DEFAULT cognifold.required_tenant()) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.create_tenant(tenant text, display_name text DEFAULT NULL::text, time_zone text DEFAULT 'UTC'::text, model text DEFAULT 'lexicon'::text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.cue_edition() RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.cue_matches(title text, content text) RETURNS TABLE(place bigint, sentence text, kind text, weight double precision, phrase text, is_need boolean)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.current_tenant() RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.cut_sentence(sentence text, maximum integer) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.dates(content text, occurred_at timestamp with time zone, time_zone text DEFAULT NULL::text) RETURNS TABLE(phrase text, starts_at timestamp with time zone, ends_at timestamp with time zone, "precision" text, is_deadline boolean)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 2
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.day_part(seconds double precision) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.deadline_moment(metadata jsonb, occurred_at timestamp with time zone, "precision" text, zone text, clock timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.deadlines(text text, payload jsonb, said_at timestamp with time zone, zone text) RETURNS TABLE(moment timestamp with time zone, "precision" text, phrase text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.decay_integral(tenant text, rate text, at timestamp with time zone) RETURNS double precision
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.deleted_row(capture cognifold_watch.inbox, made_by cognifold.watch) RETURNS jsonb
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.delivery_faults(tenant text) RETURNS TABLE(invariant text, subject text, detail text)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE TABLE cognifold.outbox (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    "position" bigint NOT NULL,
    id uuid NOT NULL,
    node_id uuid NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    from_status text COLLATE pg_catalog."C",
    status text COLLATE pg_catalog."C",
    category text NOT NULL COLLATE pg_catalog."C",
    moment timestamp with time zone NOT NULL,
    wake_at timestamp with time zone,
    deadline timestamp with time zone,
    expires_at timestamp with time zone,
    event_id uuid,
    plan_id uuid,
    recorded_at timestamp with time zone NOT NULL,
    written_by xid8 NOT NULL,
    CONSTRAINT outbox_kind_check CHECK ((kind ~ '^[a-z_]{1,63}$'::text)),
    CONSTRAINT outbox_position_check CHECK (("position" > 0))
);
ALTER TABLE ONLY cognifold.outbox FORCE ROW LEVEL SECURITY;
CREATE FUNCTION cognifold.delivery_payload(tenant text, happening cognifold.outbox) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    AS '...';
CREATE FUNCTION cognifold.density(concept uuid, as_of timestamp with time zone DEFAULT NULL::timestamp with time zone, tenant text DEFAULT cognifold.required_tenant()) RETURNS double precision
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.dependent_plans(tenant text, plan_id uuid) RETURNS TABLE(dependent uuid, version bigint)
    LANGUAGE plpgsql STABLE ROWS 5
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.diagnose() RETURNS TABLE(severity text, subject text, finding text, remedy text)
    LANGUAGE plpgsql SECURITY DEFINER ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.disable_consumer(name text, reason text DEFAULT NULL::text, tenant text DEFAULT cognifold.required_tenant()) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.doorbell_is_quiet(tenant text) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS '...';
CREATE FUNCTION cognifold.dormant_concepts(tenant text, concepts uuid[], moment timestamp with time zone) RETURNS TABLE(concept uuid, source_id uuid, type text)
    LANGUAGE sql STABLE ROWS 1
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.drift() RETURNS TABLE(identity text, change text, fingerprint text)
    LANGUAGE sql STABLE SECURITY DEFINER ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.drop_consumer(name text, tenant text DEFAULT cognifold.required_tenant()) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.drop_faults(tenant text, events uuid[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS '...';
CREATE FUNCTION cognifold.drop_orphans() RETURNS integer
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.drop_watch(watch_id integer) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET client_min_messages TO 'warning'
    AS '...';
CREATE FUNCTION cognifold.due_clusters(tenant text, clock timestamp with time zone) RETURNS TABLE(node_id uuid)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.due_dates(text text, payload jsonb, said_at timestamp with time zone, zone text) RETURNS TABLE(moment timestamp with time zone, "precision" text, phrase text, rule text)
    LANGUAGE plpgsql STABLE ROWS 1
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.due_events(tenant text, as_of timestamp with time zone, maximum integer) RETURNS uuid[]
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.due_jobs() RETURNS TABLE(tenant text, job text, slot text)
    LANGUAGE sql STABLE SECURITY DEFINER ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.duplicate_concept(tenant text, title text, grounded_in uuid[]) RETURNS uuid
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE TABLE cognifold.graph_edge (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    source_id uuid NOT NULL,
    target_id uuid NOT NULL,
    type text NOT NULL,
    source_kind text NOT NULL,
    target_kind text NOT NULL,
    rate text NOT NULL,
    potential double precision NOT NULL,
    stamped_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    inferred boolean DEFAULT false NOT NULL,
    bidirectional boolean DEFAULT false NOT NULL,
    faded_at timestamp with time zone,
    metadata jsonb,
    plan_id uuid NOT NULL,
    CONSTRAINT graph_edge_check CHECK ((rate =
CASE source_kind
    WHEN 'event'::text THEN 'episodic'::text
    ELSE 'semantic'::text
END)),
    CONSTRAINT graph_edge_check1 CHECK ((source_id <> target_id)),
    CONSTRAINT graph_edge_potential_check CHECK (((potential > '-Infinity'::double precision) AND (potential < 'Infinity'::double precision)))
);
ALTER TABLE ONLY cognifold.graph_edge FORCE ROW LEVEL SECURITY;
CREATE FUNCTION cognifold.edges_at(tenant text, moment timestamp with time zone, node_id uuid DEFAULT NULL::uuid) RETURNS SETOF cognifold.graph_edge
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.edges_due(tenant text, as_of timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS '...';
CREATE FUNCTION cognifold.effective_role() RETURNS text
    LANGUAGE sql STABLE PARALLEL RESTRICTED
    AS '...';
CREATE FUNCTION cognifold.embed(text text, role text DEFAULT 'document'::text, tenant text DEFAULT NULL::text) RETURNS public.vector
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.emit_due(tenant text DEFAULT cognifold.required_tenant()) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.emit_intents(as_of timestamp with time zone DEFAULT NULL::timestamp with time zone, tenant text DEFAULT cognifold.required_tenant()) RETURNS TABLE(intent_id uuid, title text, category text, density double precision, theta double precision, reason text, deadline timestamp with time zone, evidence uuid[], pressure double precision, readiness double precision)
    LANGUAGE plpgsql SECURITY DEFINER ROWS 5
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.emit_strands(tenant text, clock timestamp with time zone, settings jsonb) RETURNS TABLE(intent_id uuid, title text, category text, density double precision, theta double precision, reason text, deadline timestamp with time zone, evidence uuid[], pressure double precision, readiness double precision)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.enable_consumer(name text, tenant text DEFAULT cognifold.required_tenant()) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.enter_tenant(tenant text) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.event_digest(content text, title text, payload jsonb, occurred_at timestamp with time zone, source text, actor text) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ...;
CREATE FUNCTION cognifold.event_faults(tenant text) RETURNS TABLE(invariant text, subject text, detail text)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.event_summaries(tenant text, events uuid[], as_of timestamp with time zone) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.evidence_mass(tenant text, concept uuid, clock timestamp with time zone) RETURNS double precision
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.evidence_potential(tenant text, concept uuid) RETURNS double precision
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.execute_in_plans(tenant text, as_of timestamp with time zone, reasoning text, operations jsonb, settings jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.execute_plan(tenant text, plan jsonb, proposer text, folded_events uuid[] DEFAULT '{}'::uuid[], settings jsonb DEFAULT NULL::jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.explain(node_id uuid, as_of timestamp with time zone DEFAULT NULL::timestamp with time zone, known_at timestamp with time zone DEFAULT NULL::timestamp with time zone, tenant text DEFAULT cognifold.required_tenant()) RETURNS TABLE(depth integer, id uuid, kind text, title text, content text, occurred_at timestamp with time zone, actor text, source text, relation text, supports uuid, weight double precision, stated boolean, reasoning text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.explain_recall(query text, k integer DEFAULT 10, kinds text[] DEFAULT NULL::text[], since timestamp with time zone DEFAULT NULL::timestamp with time zone, until timestamp with time zone DEFAULT NULL::timestamp with time zone, actors text[] DEFAULT NULL::text[], sources text[] DEFAULT NULL::text[], minimum_score double precision DEFAULT 0, as_of timestamp with time zone DEFAULT NULL::timestamp with time zone, query_embedding public.vector DEFAULT NULL::public.vector, model text DEFAULT NULL::text, known_at timestamp with time zone DEFAULT NULL::timestamp with time zone, seen uuid[] DEFAULT NULL::uuid[], memory_types text[] DEFAULT NULL::text[], privacy_levels text[] DEFAULT NULL::text[], tenant text DEFAULT cognifold.required_tenant()) RETURNS TABLE(place bigint, node_id uuid, kind text, title text, occurred_at timestamp with time zone, actor text, score double precision, relevance double precision, modulation double precision, signals jsonb, factors jsonb, cosine double precision, keyword double precision, path jsonb, path_reason text, replaced_by uuid, contradicts uuid[])
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET extra_float_digits TO '1'
    AS '...';
CREATE FUNCTION cognifold.export_query(relation text, embeddings boolean) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.export_tenant(embeddings boolean DEFAULT false, tenant text DEFAULT cognifold.required_tenant()) RETURNS TABLE(line text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100000
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    SET extra_float_digits TO '1'
    SET bytea_output TO 'hex'
    SET "IntervalStyle" TO 'postgres'
    AS '...';
CREATE FUNCTION cognifold.fade_edges(tenant text, as_of timestamp with time zone, maximum integer) RETURNS jsonb
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.fading_bars(tenant text, as_of timestamp with time zone) RETURNS TABLE(rate text, bar double precision)
    LANGUAGE sql STABLE ROWS 2
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.fail_claimed(event_ids uuid[], fence bigint, state text, error_state text, error text, retry_after interval DEFAULT NULL::interval, tenant text DEFAULT cognifold.required_tenant()) RETURNS TABLE(event_id uuid, outcome text)
    LANGUAGE plpgsql SECURITY DEFINER ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.fail_delivery(consumer text, positions bigint[], fence bigint, reason text, retry_after interval DEFAULT NULL::interval, tenant text DEFAULT cognifold.required_tenant()) RETURNS TABLE("position" bigint, state text, not_before timestamp with time zone)
    LANGUAGE plpgsql SECURITY DEFINER ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.few_asked_for(tenant text, narrow cognifold.narrowing, most integer) RETURNS uuid[]
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_hashjoin TO 'off'
    SET jit TO 'off'
    AS '...';
CREATE FUNCTION cognifold.fill_reembedding(tenant text, model_id smallint, dimensions integer, event_ids uuid[], vectors public.vector[]) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.filled_template(parts jsonb, row_values text[], old_values text[], is_gone boolean) RETURNS text
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.find_insights(tenant text, concepts uuid[], as_of timestamp with time zone) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.finish_job(job text, period timestamp with time zone, fence bigint, report jsonb DEFAULT NULL::jsonb, error_state text DEFAULT NULL::text, error text DEFAULT NULL::text, tenant text DEFAULT cognifold.required_tenant()) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.focus(content text, half double precision) RETURNS public.vector
    LANGUAGE sql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.fold(max_events integer DEFAULT 50, tenant text DEFAULT cognifold.required_tenant()) RETURNS TABLE(event_id uuid, plan_id uuid, outcome text, operations integer)
    LANGUAGE plpgsql SECURITY DEFINER ROWS 50
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE PROCEDURE cognifold.fold_all(IN max_events integer DEFAULT NULL::integer, IN tenant text DEFAULT cognifold.required_tenant())
    LANGUAGE plpgsql
    AS '...';
CREATE FUNCTION cognifold.fold_allowance(tenant text DEFAULT cognifold.required_tenant()) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.fold_claimed(event_id uuid, fence bigint, reason text DEFAULT NULL::text, tenant text DEFAULT cognifold.required_tenant()) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.fold_if_free(max_events integer DEFAULT 1, tenant text DEFAULT cognifold.required_tenant()) RETURNS TABLE(event_id uuid, plan_id uuid, outcome text, operations integer)
    LANGUAGE plpgsql SECURITY DEFINER ROWS 50
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.fold_request(event_ids uuid[], tenant text DEFAULT cognifold.required_tenant()) RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.fold_share(tenant text) RETURNS integer
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.fold_without_embedding(event_id uuid, tenant text DEFAULT cognifold.required_tenant()) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.folded_since(tenant text, moment timestamp with time zone, enough bigint) RETURNS bigint
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.foremost(tenant text, clock timestamp with time zone, settings jsonb, immediate integer, working integer, background integer, places integer) RETURNS TABLE(node_id uuid, kind text, occurred_at timestamp with time zone, score double precision, pagerank double precision, recency double precision, access double precision, urgency double precision, band integer)
    LANGUAGE plpgsql STABLE ROWS 500
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS '...';
CREATE FUNCTION cognifold.forget(node_ids uuid[] DEFAULT NULL::uuid[], idempotency_key text DEFAULT NULL::text, source text DEFAULT NULL::text, source_key text DEFAULT NULL::text, actor text DEFAULT NULL::text, subject text DEFAULT NULL::text, since timestamp with time zone DEFAULT NULL::timestamp with time zone, until timestamp with time zone DEFAULT NULL::timestamp with time zone, dry_run boolean DEFAULT false, tenant text DEFAULT cognifold.required_tenant()) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.forget_attributes() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.forget_deleted(tenant text, deleted jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.forget_faults(tenant text) RETURNS TABLE(invariant text, subject text, detail text)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.forget_nodes(tenant text, named uuid[], traces jsonb, criteria text[], forgotten_by text, dry_run boolean) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.forget_watched(tenant text, made_by cognifold.watch, row_keys text[], source_keys text[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS '...';
CREATE FUNCTION cognifold.forgetting_scope(tenant text, named uuid[], OUT gone uuid[], OUT shaken uuid[], OUT insights uuid[], OUT answered uuid[], OUT telling uuid[]) RETURNS record
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.forgotten_hash(key text) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.former_nodes(tenant text, altered uuid[], narrow cognifold.narrowing) RETURNS TABLE(id uuid, kind text, title text, content text, occurred_at timestamp with time zone, emotional_weight real, vector public.halfvec)
    LANGUAGE plpgsql STABLE ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.fuller_phrase(title text, content text, phrase text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.grant_to(role_name text, profile text, tenant text DEFAULT NULL::text) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.grantable_profiles() RETURNS TABLE(profile text, house_role text)
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.graph_disable(tenant text DEFAULT cognifold.required_tenant()) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.graph_enable(tenant text DEFAULT cognifold.required_tenant()) RETURNS name
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.graph_grant(role_name text, tenant text DEFAULT cognifold.required_tenant()) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.graph_has_lag(tenant text) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.graph_lags() RETURNS TABLE(tenant_id text, graph_name name, version bigint, plans bigint, changes bigint, seconds double precision, synced_at timestamp with time zone, stale boolean)
    LANGUAGE plpgsql SECURITY DEFINER ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.graph_neighbourhood(node_id uuid, hops integer DEFAULT 1, k integer DEFAULT 100, engine text DEFAULT 'sql'::text, tenant text DEFAULT cognifold.required_tenant()) RETURNS TABLE(hop integer, id uuid, kind text, title text, occurred_at timestamp with time zone)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.graph_of(tenant text, to_be_read boolean DEFAULT true) RETURNS name
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.graph_paths(from_id uuid, to_id uuid, max_hops integer DEFAULT 3, k integer DEFAULT 10, engine text DEFAULT 'sql'::text, tenant text DEFAULT cognifold.required_tenant()) RETURNS TABLE(hops integer, nodes uuid[], relations text[], forward boolean[], titles text[])
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.graph_pattern(shape text, node_id uuid, other_id uuid DEFAULT NULL::uuid, hops integer DEFAULT 3, k integer DEFAULT 100, engine text DEFAULT 'sql'::text, tenant text DEFAULT cognifold.required_tenant()) RETURNS TABLE(nodes uuid[], titles text[])
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.graph_rebuild(tenant text DEFAULT cognifold.required_tenant()) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.graph_revoke(role_name text, tenant text DEFAULT cognifold.required_tenant()) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.graph_sync(max_changes integer DEFAULT 2000, tenant text DEFAULT cognifold.required_tenant()) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.grounding_faults(tenant text, operations jsonb) RETURNS TABLE("position" bigint, reason text)
    LANGUAGE plpgsql STABLE ROWS 1
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.grown_strand(tenant text, event_id uuid, settings jsonb) RETURNS TABLE(members uuid[], affinities double precision[])
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.has_provenance(tenant text, node_id uuid) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.has_to_consolidate(tenant text, as_of timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.hashed_vector(word text) RETURNS public.vector
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.headline(content text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.health() RETURNS TABLE(name text, ok boolean, detail text)
    LANGUAGE plpgsql SECURITY DEFINER ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.history(node_id uuid, tenant text DEFAULT cognifold.required_tenant()) RETURNS TABLE(version bigint, plan_id uuid, applied_at timestamp with time zone, proposer text, status text, relation text, change text, other_id uuid, part text, before jsonb, reasoning text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.hold_back(tenant text, node_id uuid, members uuid[], evidence uuid[], readiness double precision, category text, deadline timestamp with time zone, clock timestamp with time zone, settings jsonb) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.hold_claim(tenant text, event_ids uuid[], fence bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.hold_deliveries(tenant text, consumer text, positions bigint[], fence bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.hours(moment timestamp with time zone) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ...;
CREATE FUNCTION cognifold.hypergeometric_tail(held integer, drawn integer, marked integer, total integer) RETURNS double precision
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.images_since(tenant text, moment timestamp with time zone, relation text) RETURNS TABLE(node_id uuid, other_id uuid, part text, image jsonb)
    LANGUAGE plpgsql STABLE ROWS 100
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.immediate_score(recency double precision, urgency double precision, settings jsonb) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ...;
CREATE FUNCTION cognifold.impact(frequency integer, length integer, usual_length double precision, k1 double precision, b double precision) RETURNS smallint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ...;
CREATE FUNCTION cognifold.import_indexes(tenant text, lines regclass, first bigint, last bigint, vectors boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.import_lines(tenant text, relation text, lines regclass, first bigint, last bigint, model_id smallint, vectors boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.import_statement(relation text, lines regclass, vectors boolean) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.import_tenant(lines regclass, tenant text DEFAULT NULL::text, model text DEFAULT NULL::text) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    SET "IntervalStyle" TO 'postgres'
    AS '...';
CREATE FUNCTION cognifold.index_names(tenant text, node_id uuid, title text, content text, settings jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.index_node(tenant text, node_id uuid, settings jsonb DEFAULT NULL::jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.index_vectors(max_rows integer DEFAULT 1000, tenant text DEFAULT cognifold.required_tenant()) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS '...';
CREATE FUNCTION cognifold.indexed_text(title text, content text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.information(tenant text, content text) RETURNS double precision
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.insight_fault(tenant text, operation jsonb, proposer text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.insights_at(tenant text, moment timestamp with time zone) RETURNS TABLE(tenant_id text, insight_id uuid, node_id uuid, about text, kind text, insight text, confidence real, abstraction_level text, derived_from uuid[], figures jsonb, as_of timestamp with time zone, created_at timestamp with time zone, plan_id uuid)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.intent_pressure(tenant text, concept uuid, since timestamp with time zone, clock timestamp with time zone, settings jsonb) RETURNS TABLE(pressure double precision, met double precision, cues integer, voiced jsonb, completion uuid, deadline_node uuid, deadline timestamp with time zone)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.intent_status(status text, wake_at timestamp with time zone, expires_at timestamp with time zone, as_of timestamp with time zone) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.intent_value(readiness double precision, acceptance double precision, deadline timestamp with time zone, clock timestamp with time zone, foresight double precision) RETURNS double precision
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.intent_words(tenant text, concept uuid, voiced jsonb, deadline timestamp with time zone, density double precision, pressure double precision, readiness double precision, category text, theta double precision, settings jsonb) RETURNS TABLE(title text, reason text, numbers text)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.intents_at(tenant text, moment timestamp with time zone) RETURNS TABLE(tenant_id text, id uuid, title text, content text, occurred_at timestamp with time zone, recorded_at timestamp with time zone, reasoning text, payload jsonb, plan_id uuid, status text, category text, density double precision, pressure double precision, readiness double precision, theta double precision, deadline timestamp with time zone, wake_at timestamp with time zone, expires_at timestamp with time zone, closed_at timestamp with time zone, evidence_count bigint, answer_count bigint, value double precision)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.is_asked_for(occurred_at timestamp with time zone, actor text, source text, recorded_at timestamp with time zone, memory_type text, privacy_level text, narrow cognifold.narrowing) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ...;
CREATE FUNCTION cognifold.is_calendar_phrase(phrase text, before text, after text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.is_cleared(tenant text, node_id uuid, levels text[]) RETURNS boolean
    LANGUAGE plpgsql STABLE SECURITY DEFINER PARALLEL RESTRICTED
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS '...';
CREATE FUNCTION cognifold.is_key_of_row(key text, begins text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.is_transient(error_state text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.is_uuid(name text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ...;
CREATE FUNCTION cognifold.job_has_work(tenant text, job text, moment timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.job_period(tenant text, job text, moment timestamp with time zone, every interval, jitter interval) RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.job_states() RETURNS TABLE(tenant_id text, job text, enabled boolean, every interval, after_folds integer, clock text, next_at timestamp with time zone, wanted text, overdue double precision, last_period timestamp with time zone, last_run_at timestamp with time zone, state text, attempts integer, worker text, seconds double precision, report jsonb, error text)
    LANGUAGE plpgsql SECURITY DEFINER ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.journal_changes(tenant text, plan_id uuid, changes jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.keep_policy(guarded regclass, name text, role text, command text, using_expression text, check_expression text DEFAULT NULL::text) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.keywords_of(tenant text, words text, node_ids uuid[], texts text[]) RETURNS TABLE(node_id uuid, keyword double precision)
    LANGUAGE sql STABLE ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.known_at() RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE TABLE cognifold.outbox_consumer (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    kinds text[] COLLATE pg_catalog."C",
    categories text[] COLLATE pg_catalog."C",
    cursor_position bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    disabled_at timestamp with time zone,
    disabled_reason text,
    CONSTRAINT outbox_consumer_cursor_position_check CHECK ((cursor_position >= 0)),
    CONSTRAINT outbox_consumer_name_check CHECK (((octet_length(name) >= 1) AND (octet_length(name) <= 63)))
)
WITH (fillfactor='50');
ALTER TABLE ONLY cognifold.outbox_consumer FORCE ROW LEVEL SECURITY;
CREATE FUNCTION cognifold.known_consumer(tenant text, consumer text) RETURNS cognifold.outbox_consumer
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE TABLE cognifold.job (
    job text NOT NULL COLLATE pg_catalog."C",
    slot text NOT NULL,
    clock text NOT NULL,
    every interval NOT NULL,
    jitter interval NOT NULL,
    after_folds integer,
    in_sql boolean NOT NULL,
    description text NOT NULL,
    own_every interval,
    own_folds integer,
    own_enabled boolean,
    CONSTRAINT job_after_folds_check CHECK ((after_folds > 0)),
    CONSTRAINT job_check CHECK (((jitter >= '00:00:00'::interval) AND (jitter <= every) AND (date_part('month'::text, jitter) = (0)::double precision) AND (date_part('year'::text, jitter) = (0)::double precision))),
    CONSTRAINT job_clock_check CHECK ((clock = ANY (ARRAY['memory'::text, 'wall'::text]))),
    CONSTRAINT job_every_check CHECK ((((every >= '00:00:01'::interval) AND (every <= '3650 days'::interval)) AND (date_part('month'::text, every) = (0)::double precision) AND (date_part('year'::text, every) = (0)::double precision))),
    CONSTRAINT job_job_check CHECK ((job ~ '^[a-z][a-z_]{0,39}$'::text)),
    CONSTRAINT job_own_every_check CHECK ((((own_every >= '00:00:01'::interval) AND (own_every <= '3650 days'::interval)) AND (date_part('month'::text, own_every) = (0)::double precision) AND (date_part('year'::text, own_every) = (0)::double precision))),
    CONSTRAINT job_own_folds_check CHECK ((own_folds >= 0)),
    CONSTRAINT job_slot_check CHECK ((slot = ANY (ARRAY['light'::text, 'heavy'::text])))
);
CREATE FUNCTION cognifold.known_job(job text) RETURNS cognifold.job
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.known_node(tenant text, node_id uuid) RETURNS uuid
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.known_watch(name text, verb text) RETURNS integer
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.lags() RETURNS TABLE(tenant_id text, waiting bigint, ready bigint, leased bigint, failed bigint, rate_limited bigint, dead bigint, oldest timestamp with time zone, seconds double precision, folded_minute bigint, drained_in double precision, throttled boolean, unsettled bigint, intents_due bigint, jobs_running bigint, jobs_failed bigint)
    LANGUAGE plpgsql SECURITY DEFINER ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.last_dirty(tenant text, kind text) RETURNS uuid
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS '...';
CREATE FUNCTION cognifold.latest_events(tenant text, moment timestamp with time zone, event_id uuid, model_id smallint, most integer, OUT ids uuid[], OUT times timestamp with time zone[], OUT actors text[], OUT vectors public.halfvec[]) RETURNS record
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.latest_evidence(tenant text, concept uuid, clock timestamp with time zone, settings jsonb) RETURNS TABLE(event_id uuid, occurred_at timestamp with time zone, mass double precision)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.learn_recalls(tenant text, maximum integer) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.leave_tenant(previous text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.lexeme(word text) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.lexemes(text text, maximum_characters integer DEFAULT 100000) RETURNS TABLE(lexeme text, frequency smallint)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.lexical_faults(tenant text) RETURNS TABLE(invariant text, subject text, detail text)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.lifecycle_faults(tenant text) RETURNS TABLE(invariant text, subject text, detail text)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.live_ends(tenant text, node_id uuid) RETURNS TABLE(id uuid, relation text, forward boolean)
    LANGUAGE sql STABLE ROWS 20 PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.live_shares(tenant text, as_of timestamp with time zone, fade double precision) RETURNS TABLE(source_id uuid, target_id uuid, share double precision)
    LANGUAGE sql STABLE ROWS 100000
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET enable_nestloop TO 'off'
    SET jit TO 'off'
    AS '...';
CREATE FUNCTION cognifold.logaddexp(a double precision, b double precision) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ...;
CREATE FUNCTION cognifold.make_intent(tenant text, plan jsonb, category text, density double precision, pressure double precision, readiness double precision, theta double precision, deadline timestamp with time zone, settings jsonb) RETURNS uuid
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.make_tenant(tenant text, display_name text, time_zone text, model_id smallint) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.make_vector_index(dimensions integer) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.mark_changed(tenant text, changes jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.mark_ranks(tenant text, changes jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.mark_strengthened(tenant text, changes jsonb, moment timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.mass(potential double precision, decay double precision) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ...;
CREATE FUNCTION cognifold.may_be_part(tenant text, concept uuid) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.may_see_watch(owner text, created_by text) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.merge_nodes(tenant text, ids uuid[], survivor uuid, clock timestamp with time zone, settings jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.mne_score(cosine double precision, emotional_weight double precision, age_seconds double precision, access_count bigint, integration_score double precision) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ...;
CREATE FUNCTION cognifold.month_number(name text) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.most_diverse(tenant text, candidates uuid[], worths double precision[], chosen uuid[], picks integer, weight double precision) RETURNS TABLE(node_id uuid, gain double precision, diversity double precision)
    LANGUAGE plpgsql STABLE ROWS 50
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET enable_nestloop TO 'off'
    SET jit TO 'off'
    AS '...';
CREATE FUNCTION cognifold.name_lines(phrases text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.name_words(actor text) RETURNS TABLE(word text)
    LANGUAGE sql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.named_nodes(plan jsonb) RETURNS SETOF uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.naming_pattern(subject text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.narrowed(kinds text[], since timestamp with time zone, until timestamp with time zone, as_of timestamp with time zone, known_at timestamp with time zone, actors text[], sources text[], memory_types text[], privacy_levels text[]) RETURNS cognifold.narrowing
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.near_concepts(tenant text, event_ids uuid[], maximum integer) RETURNS TABLE(node_id uuid, likeness double precision)
    LANGUAGE sql STABLE ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.near_events(tenant text, event_id uuid, since timestamp with time zone, until timestamp with time zone, settings jsonb) RETURNS TABLE(near_id uuid, occurred_at timestamp with time zone, affinity double precision)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.near_identical(tenant text, one uuid, other uuid) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.near_names(tenant text, query text, narrow cognifold.narrowing, given jsonb DEFAULT NULL::jsonb) RETURNS TABLE(node_id uuid, titled double precision, named double precision, name text)
    LANGUAGE plpgsql STABLE ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS '...';
CREATE FUNCTION cognifold.near_of_kind(tenant text, kind text, ids uuid[], vectors public.halfvec[], bar double precision, maximum integer) RETURNS TABLE(asking uuid, neighbour uuid, cosine numeric)
    LANGUAGE plpgsql STABLE ROWS 100
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS '...';
CREATE FUNCTION cognifold.near_times(tenant text, starts timestamp with time zone[], ends timestamp with time zone[], narrow cognifold.narrowing, number integer) RETURNS TABLE(node_id uuid)
    LANGUAGE plpgsql STABLE ROWS 20
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    SET jit TO 'off'
    AS '...';
CREATE FUNCTION cognifold.near_unfolded(tenant text, words text, question public.halfvec, narrow cognifold.narrowing, settings jsonb) RETURNS TABLE(node_id uuid, cosine double precision, keyword double precision)
    LANGUAGE plpgsql STABLE ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.near_vectors(tenant text, model_id smallint, question public.halfvec, narrow cognifold.narrowing, depth integer, given jsonb DEFAULT NULL::jsonb) RETURNS TABLE(node_id uuid, cosine double precision)
    LANGUAGE plpgsql STABLE ROWS 100
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_sort TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS '...';
CREATE FUNCTION cognifold.near_words(tenant text, words text, narrow cognifold.narrowing, depth integer, given jsonb DEFAULT NULL::jsonb) RETURNS TABLE(node_id uuid, keyword double precision)
    LANGUAGE plpgsql STABLE ROWS 100
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS '...';
CREATE FUNCTION cognifold.nearest_among(text, smallint, public.halfvec, cognifold.narrowing, integer, uuid[]) RETURNS TABLE(node_id uuid, cosine double precision)
    LANGUAGE sql STABLE ROWS 100
    AS '...';
CREATE FUNCTION cognifold.nearest_exact(text, smallint, public.halfvec, cognifold.narrowing, integer) RETURNS TABLE(node_id uuid, cosine double precision)
    LANGUAGE sql STABLE ROWS 100
    AS '...';
CREATE FUNCTION cognifold.nearest_exact_narrowed(text, smallint, public.halfvec, cognifold.narrowing, integer) RETURNS TABLE(node_id uuid, cosine double precision)
    LANGUAGE sql STABLE ROWS 100
    AS '...';
CREATE FUNCTION cognifold.nearest_indexed(text, smallint, public.halfvec, cognifold.narrowing, integer, public.halfvec) RETURNS TABLE(node_id uuid, cosine double precision)
    LANGUAGE sql STABLE ROWS 100
    AS '...';
CREATE FUNCTION cognifold.nearest_indexed_narrowed(text, smallint, public.halfvec, cognifold.narrowing, integer, public.halfvec) RETURNS TABLE(node_id uuid, cosine double precision)
    LANGUAGE sql STABLE ROWS 100
    AS '...';
CREATE FUNCTION cognifold.neighbourhood_in_sql(tenant text, start uuid, hops integer, reach bigint) RETURNS TABLE(hop integer, id uuid)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS '...';
CREATE FUNCTION cognifold.new_id() RETURNS uuid
    LANGUAGE sql PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.next_dirty(tenant text, kind text, after uuid, until uuid, maximum integer) RETURNS uuid[]
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS '...';
CREATE FUNCTION cognifold.node_keys(tenant text, ids uuid[]) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.nodes_at(tenant text, moment timestamp with time zone, ids uuid[] DEFAULT NULL::uuid[]) RETURNS TABLE(id uuid, kind text, memory_type text, title text, content text, payload jsonb, occurred_at timestamp with time zone, occurred_precision text, recorded_at timestamp with time zone, actor text, source text, privacy_level text, emotional_weight real, reasoning text, merged_into uuid, plan_id uuid, altered boolean)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.nodes_naming(tenant text, naming text) RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_custom_plan'
    AS '...';
CREATE FUNCTION cognifold.nodes_to_forget(tenant text, node_ids uuid[], idempotency_key text, source text, source_key text, actor text, subject text, since timestamp with time zone, until timestamp with time zone) RETURNS uuid[]
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_custom_plan'
    AS '...';
CREATE FUNCTION cognifold.note_actions(tenant text, operations jsonb, new_nodes jsonb, plan_id uuid, proposer text, clock timestamp with time zone) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.note_alarms(tenant text DEFAULT cognifold.required_tenant()) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.note_assessment(tenant text, node_id uuid, clock timestamp with time zone, density double precision, pressure double precision, readiness double precision, cues integer, met double precision, category text, theta double precision) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.note_due_concept() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.note_due_deadline() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.note_due_event() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.note_due_jobs(tenant text DEFAULT NULL::text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.note_due_link() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.note_fault(capture cognifold_watch.inbox, made_by cognifold.watch, state text, reason text) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.note_insights(tenant text, operations jsonb, new_nodes jsonb, plan_id uuid, clock timestamp with time zone) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.note_intent() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.note_intent_state() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.note_intent_step() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.note_objects(kept text[] DEFAULT '{}'::text[]) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.note_read(tenant text, verb text, question text, node_ids uuid[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.note_recall(node_ids uuid[], tenant text DEFAULT cognifold.required_tenant()) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.note_released() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.note_statements(tenant text, node_id uuid, settings jsonb) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.note_vectors() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.note_worker(name text, version text, does text[], folded bigint DEFAULT 0, jobs bigint DEFAULT 0, failures bigint DEFAULT 0, stopped boolean DEFAULT false) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.now() RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE PARALLEL RESTRICTED
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.object_fingerprints() RETURNS TABLE(identity text, fingerprint text)
    LANGUAGE sql STABLE ROWS 500
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.occurrences(rule text, starts_at timestamp with time zone, k integer DEFAULT 1, as_of timestamp with time zone DEFAULT NULL::timestamp with time zone, time_zone text DEFAULT NULL::text) RETURNS TABLE(moment timestamp with time zone)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.oldest_client() RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN ...;
CREATE FUNCTION cognifold.operation_faults(tenant text, operations jsonb, proposer text) RETURNS TABLE("position" bigint, reason text)
    LANGUAGE plpgsql STABLE ROWS 1
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.orphan_links(tenant text, concepts uuid[], as_of timestamp with time zone) RETURNS TABLE(concept uuid, operation jsonb)
    LANGUAGE plpgsql STABLE ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.outside_model(tenant text DEFAULT cognifold.required_tenant()) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.pagerank(as_of timestamp with time zone DEFAULT NULL::timestamp with time zone, tenant text DEFAULT cognifold.required_tenant()) RETURNS TABLE(node_id uuid, rank double precision)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET enable_nestloop TO 'off'
    SET jit TO 'off'
    AS '...';
CREATE FUNCTION cognifold.parents_of(tenant text, concepts uuid[]) RETURNS uuid[]
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.paths_in_sql(tenant text, start uuid, goal uuid, hops integer, k integer, reach bigint) RETURNS TABLE(nodes uuid[], relations text[], forward boolean[])
    LANGUAGE plpgsql STABLE ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS '...';
CREATE FUNCTION cognifold.pattern_in_sql(tenant text, shape text, subject uuid, other uuid, hops integer, reach bigint) RETURNS TABLE(nodes uuid[])
    LANGUAGE plpgsql STABLE ROWS 100
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS '...';
CREATE FUNCTION cognifold.permitted_tenant() RETURNS text
    LANGUAGE sql STABLE PARALLEL RESTRICTED
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.place_content(tenant text, nodes uuid[], cold boolean) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.place_edges(tenant text, operations jsonb, new_nodes jsonb, proposer text, trigger_time timestamp with time zone, clock timestamp with time zone, settings jsonb, is_linking boolean DEFAULT false) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.place_nodes(tenant text, operations jsonb, moment timestamp with time zone) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.plain_letters(text text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.plain_line(content text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.plain_words() RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.plan(plan_id uuid, tenant text DEFAULT cognifold.required_tenant()) RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.plan_faults(tenant text) RETURNS TABLE(invariant text, subject text, detail text)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.plan_mentions(tenant text, operations jsonb) RETURNS TABLE("position" bigint, body jsonb, op text, role text, name text, kind text, identity text, is_new boolean)
    LANGUAGE sql STABLE ROWS 20
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.plan_problem(tenant text, plan jsonb, proposer text DEFAULT 'user'::text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.plan_time(moment timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.plans_about(tenant text, nodes uuid[]) RETURNS TABLE(plan_id uuid)
    LANGUAGE plpgsql STABLE ROWS 100
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.policy_words(expression text) RETURNS text
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    RETURN ...;
CREATE FUNCTION cognifold.posted_texts(tenant text, lexemes text[], rarities double precision[], limits integer[], whole boolean[], mean_length double precision, k1 double precision, b double precision, narrow cognifold.narrowing, number integer) RETURNS TABLE(node_id uuid, promise double precision)
    LANGUAGE plpgsql STABLE ROWS 100
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS '...';
CREATE FUNCTION cognifold.potential_at(tenant text, source_id uuid, target_id uuid, type text, as_of timestamp with time zone) RETURNS double precision
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.precision_end(moment timestamp with time zone, "precision" text) RETURNS timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.previous_event(tenant text, event_id uuid) RETURNS uuid
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.priority(tenant text, as_of timestamp with time zone) RETURNS TABLE(node_id uuid, kind text, occurred_at timestamp with time zone, score double precision, pagerank double precision, recency double precision, access double precision, urgency double precision, band integer)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET enable_nestloop TO 'off'
    SET jit TO 'off'
    AS '...';
CREATE FUNCTION cognifold.priority_score(pagerank double precision, recency double precision, access double precision, urgency double precision, settings jsonb) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ...;
CREATE FUNCTION cognifold.projected_edges(tenant text) RETURNS TABLE(source_id uuid, target_id uuid, type text, properties jsonb)
    LANGUAGE sql STABLE
    AS '...';
CREATE FUNCTION cognifold.projected_nodes(tenant text) RETURNS TABLE(id uuid, kind text, properties jsonb)
    LANGUAGE sql STABLE
    AS '...';
CREATE FUNCTION cognifold.propose(event_id uuid, tenant text DEFAULT cognifold.required_tenant()) RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.propose_actions(intent_id uuid, tenant text DEFAULT cognifold.required_tenant()) RETURNS TABLE("position" integer, what text, due_at timestamp with time zone, status text, proposer text, event_id uuid)
    LANGUAGE plpgsql SECURITY DEFINER ROWS 5
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.propose_plan(tenant text, event_id uuid, settings jsonb, latest_ids uuid[] DEFAULT NULL::uuid[], latest_times timestamp with time zone[] DEFAULT NULL::timestamp with time zone[], latest_actors text[] DEFAULT NULL::text[], latest_vectors public.halfvec[] DEFAULT NULL::public.halfvec[]) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.proposed_steps(tenant text, intent_id uuid, clock timestamp with time zone, settings jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.provenance_removers(tenant text, plan_id uuid) RETURNS TABLE(remover uuid)
    LANGUAGE plpgsql STABLE ROWS 5
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.purge_outbox(older_than interval DEFAULT NULL::interval, tenant text DEFAULT cognifold.required_tenant()) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.purge_records(tenant text, maximum integer) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.query_lexemes(tenant text, words text) RETURNS TABLE(lexeme text, rarity double precision, mean_length double precision, document_count bigint)
    LANGUAGE sql STABLE ROWS 10
    AS '...';
CREATE FUNCTION cognifold.query_terms(tenant text, query text) RETURNS TABLE(actors text[], words text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.query_times(query text, clock timestamp with time zone DEFAULT NULL::timestamp with time zone, zone text DEFAULT NULL::text) RETURNS TABLE(since timestamp with time zone, until timestamp with time zone, phrase text, kind text, rest text)
    LANGUAGE plpgsql STABLE ROWS 1
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE TABLE cognifold.embedding_model (
    model_id smallint NOT NULL,
    name text NOT NULL,
    provider text NOT NULL,
    dimensions integer NOT NULL,
    reinforce double precision NOT NULL,
    cluster double precision NOT NULL,
    pair double precision NOT NULL,
    merge double precision NOT NULL,
    duplicate double precision NOT NULL,
    complete double precision NOT NULL,
    relate double precision NOT NULL,
    usual double precision NOT NULL,
    notes text,
    CONSTRAINT embedding_model_cluster_check CHECK (((cluster >= ('-1'::integer)::double precision) AND (cluster <= (1)::double precision))),
    CONSTRAINT embedding_model_complete_check CHECK (((complete >= ('-1'::integer)::double precision) AND (complete <= (1)::double precision))),
    CONSTRAINT embedding_model_dimensions_check CHECK (((dimensions >= 1) AND (dimensions <= 4000))),
    CONSTRAINT embedding_model_duplicate_check CHECK (((duplicate >= ('-1'::integer)::double precision) AND (duplicate <= (1)::double precision))),
    CONSTRAINT embedding_model_merge_check CHECK (((merge >= ('-1'::integer)::double precision) AND (merge <= (1)::double precision))),
    CONSTRAINT embedding_model_pair_check CHECK (((pair >= ('-1'::integer)::double precision) AND (pair <= (2)::double precision))),
    CONSTRAINT embedding_model_provider_check CHECK ((provider = ANY (ARRAY['lexicon'::text, 'openai'::text, 'minilm'::text, 'external'::text]))),
    CONSTRAINT embedding_model_reinforce_check CHECK (((reinforce >= ('-1'::integer)::double precision) AND (reinforce <= (1)::double precision))),
    CONSTRAINT embedding_model_relate_check CHECK (((relate >= ('-1'::integer)::double precision) AND (relate <= (1)::double precision))),
    CONSTRAINT embedding_model_usual_check CHECK (((usual >= ('-1'::integer)::double precision) AND (usual <= (1)::double precision)))
);
CREATE FUNCTION cognifold.question_vector(tenant text, own cognifold.embedding_model, words text, query_embedding public.vector, model text) RETURNS public.halfvec
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.quoted_cue(tenant text, event_id uuid, maximum integer) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.rank_band(rank double precision) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ...;
CREATE FUNCTION cognifold.rank_faults(tenant text) RETURNS TABLE(invariant text, subject text, detail text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET enable_nestloop TO 'off'
    SET jit TO 'off'
    AS '...';
CREATE FUNCTION cognifold.ranked_intents(k integer DEFAULT 10, as_of timestamp with time zone DEFAULT NULL::timestamp with time zone, tenant text DEFAULT cognifold.required_tenant()) RETURNS TABLE(rank bigint, intent_id uuid, title text, status text, category text, value double precision, readiness double precision, acceptance double precision, urgency double precision, deadline timestamp with time zone)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.ranks_due(tenant text) RETURNS integer
    LANGUAGE sql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.read_cues(tenant text, concept uuid, clock timestamp with time zone, settings jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.read_events(tenant text, events uuid[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.rebuild_statements(tenant text DEFAULT cognifold.required_tenant()) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.recall(query text, k integer DEFAULT 10, kinds text[] DEFAULT NULL::text[], since timestamp with time zone DEFAULT NULL::timestamp with time zone, until timestamp with time zone DEFAULT NULL::timestamp with time zone, actors text[] DEFAULT NULL::text[], sources text[] DEFAULT NULL::text[], minimum_score double precision DEFAULT 0, as_of timestamp with time zone DEFAULT NULL::timestamp with time zone, query_embedding public.vector DEFAULT NULL::public.vector, model text DEFAULT NULL::text, known_at timestamp with time zone DEFAULT NULL::timestamp with time zone, seen uuid[] DEFAULT NULL::uuid[], memory_types text[] DEFAULT NULL::text[], privacy_levels text[] DEFAULT NULL::text[], tenant text DEFAULT cognifold.required_tenant()) RETURNS TABLE(node_id uuid, kind text, title text, content text, occurred_at timestamp with time zone, score double precision, actor text, source text, cosine double precision, keyword double precision, names_actor boolean, neighbours double precision, intent double precision, relevance double precision, modulation double precision)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.recall_candidates(tenant text, query text, words text, model_id smallint, question public.halfvec, narrow cognifold.narrowing, altered uuid[], starts timestamp with time zone[], ends timestamp with time zone[], until timestamp with time zone, rest text, near integer, depth integer, settings jsonb) RETURNS TABLE(node_id uuid, cosine double precision, keyword double precision, titled double precision, named double precision, stated double precision, replaced uuid, dated boolean)
    LANGUAGE plpgsql STABLE ROWS 200
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS '...';
CREATE FUNCTION cognifold.recalled(tenant text, query text, k integer, narrow cognifold.narrowing, minimum_score double precision, query_embedding public.vector, model text, seen uuid[], explained boolean DEFAULT true) RETURNS TABLE(node_id uuid, kind text, title text, content text, occurred_at timestamp with time zone, score double precision, actor text, source text, cosine double precision, keyword double precision, names_actor boolean, neighbours double precision, intent double precision, relevance double precision, modulation double precision, signals jsonb, factors jsonb, path uuid[], path_reason text)
    LANGUAGE plpgsql STABLE ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS '...';
CREATE FUNCTION cognifold.recency(idle double precision, decay double precision) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ...;
CREATE FUNCTION cognifold.record_plan(tenant text, plan_id uuid, plan jsonb, proposer text, undoes uuid, result jsonb, changes jsonb, clock timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.record_watch(watch_id integer, relation regclass, source text, operations text[], given jsonb, places jsonb, templates jsonb, key_places integer[], needed text[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.recurrence_fault(rule text) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.recurring_statements(tenant text, events uuid[], as_of timestamp with time zone, zone text, settings jsonb) RETURNS TABLE(aspect text, value text, held integer, total integer, said text, evidence uuid[])
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.recurring_times(rule text, starts_at timestamp with time zone, zone text, since timestamp with time zone, most integer) RETURNS TABLE(moment timestamp with time zone)
    LANGUAGE sql STABLE ROWS 1
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.redeliver(consumer text, positions bigint[] DEFAULT NULL::bigint[], tenant text DEFAULT cognifold.required_tenant()) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.reembed(model text, tenant text DEFAULT cognifold.required_tenant()) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.reembed_batch(max_rows integer DEFAULT 1000, tenant text DEFAULT cognifold.required_tenant()) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS '...';
CREATE FUNCTION cognifold.refresh_concept(tenant text, concept uuid) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.refresh_ranks(whole boolean DEFAULT false, tenant text DEFAULT cognifold.required_tenant()) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.refresh_statistics(tenant text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.refused_to_cleared(moment timestamp with time zone, always boolean DEFAULT false) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.register_model(name text, provider text, dimensions integer, reinforce double precision DEFAULT 0.24, cluster double precision DEFAULT 0.22, pair double precision DEFAULT 0.26, merge double precision DEFAULT 0.85, duplicate double precision DEFAULT 0.92, complete double precision DEFAULT 0.35, relate double precision DEFAULT 0.24, usual double precision DEFAULT 0.1, notes text DEFAULT NULL::text) RETURNS smallint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.release_claimed(event_ids uuid[], fence bigint, tenant text DEFAULT cognifold.required_tenant()) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.release_deliveries(consumer text, positions bigint[], fence bigint, tenant text DEFAULT cognifold.required_tenant()) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.release_job(job text, period timestamp with time zone, fence bigint, tenant text DEFAULT cognifold.required_tenant()) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.remember(content text, title text DEFAULT NULL::text, occurred_at timestamp with time zone DEFAULT NULL::timestamp with time zone, source text DEFAULT NULL::text, actor text DEFAULT NULL::text, payload jsonb DEFAULT NULL::jsonb, emotional_weight double precision DEFAULT NULL::double precision, arousal double precision DEFAULT NULL::double precision, memory_type text DEFAULT NULL::text, privacy_level text DEFAULT NULL::text, idempotency_key text DEFAULT NULL::text, ended_at timestamp with time zone DEFAULT NULL::timestamp with time zone, valence text DEFAULT NULL::text, media jsonb DEFAULT NULL::jsonb, source_agent text DEFAULT NULL::text, occurred_precision text DEFAULT NULL::text, tenant text DEFAULT cognifold.required_tenant()) RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.remember_many(events jsonb, tenant text DEFAULT cognifold.required_tenant()) RETURNS TABLE("position" integer, event_id uuid, is_new boolean)
    LANGUAGE plpgsql SECURITY DEFINER ROWS 200
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.removal_faults(tenant text, operations jsonb) RETURNS TABLE("position" bigint, reason text)
    LANGUAGE plpgsql STABLE ROWS 1
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.remove_retention(name text, tenant text DEFAULT cognifold.required_tenant()) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.remove_rows(tenant text, operations jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.renew_job(job text, period timestamp with time zone, fence bigint, tenant text DEFAULT cognifold.required_tenant()) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.reopened_at(tenant text, intent_id uuid) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.replaced_memories(tenant text, node_ids uuid[], clock timestamp with time zone, known_at timestamp with time zone DEFAULT NULL::timestamp with time zone) RETURNS TABLE(node_id uuid, replaced_by uuid)
    LANGUAGE sql STABLE ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.replay_events(tenant text, events uuid[], as_of timestamp with time zone) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.require_client(version text) RETURNS text
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.reread_statements(tenant text, events uuid[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.resolve_intents(tenant text, concept uuid, clock timestamp with time zone, settings jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.resolve_node(tenant text, node_id uuid) RETURNS uuid
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.resolve_strands(tenant text, clock timestamp with time zone, settings jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.restart_ranks(tenant text) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET enable_nestloop TO 'off'
    SET jit TO 'off'
    AS '...';
CREATE FUNCTION cognifold.restore_rows(tenant text, images jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.retitling(tenant text, concept uuid, present text, event_id uuid) RETURNS jsonb
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.retry(event_id uuid DEFAULT NULL::uuid, tenant text DEFAULT cognifold.required_tenant()) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.retry_pause(first double precision, attempts integer) RETURNS interval
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ...;
CREATE FUNCTION cognifold.revoke_from(role_name text, profile text, tenant text DEFAULT NULL::text) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.reword_concepts(tenant text, concepts uuid[], lost jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.reword_dates(tenant text, shaken uuid[], dates uuid[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.reword_intents(tenant text, intents uuid[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.role_permitted(role_name text, logged_in_as text, tenant text) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.row_images(tenant text, keys jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.run_in_sql(job text, tenant text DEFAULT cognifold.required_tenant()) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.running_consolidation(tenant text) RETURNS uuid
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.said_done(tenant text, event_id uuid, told uuid[], settings jsonb) RETURNS double precision
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS '...';
CREATE FUNCTION cognifold.says(value jsonb, naming text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.schedule_faults(tenant text) RETURNS TABLE(invariant text, subject text, detail text)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.schedules_due(memory_moment timestamp with time zone) RETURNS TABLE(tenant text, job text, slot text)
    LANGUAGE sql STABLE SECURITY DEFINER ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.schedules_missing() RETURNS TABLE(tenant text, job text)
    LANGUAGE sql STABLE SECURITY DEFINER ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.schema_version() RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN ...;
CREATE FUNCTION cognifold.scope_tenant(tenant text) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.sees_in_part(tenant text) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL RESTRICTED
    AS '...';
CREATE FUNCTION cognifold.sentences(title text, content text) RETURNS TABLE(place bigint, sentence text)
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.set_action(intent_id uuid, "position" integer DEFAULT NULL::integer, status text DEFAULT NULL::text, what text DEFAULT NULL::text, due_at timestamp with time zone DEFAULT NULL::timestamp with time zone, reasoning text DEFAULT NULL::text, tenant text DEFAULT cognifold.required_tenant()) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.set_clearance(role_name text, level text, tenant text DEFAULT cognifold.required_tenant()) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.set_decay(rate text, lambda double precision, valid_from timestamp with time zone DEFAULT NULL::timestamp with time zone, tenant text DEFAULT cognifold.required_tenant()) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.set_job(job text, every interval DEFAULT NULL::interval, after_folds integer DEFAULT NULL::integer, enabled boolean DEFAULT NULL::boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.set_retention(name text, keep interval, action text DEFAULT 'archive'::text, kind text DEFAULT 'event'::text, sources text[] DEFAULT NULL::text[], privacy_levels text[] DEFAULT NULL::text[], memory_types text[] DEFAULT NULL::text[], tenant text DEFAULT cognifold.required_tenant()) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.set_schedule(job text, every interval DEFAULT NULL::interval, after_folds integer DEFAULT NULL::integer, enabled boolean DEFAULT NULL::boolean, tenant text DEFAULT cognifold.required_tenant()) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.set_setting(name text, value double precision, tenant text DEFAULT cognifold.required_tenant()) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.set_webhook(consumer text, url text, secret text DEFAULT NULL::text, headers jsonb DEFAULT '{}'::jsonb, tenant text DEFAULT cognifold.required_tenant()) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.setting(name text, tenant text DEFAULT cognifold.required_tenant()) RETURNS double precision
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.settings(tenant text DEFAULT cognifold.required_tenant()) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.settle_concepts(tenant text, concepts uuid[], as_of timestamp with time zone, allowed bigint, settings jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.settle_events(tenant text, events uuid[], as_of timestamp with time zone, settings jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.settle_privacy(tenant text, edges jsonb, new_nodes jsonb DEFAULT '[]'::jsonb, restated boolean DEFAULT false) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.settle_ranks(tenant text, maximum bigint DEFAULT NULL::bigint, enough integer DEFAULT 1, OUT changed bigint, OUT pushed bigint, OUT waiting bigint) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS '...';
CREATE FUNCTION cognifold.shared_insights(tenant text, parents uuid[], concepts uuid[], found jsonb, settings jsonb) RETURNS jsonb
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.shortened(line text, maximum integer) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.signature(lexemes text[]) RETURNS bytea
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.signature_bit(lexeme text) RETURNS integer
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN ...;
CREATE FUNCTION cognifold.small_talk() RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.speaks_of_past(query text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ...;
CREATE FUNCTION cognifold.spoken_words(content text) RETURNS text[]
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.spread(tenant text, node_ids uuid[], strengths double precision[], narrow cognifold.narrowing, given jsonb DEFAULT NULL::jsonb) RETURNS TABLE(node_id uuid, strength double precision, via uuid[], reason text)
    LANGUAGE plpgsql STABLE ROWS 100
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS '...';
CREATE FUNCTION cognifold.standing(tenant text, node_ids uuid[], clock timestamp with time zone, known_at timestamp with time zone DEFAULT NULL::timestamp with time zone) RETURNS TABLE(node_id uuid, replaced_by uuid, valid_from timestamp with time zone, valid_until timestamp with time zone, subject text, attribute text, value text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS '...';
CREATE FUNCTION cognifold.state_question(tenant text, query text, narrow cognifold.narrowing, until timestamp with time zone, rest text) RETURNS TABLE(words text[], asked text[], subjects text[], of_person boolean, tense text, moment timestamp with time zone)
    LANGUAGE plpgsql STABLE ROWS 1
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE TABLE cognifold.state_statement (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    event_id uuid NOT NULL,
    place smallint NOT NULL,
    subject text NOT NULL COLLATE pg_catalog."C",
    attribute text NOT NULL COLLATE pg_catalog."C",
    polarity text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL,
    value_words text[] NOT NULL COLLATE pg_catalog."C",
    old_words text[] NOT NULL COLLATE pg_catalog."C",
    is_change boolean NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    said_by text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT state_statement_polarity_check CHECK ((polarity = ANY (ARRAY['holds'::text, 'ends'::text, 'former'::text])))
);
ALTER TABLE ONLY cognifold.state_statement FORCE ROW LEVEL SECURITY;
CREATE FUNCTION cognifold.statement_end(said cognifold.state_statement, is_multiple boolean, clock timestamp with time zone, known_at timestamp with time zone DEFAULT NULL::timestamp with time zone) RETURNS TABLE(ended_at timestamp with time zone, ended_by uuid)
    LANGUAGE sql STABLE
    AS '...';
CREATE FUNCTION cognifold.statement_faults(tenant text) RETURNS TABLE(invariant text, subject text, detail text)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.statements(content text, actor text, maximum_words integer DEFAULT 400) RETURNS TABLE(place integer, subject text, attribute text[], is_multiple boolean, polarity text, value text, old_value text, is_change boolean)
    LANGUAGE plpgsql STABLE ROWS 2 PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.statements_beside(tenant text, events uuid[]) RETURNS uuid[]
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.step_intent(tenant text, intent_id uuid, to_status text, wake_at timestamp with time zone, event_id uuid, plan_id uuid, clock timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.store_capture(capture cognifold_watch.inbox, place integer, made_by cognifold.watch, is_allowed boolean, time_zone text) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET "DateStyle" TO 'ISO, YMD'
    SET "TimeZone" TO 'UTC'
    AS '...';
CREATE FUNCTION cognifold.store_embedding(node_id uuid, vector public.vector, model text, tenant text DEFAULT cognifold.required_tenant()) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.store_event(content text, title text, occurred_at timestamp with time zone, source text, actor text, payload jsonb, emotional_weight double precision, arousal double precision, memory_type text, privacy_level text, idempotency_key text, ended_at timestamp with time zone, valence text, media jsonb, source_agent text, occurred_precision text, tenant text, OUT event_id uuid, OUT is_new boolean) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.store_reembedded(event_ids uuid[], vectors public.vector[], model text, tenant text DEFAULT cognifold.required_tenant()) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.strand(tenant text, event_id uuid, due boolean, clock timestamp with time zone, settings jsonb) RETURNS TABLE(member_id uuid, occurred_at timestamp with time zone, affinity double precision)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.strand_standing(tenant text, members uuid[], affinities double precision[], event_id uuid, deadline timestamp with time zone, clock timestamp with time zone, settings jsonb) RETURNS TABLE(density double precision, pressure double precision, readiness double precision, cues integer, met double precision, voiced jsonb)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.strand_words(tenant text, members uuid[], event_id uuid, deadline timestamp with time zone, density double precision, pressure double precision, readiness double precision, category text, theta double precision, settings jsonb) RETURNS TABLE(title text, reason text, numbers text)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.subject_traces(tenant text, naming text) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_custom_plan'
    AS '...';
CREATE FUNCTION cognifold.sum_concept_vectors(tenant text, model_id smallint, dimensions integer) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.superseded_by(tenant text, event uuid) RETURNS uuid
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.suppressing_intent(tenant text, members uuid[], evidence uuid[], readiness double precision, category text, deadline timestamp with time zone, clock timestamp with time zone, settings jsonb) RETURNS uuid
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.switch_model(tenant text) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.take_back(tenant text, plan_id uuid, is_asked boolean) RETURNS uuid
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.take_captures(tenant text) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.take_deliveries(consumer text, max_deliveries integer DEFAULT 10, lease interval DEFAULT NULL::interval, worker text DEFAULT NULL::text, tenant text DEFAULT cognifold.required_tenant()) RETURNS TABLE("position" bigint, id uuid, intent_id uuid, kind text, moment timestamp with time zone, recorded_at timestamp with time zone, fence bigint, attempt integer, payload jsonb)
    LANGUAGE plpgsql SECURITY DEFINER ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.take_turn(tenant text) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.taken_back(tenant text, op text) RETURNS jsonb
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.template_parts(template text) RETURNS TABLE(place bigint, kind text, value text)
    LANGUAGE plpgsql IMMUTABLE ROWS 5
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.tenant_model(tenant text) RETURNS cognifold.embedding_model
    LANGUAGE sql STABLE PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.tenant_permitted(tenant text) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER PARALLEL RESTRICTED
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS '...';
CREATE FUNCTION cognifold.tenant_signature(tenant text) RETURNS public.halfvec
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.tenants_with_work() RETURNS TABLE(tenant text, waiting bigint, oldest timestamp with time zone)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS '...';
CREATE FUNCTION cognifold.text_names(text text, most integer DEFAULT 32, longest integer DEFAULT 80) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.texts_conflict(tenant text, one text, other text) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.theme_links(tenant text, concepts uuid[], as_of timestamp with time zone) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.theme_title(tenant text, theme uuid) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.theta(category text, as_of timestamp with time zone DEFAULT NULL::timestamp with time zone, tenant text DEFAULT cognifold.required_tenant()) RETURNS double precision
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.time_patterns(title text, events uuid[], starts timestamp without time zone[], timed boolean[], others timestamp without time zone[], zone text, settings jsonb) RETURNS TABLE(kind text, value text, held integer, total integer, chance double precision, said text, evidence uuid[])
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.title_names(title text, longest integer DEFAULT 80) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.token_count(content text, bytes_per_token double precision) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ...;
CREATE FUNCTION cognifold.transfer_columns(relation text, without text[]) RETURNS TABLE(name text, type text, is_json boolean, otherwise text)
    LANGUAGE sql STABLE ROWS 20
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.transfer_tables() RETURNS TABLE(place integer, relation text, treatment text, reason text, own_columns text[], vector_columns text[], given jsonb, read_from text, in_order text)
    LANGUAGE sql IMMUTABLE ROWS 60 PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.trends(tenant text, title text, events uuid[], moments timestamp with time zone[], timed boolean[], tones real[], zone text, settings jsonb) RETURNS TABLE(kind text, value text, held integer, total integer, chance double precision, said text, evidence uuid[])
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.uncount_events(tenant text, events uuid[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS '...';
CREATE FUNCTION cognifold.undo_plan(plan_id uuid, cascade boolean DEFAULT false, tenant text DEFAULT cognifold.required_tenant()) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.unfounded_node(tenant text, removed jsonb) RETURNS uuid
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.unwatch(name text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.update_nodes(tenant text, operations jsonb, new_nodes jsonb, plan_id uuid, clock timestamp with time zone, settings jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.urgent_nodes(tenant text, clock timestamp with time zone, span double precision) RETURNS TABLE(node_id uuid, urgency double precision)
    LANGUAGE plpgsql STABLE ROWS 20
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS '...';
CREATE FUNCTION cognifold.value_words(value text) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.vector_faults(tenant text) RETURNS TABLE(invariant text, subject text, detail text)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.vector_route(tenant text, model_id smallint, kinds text[]) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.version_numbers(version text) RETURNS integer[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    RETURN ...;
CREATE FUNCTION cognifold.waiting_captures() RETURNS TABLE(watch_id integer, waiting bigint, oldest timestamp with time zone)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.wake_concepts(tenant text, concepts uuid[], moment timestamp with time zone, settings jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.watch(relation regclass, content text, title text DEFAULT NULL::text, occurred_at text DEFAULT NULL::text, actor text DEFAULT NULL::text, tenants text DEFAULT NULL::text, deadline text DEFAULT NULL::text, source_key text DEFAULT NULL::text, payload text[] DEFAULT '{}'::text[], only_if text DEFAULT NULL::text, operations text[] DEFAULT '{insert,update}'::text[], changed text[] DEFAULT NULL::text[], content_of_update text DEFAULT NULL::text, on_delete text DEFAULT 'ignore'::text, content_of_delete text DEFAULT NULL::text, source text DEFAULT NULL::text, name text DEFAULT NULL::text, path text DEFAULT current_setting('search_path'::text)) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.watch_errors() RETURNS TABLE(name text, happened_at timestamp with time zone, operation text, state text, message text, row_key text, lost bigint)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.watch_faults(tenant text) RETURNS TABLE(invariant text, subject text, detail text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.watch_is_recorded() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.watch_place(watch_id integer) RETURNS TABLE(relation regclass, called text, owner text, is_enabled boolean)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.watch_source(watch_id integer, relation regclass, operation text, spec jsonb) RETURNS SETOF text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.watched() RETURNS TABLE(name text, relation text, status text, detail text, operations text[], owner text, created_by text, created_at timestamp with time zone, waiting bigint, oldest_waiting timestamp with time zone, events bigint, repeated bigint, refused bigint, last_taken timestamp with time zone, faults bigint, last_fault timestamp with time zone, last_fault_state text, last_fault_message text, backfilled bigint, backfilled_at timestamp with time zone, given jsonb)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.watched_tenants() RETURNS TABLE(tenant text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.webhook_of(consumer text, tenant text DEFAULT cognifold.required_tenant()) RETURNS TABLE(url text, secret text, headers jsonb)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.webhooks_due() RETURNS TABLE(tenant text, consumer text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.weekday_number(name text) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.what_if_ignored(intent_id uuid, as_of timestamp with time zone DEFAULT NULL::timestamp with time zone, max_hops integer DEFAULT 4, tenant text DEFAULT cognifold.required_tenant()) RETURNS TABLE(situation bigint, step bigint, event_id uuid, title text, occurred_at timestamp with time zone, after interval, relation text, weight double precision, hop integer, path uuid[], like_event uuid, because_of uuid, likeness double precision, earlier_intent uuid, outcome text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 10
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.whole_plans(operations jsonb, maximum integer) RETURNS TABLE(part jsonb)
    LANGUAGE sql IMMUTABLE ROWS 2
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.whole_ranks(tenant text, as_of timestamp with time zone, fade double precision, tolerance double precision) RETURNS TABLE(node_id uuid, rank double precision)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    SET enable_nestloop TO 'off'
    SET jit TO 'off'
    AS '...';
CREATE FUNCTION cognifold.wilson_bound(held integer, total integer) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '...';
CREATE FUNCTION cognifold.word_pieces(word text) RETURNS text[]
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.word_rarity(tenant text, words text, documents double precision, maximum_postings double precision) RETURNS TABLE(lexeme text, rarity double precision)
    LANGUAGE sql STABLE
    AS '...';
CREATE FUNCTION cognifold.words(text text, maximum_characters integer DEFAULT 20000) RETURNS TABLE(word text, place bigint)
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS '...';
CREATE PROCEDURE cognifold.work(IN time_budget interval DEFAULT '00:00:20'::interval)
    LANGUAGE plpgsql
    AS '...';
CREATE FUNCTION cognifold.working_score(pagerank double precision, recency double precision, kind text, settings jsonb) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ...;
CREATE FUNCTION cognifold.write_alarms(tenant text, clock timestamp with time zone, intent_id uuid DEFAULT NULL::uuid) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE FUNCTION cognifold.write_outbox(tenant text, happenings jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'cognifold', 'public', 'pg_temp'
    AS '...';
CREATE AGGREGATE cognifold.logsumexp(double precision) (
    SFUNC = cognifold.logaddexp,
    STYPE = double precision,
    PARALLEL = safe
);
CREATE TABLE cognifold.action_step (
    from_status text NOT NULL,
    to_status text NOT NULL,
    CONSTRAINT action_step_from_status_check CHECK ((from_status = ANY (ARRAY['proposed'::text, 'accepted'::text, 'done'::text, 'skipped'::text]))),
    CONSTRAINT action_step_to_status_check CHECK ((to_status = ANY (ARRAY['proposed'::text, 'accepted'::text, 'done'::text, 'skipped'::text])))
);
CREATE TABLE cognifold.actor_frequency (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    actor text NOT NULL,
    event_count bigint NOT NULL,
    CONSTRAINT actor_frequency_event_count_check CHECK ((event_count >= 0))
)
WITH (fillfactor='70');
ALTER TABLE ONLY cognifold.actor_frequency FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.actor_name (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    word text NOT NULL COLLATE pg_catalog."C",
    actor text NOT NULL
);
ALTER TABLE ONLY cognifold.actor_name FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.affect_release (
    checksum text NOT NULL,
    word_count integer NOT NULL,
    valence_weights double precision[] NOT NULL,
    arousal_weights double precision[] NOT NULL,
    neutral double precision NOT NULL,
    mixed double precision NOT NULL,
    loaded_at timestamp with time zone NOT NULL,
    CONSTRAINT affect_release_arousal_weights_check CHECK ((array_length(arousal_weights, 1) = 10)),
    CONSTRAINT affect_release_checksum_check CHECK ((checksum ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT affect_release_mixed_check CHECK ((mixed > (0)::double precision)),
    CONSTRAINT affect_release_neutral_check CHECK (((neutral >= (0)::double precision) AND (neutral <= (1)::double precision))),
    CONSTRAINT affect_release_valence_weights_check CHECK ((array_length(valence_weights, 1) = 10)),
    CONSTRAINT affect_release_word_count_check CHECK ((word_count > 0))
);
CREATE TABLE cognifold.affect_word (
    word text NOT NULL COLLATE pg_catalog."C",
    valence real NOT NULL,
    arousal real NOT NULL
);
CREATE TABLE cognifold.alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE cognifold.annotation (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    node_id uuid NOT NULL,
    name text NOT NULL,
    value jsonb NOT NULL,
    plan_id uuid,
    created_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY cognifold.annotation FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.antonym (
    word text NOT NULL COLLATE pg_catalog."C",
    opposite text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE cognifold.archived_content (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    pack_id integer NOT NULL,
    contents text[] NOT NULL,
    payloads jsonb[],
    media jsonb[],
    CONSTRAINT archived_content_check CHECK ((cardinality(payloads) = cardinality(contents))),
    CONSTRAINT archived_content_check1 CHECK ((cardinality(media) = cardinality(contents)))
);
ALTER TABLE ONLY cognifold.archived_content ALTER COLUMN contents SET STORAGE MAIN;
ALTER TABLE ONLY cognifold.archived_content ALTER COLUMN payloads SET STORAGE MAIN;
ALTER TABLE ONLY cognifold.archived_content ALTER COLUMN media SET STORAGE MAIN;
ALTER TABLE ONLY cognifold.archived_content FORCE ROW LEVEL SECURITY;
CREATE SEQUENCE cognifold.archived_pack
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE cognifold.audit_read (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    audit_id uuid NOT NULL,
    read_at timestamp with time zone NOT NULL,
    role_name text NOT NULL,
    login_name text NOT NULL,
    verb text NOT NULL COLLATE pg_catalog."C",
    digest bytea,
    question text,
    node_ids uuid[] NOT NULL
);
ALTER TABLE ONLY cognifold.audit_read FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.node (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    id uuid NOT NULL,
    kind text NOT NULL,
    memory_type text NOT NULL,
    title text NOT NULL,
    source text,
    actor text,
    source_agent text,
    occurred_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    occurred_precision text DEFAULT 'instant'::text NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    emotional_weight real DEFAULT 0 NOT NULL,
    valence text,
    arousal real DEFAULT 0 NOT NULL,
    affect_inferred boolean DEFAULT false NOT NULL,
    asks boolean DEFAULT false NOT NULL,
    privacy_level text DEFAULT 'private'::text NOT NULL,
    reasoning text,
    digest bytea,
    idempotency_key text COLLATE pg_catalog."C",
    merged_into uuid,
    plan_id uuid,
    title_key text GENERATED ALWAYS AS (
CASE kind
    WHEN 'concept'::text THEN "left"(lower(btrim(title)), 500)
    ELSE NULL::text
END) STORED,
    recorded_by text,
    CONSTRAINT node_arousal_check CHECK (((arousal >= (0)::double precision) AND (arousal <= (1)::double precision))),
    CONSTRAINT node_check CHECK ((ended_at >= occurred_at)),
    CONSTRAINT node_check1 CHECK (((kind = 'event'::text) = (digest IS NOT NULL))),
    CONSTRAINT node_check2 CHECK (((kind = 'event'::text) = (plan_id IS NULL))),
    CONSTRAINT node_emotional_weight_check CHECK (((emotional_weight >= ('-1'::integer)::double precision) AND (emotional_weight <= (1)::double precision))),
    CONSTRAINT node_memory_type_check CHECK ((memory_type = ANY (ARRAY['episodic'::text, 'semantic'::text, 'procedural'::text, 'associative'::text]))),
    CONSTRAINT node_occurred_precision_check CHECK ((occurred_precision = ANY (ARRAY['instant'::text, 'day'::text, 'month'::text, 'year'::text]))),
    CONSTRAINT node_privacy_level_check CHECK ((privacy_level = ANY (ARRAY['private'::text, 'shared'::text, 'public'::text]))),
    CONSTRAINT node_valence_check CHECK ((valence = ANY (ARRAY['positive'::text, 'negative'::text, 'neutral'::text, 'mixed'::text])))
);
ALTER TABLE ONLY cognifold.node FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.plan (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    plan_id uuid NOT NULL,
    version bigint NOT NULL,
    proposer text NOT NULL,
    model text,
    trigger_event_id uuid,
    reasoning text DEFAULT ''::text NOT NULL,
    operations jsonb NOT NULL,
    result jsonb NOT NULL,
    status text DEFAULT 'applied'::text NOT NULL,
    undoes uuid,
    as_of timestamp with time zone NOT NULL,
    applied_at timestamp with time zone NOT NULL,
    forgotten_at timestamp with time zone,
    made_by text,
    CONSTRAINT plan_check CHECK (((proposer = 'undo'::text) = (undoes IS NOT NULL))),
    CONSTRAINT plan_check1 CHECK (((model IS NULL) OR (proposer = 'llm'::text))),
    CONSTRAINT plan_operations_check CHECK ((jsonb_typeof(operations) = 'array'::text)),
    CONSTRAINT plan_proposer_check CHECK ((proposer = ANY (ARRAY['sql'::text, 'llm'::text, 'user'::text, 'consolidate'::text, 'intent'::text, 'undo'::text, 'forget'::text]))),
    CONSTRAINT plan_status_check CHECK ((status = ANY (ARRAY['applied'::text, 'undone'::text]))),
    CONSTRAINT plan_version_check CHECK ((version > 0))
);
ALTER TABLE ONLY cognifold.plan FORCE ROW LEVEL SECURITY;
CREATE VIEW cognifold.audit WITH (security_invoker='true', security_barrier='true') AS
 SELECT n.tenant_id,
    n.recorded_at AS at,
    n.recorded_by AS role_name,
    NULL::text AS login_name,
    'remember'::text AS verb,
    n.id AS subject,
    NULL::bytea AS digest,
    NULL::text AS question,
    NULL::uuid[] AS node_ids
   FROM cognifold.node n
  WHERE ((n.tenant_id = cognifold.current_tenant()) AND (n.kind = 'event'::text))
UNION ALL
 SELECT p.tenant_id,
    p.applied_at AS at,
    p.made_by AS role_name,
    NULL::text AS login_name,
    ('plan: '::text || p.proposer) AS verb,
    p.plan_id AS subject,
    NULL::bytea AS digest,
    NULL::text AS question,
    NULL::uuid[] AS node_ids
   FROM cognifold.plan p
  WHERE (p.tenant_id = cognifold.current_tenant())
UNION ALL
 SELECT a.tenant_id,
    a.read_at AS at,
    a.role_name,
    a.login_name,
    a.verb,
    NULL::uuid AS subject,
    a.digest,
    a.question,
    a.node_ids
   FROM cognifold.audit_read a
  WHERE (a.tenant_id = cognifold.current_tenant());
CREATE TABLE cognifold.clearance (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    role_name text NOT NULL COLLATE pg_catalog."C",
    level text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT clearance_level_check CHECK ((level = ANY (ARRAY['private'::text, 'shared'::text, 'public'::text])))
);
ALTER TABLE ONLY cognifold.clearance FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.co_recall (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    one_id uuid NOT NULL,
    other_id uuid NOT NULL,
    recalls integer NOT NULL,
    recalled_at timestamp with time zone NOT NULL,
    CONSTRAINT co_recall_check CHECK ((one_id < other_id)),
    CONSTRAINT co_recall_recalls_check CHECK ((recalls > 0))
)
WITH (fillfactor='80');
ALTER TABLE ONLY cognifold.co_recall FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.concept_state (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    node_id uuid NOT NULL,
    strength double precision NOT NULL,
    evidence_count integer NOT NULL,
    evidence_potential double precision,
    event_count integer DEFAULT 0 NOT NULL,
    vector_sum public.vector,
    vector_count integer DEFAULT 0 NOT NULL,
    CONSTRAINT concept_state_event_count_check CHECK ((event_count >= 0)),
    CONSTRAINT concept_state_evidence_count_check CHECK ((evidence_count >= 0)),
    CONSTRAINT concept_state_strength_check CHECK (((strength >= (0)::double precision) AND (strength <= (1)::double precision))),
    CONSTRAINT concept_state_vector_count_check CHECK ((vector_count >= 0))
)
WITH (fillfactor='70');
ALTER TABLE ONLY cognifold.concept_state FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.node_content (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    node_id uuid NOT NULL,
    content text,
    payload jsonb,
    media jsonb,
    pack_place smallint,
    pack_id integer,
    CONSTRAINT node_content_check CHECK ((((content IS NULL) = (pack_id IS NOT NULL)) AND (num_nulls(pack_id, pack_place) = ANY (ARRAY[0, 2])) AND ((pack_id IS NULL) OR ((payload IS NULL) AND (media IS NULL))))),
    CONSTRAINT node_content_media_check CHECK ((jsonb_typeof(media) = 'array'::text))
);
ALTER TABLE ONLY cognifold.node_content FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.node_state (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    node_id uuid NOT NULL,
    access_count bigint DEFAULT 0 NOT NULL,
    last_accessed timestamp with time zone,
    replay_count integer DEFAULT 0 NOT NULL,
    integration_score real DEFAULT 0 NOT NULL,
    consolidation_state text DEFAULT 'fresh'::text NOT NULL,
    due_at timestamp with time zone,
    CONSTRAINT node_state_access_count_check CHECK ((access_count >= 0)),
    CONSTRAINT node_state_consolidation_state_check CHECK ((consolidation_state = ANY (ARRAY['fresh'::text, 'consolidating'::text, 'consolidated'::text, 'archived'::text]))),
    CONSTRAINT node_state_integration_score_check CHECK (((integration_score >= (0)::double precision) AND (integration_score <= (1)::double precision))),
    CONSTRAINT node_state_replay_count_check CHECK ((replay_count >= 0))
)
WITH (fillfactor='70');
ALTER TABLE ONLY cognifold.node_state FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.tenant (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    display_name text,
    time_zone text DEFAULT 'UTC'::text NOT NULL,
    model_id smallint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT tenant_tenant_id_check CHECK (((octet_length(tenant_id) >= 1) AND (octet_length(tenant_id) <= 63)))
);
ALTER TABLE ONLY cognifold.tenant FORCE ROW LEVEL SECURITY;
CREATE VIEW cognifold.concept WITH (security_invoker='true', security_barrier='true') AS
 SELECT n.tenant_id,
    n.id,
    n.title,
    c.content,
    s.strength,
    s.evidence_count,
    COALESCE(cognifold.mass(s.evidence_potential, d.decay), (0)::double precision) AS evidence_mass,
    n.occurred_at,
    n.recorded_at,
    n.memory_type,
    n.reasoning,
    c.payload,
    n.merged_into,
    n.plan_id,
    COALESCE(h.access_count, (0)::bigint) AS access_count,
    h.last_accessed,
    ((n.merged_into IS NULL) AND (NOT (EXISTS ( SELECT
           FROM cognifold.graph_edge e
          WHERE ((e.tenant_id = n.tenant_id) AND (e.target_id = n.id) AND (e.faded_at IS NULL) AND (e.rate = 'episodic'::text) AND (e.potential >= d.episodic_bar))))) AND (NOT (EXISTS ( SELECT
           FROM cognifold.graph_edge e
          WHERE ((e.tenant_id = n.tenant_id) AND (e.target_id = n.id) AND (e.faded_at IS NULL) AND (e.rate = 'semantic'::text) AND (e.potential >= d.semantic_bar))))) AND (NOT (EXISTS ( SELECT
           FROM cognifold.graph_edge e
          WHERE ((e.tenant_id = n.tenant_id) AND (e.source_id = n.id) AND (e.faded_at IS NULL) AND (e.rate = 'semantic'::text) AND (e.potential >= d.semantic_bar)))))) AS dormant
   FROM ((((cognifold.node n
     JOIN cognifold.node_content c ON (((c.tenant_id = n.tenant_id) AND (c.node_id = n.id))))
     JOIN cognifold.concept_state s ON (((s.tenant_id = n.tenant_id) AND (s.node_id = n.id))))
     LEFT JOIN cognifold.node_state h ON (((h.tenant_id = n.tenant_id) AND (h.node_id = n.id))))
     LEFT JOIN ( SELECT t.tenant_id,
            c_1.decay,
            (c_1.fade + c_1.decay) AS episodic_bar,
            (c_1.fade + cognifold.decay_integral(t.tenant_id, 'semantic'::text, cognifold.now())) AS semantic_bar
           FROM (cognifold.tenant t
             CROSS JOIN LATERAL ( SELECT cognifold.decay_integral(t.tenant_id, 'episodic'::text, cognifold.now()) AS decay,
                    ln(cognifold.setting('edge.fade'::text, t.tenant_id)) AS fade) c_1)
          WHERE (t.tenant_id = cognifold.current_tenant())) d ON ((d.tenant_id = n.tenant_id)))
  WHERE ((n.tenant_id = cognifold.current_tenant()) AND (n.kind = 'concept'::text) AND (cognifold.known_at() IS NULL))
UNION ALL
 SELECT c.tenant_id,
    c.id,
    c.title,
    c.content,
    c.strength,
    c.evidence_count,
    c.evidence_mass,
    c.occurred_at,
    c.recorded_at,
    c.memory_type,
    c.reasoning,
    c.payload,
    c.merged_into,
    c.plan_id,
    c.access_count,
    c.last_accessed,
    c.dormant
   FROM cognifold.concepts_at(cognifold.current_tenant(), cognifold.known_at()) c(tenant_id, id, title, content, strength, evidence_count, evidence_mass, occurred_at, recorded_at, memory_type, reasoning, payload, merged_into, plan_id, access_count, last_accessed, dormant)
  WHERE (cognifold.known_at() IS NOT NULL);
CREATE TABLE cognifold.concept_lexeme (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    lexeme text NOT NULL COLLATE pg_catalog."C",
    node_id uuid NOT NULL,
    event_count integer NOT NULL,
    CONSTRAINT concept_lexeme_event_count_check CHECK ((event_count > 0))
)
WITH (fillfactor='70');
ALTER TABLE ONLY cognifold.concept_lexeme FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.consolidation_dirty (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    node_id uuid NOT NULL,
    CONSTRAINT consolidation_dirty_kind_check CHECK ((kind = ANY (ARRAY['event'::text, 'concept'::text])))
);
ALTER TABLE ONLY cognifold.consolidation_dirty FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.consolidation_run (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    run_id uuid NOT NULL,
    as_of timestamp with time zone NOT NULL,
    state text DEFAULT 'running'::text NOT NULL,
    phase text DEFAULT 'recalls'::text NOT NULL,
    started_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    steps integer DEFAULT 0 NOT NULL,
    settled bigint DEFAULT 0 NOT NULL,
    plans integer DEFAULT 0 NOT NULL,
    counts jsonb DEFAULT '{}'::jsonb NOT NULL,
    more boolean,
    merges_allowed bigint,
    time_budget interval,
    row_budget bigint,
    place uuid,
    until uuid,
    held interval DEFAULT '00:00:00'::interval NOT NULL,
    holder integer NOT NULL,
    leased_until timestamp with time zone NOT NULL,
    CONSTRAINT consolidation_run_check CHECK (((state = 'finished'::text) = (finished_at IS NOT NULL))),
    CONSTRAINT consolidation_run_merges_allowed_check CHECK ((merges_allowed >= 0)),
    CONSTRAINT consolidation_run_phase_check CHECK ((phase = ANY (ARRAY['recalls'::text, 'decay'::text, 'concepts'::text, 'events'::text, 'archive'::text, 'ranks'::text]))),
    CONSTRAINT consolidation_run_plans_check CHECK ((plans >= 0)),
    CONSTRAINT consolidation_run_row_budget_check CHECK ((row_budget > 0)),
    CONSTRAINT consolidation_run_settled_check CHECK ((settled >= 0)),
    CONSTRAINT consolidation_run_state_check CHECK ((state = ANY (ARRAY['running'::text, 'finished'::text, 'interrupted'::text]))),
    CONSTRAINT consolidation_run_steps_check CHECK ((steps >= 0))
)
WITH (fillfactor='50');
ALTER TABLE ONLY cognifold.consolidation_run FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.cue_reading (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    node_id uuid NOT NULL,
    edition text NOT NULL,
    need double precision NOT NULL,
    done double precision NOT NULL,
    about text[] NOT NULL COLLATE pg_catalog."C",
    lacks smallint NOT NULL,
    again smallint NOT NULL,
    words integer NOT NULL,
    signs integer GENERATED ALWAYS AS ((LEAST((lacks)::integer, 3) + LEAST((again)::integer, 3))) STORED NOT NULL,
    CONSTRAINT cue_reading_again_check CHECK ((again >= 0)),
    CONSTRAINT cue_reading_done_check CHECK (((done >= (0)::double precision) AND (done <= (1)::double precision))),
    CONSTRAINT cue_reading_lacks_check CHECK ((lacks >= 0)),
    CONSTRAINT cue_reading_need_check CHECK (((need >= (0)::double precision) AND (need <= (1)::double precision))),
    CONSTRAINT cue_reading_words_check CHECK ((words >= 0))
);
ALTER TABLE ONLY cognifold.cue_reading FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.delivery (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    consumer text NOT NULL COLLATE pg_catalog."C",
    "position" bigint NOT NULL,
    node_id uuid NOT NULL,
    state text DEFAULT 'ready'::text NOT NULL COLLATE pg_catalog."C",
    attempts smallint DEFAULT 0 NOT NULL,
    not_before timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    fence bigint,
    lease_until timestamp with time zone,
    worker text,
    error text,
    failed_at timestamp with time zone,
    CONSTRAINT delivery_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT delivery_check CHECK ((num_nulls(fence, lease_until, worker) = ANY (ARRAY[0, 3]))),
    CONSTRAINT delivery_check1 CHECK (((fence IS NULL) OR (state = 'ready'::text))),
    CONSTRAINT delivery_state_check CHECK ((state = ANY (ARRAY['ready'::text, 'dead'::text])))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000');
ALTER TABLE ONLY cognifold.delivery FORCE ROW LEVEL SECURITY;
CREATE VIEW cognifold.dead_deliveries WITH (security_invoker='true', security_barrier='true') AS
 SELECT d.tenant_id,
    d.consumer,
    d."position",
    o.id,
    d.node_id AS intent_id,
    o.kind,
    o.moment,
    d.attempts,
    d.error,
    d.failed_at
   FROM (cognifold.delivery d
     JOIN cognifold.outbox o ON (((o.tenant_id = d.tenant_id) AND (o."position" = d."position"))))
  WHERE ((d.tenant_id = cognifold.current_tenant()) AND (d.state = 'dead'::text));
CREATE TABLE cognifold.job_run (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    job text NOT NULL COLLATE pg_catalog."C",
    period timestamp with time zone NOT NULL,
    cause text NOT NULL,
    state text NOT NULL,
    attempts smallint NOT NULL,
    fence bigint NOT NULL,
    worker text NOT NULL,
    started_at timestamp with time zone NOT NULL,
    lease_until timestamp with time zone,
    finished_at timestamp with time zone,
    report jsonb,
    error_state text,
    error text,
    CONSTRAINT job_run_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT job_run_cause_check CHECK ((cause = ANY (ARRAY['period'::text, 'folds'::text, 'asked'::text]))),
    CONSTRAINT job_run_check CHECK (((state = ANY (ARRAY['running'::text, 'failed'::text])) = (lease_until IS NOT NULL))),
    CONSTRAINT job_run_check1 CHECK (((state = ANY (ARRAY['running'::text, 'failed'::text])) = (finished_at IS NULL))),
    CONSTRAINT job_run_state_check CHECK ((state = ANY (ARRAY['running'::text, 'failed'::text, 'done'::text, 'dead'::text, 'missed'::text])))
)
WITH (fillfactor='70');
ALTER TABLE ONLY cognifold.job_run FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.work (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    task text DEFAULT 'fold'::text NOT NULL,
    node_id uuid NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    state text DEFAULT 'ready'::text NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    not_before timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    enqueued_at timestamp with time zone NOT NULL,
    vectorless boolean DEFAULT false NOT NULL,
    fence bigint,
    lease_until timestamp with time zone,
    worker text,
    error_state text,
    error text,
    CONSTRAINT work_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT work_check CHECK ((num_nulls(fence, lease_until, worker) = ANY (ARRAY[0, 3]))),
    CONSTRAINT work_check1 CHECK (((fence IS NULL) OR (state = 'ready'::text))),
    CONSTRAINT work_state_check CHECK ((state = ANY (ARRAY['ready'::text, 'failed'::text, 'rate_limited'::text, 'dead'::text]))),
    CONSTRAINT work_task_check CHECK ((task = 'fold'::text))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000');
ALTER TABLE ONLY cognifold.work FORCE ROW LEVEL SECURITY;
CREATE VIEW cognifold.dead_letter WITH (security_invoker='true', security_barrier='true') AS
 SELECT w.tenant_id,
    'fold'::text AS task,
    w.node_id AS event_id,
    w.occurred_at AS moment,
    w.attempts,
    w.error_state,
    w.error,
    format('SELECT cognifold.retry(%L)'::text, w.node_id) AS remedy
   FROM cognifold.work w
  WHERE ((w.tenant_id = cognifold.current_tenant()) AND (w.task = 'fold'::text) AND (w.state = 'dead'::text))
UNION ALL
 SELECT r.tenant_id,
    r.job AS task,
    NULL::uuid AS event_id,
    r.period AS moment,
    r.attempts,
    r.error_state,
    r.error,
    format('SELECT cognifold.ask_job(%L)'::text, r.job) AS remedy
   FROM cognifold.job_run r
  WHERE ((r.tenant_id = cognifold.current_tenant()) AND (r.state = 'dead'::text) AND (NOT (EXISTS ( SELECT
           FROM cognifold.job_run l
          WHERE ((l.tenant_id = r.tenant_id) AND (l.job = r.job) AND (l.state = 'done'::text) AND (l.started_at > r.started_at))))));
CREATE TABLE cognifold.decay_clock (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    rate text NOT NULL,
    valid_from timestamp with time zone NOT NULL,
    lambda double precision NOT NULL,
    cumulative double precision NOT NULL,
    CONSTRAINT decay_clock_lambda_check CHECK (((lambda >= (0)::double precision) AND (lambda < 'Infinity'::double precision))),
    CONSTRAINT decay_clock_rate_check CHECK ((rate = ANY (ARRAY['episodic'::text, 'semantic'::text])))
);
ALTER TABLE ONLY cognifold.decay_clock FORCE ROW LEVEL SECURITY;
CREATE SEQUENCE cognifold.delivery_fence
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE cognifold.outbox_head (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    last_position bigint NOT NULL,
    CONSTRAINT outbox_head_last_position_check CHECK ((last_position >= 0))
)
WITH (fillfactor='50');
ALTER TABLE ONLY cognifold.outbox_head FORCE ROW LEVEL SECURITY;
CREATE VIEW cognifold.delivery_lag WITH (security_invoker='true', security_barrier='true') AS
 SELECT c.tenant_id,
    c.name AS consumer,
    c.kinds,
    c.categories,
    c.cursor_position,
    COALESCE(( SELECT h.last_position
           FROM cognifold.outbox_head h
          WHERE (h.tenant_id = c.tenant_id)), (0)::bigint) AS last_position,
    (a.number + d.ready) AS waiting,
    d.leased,
    d.retried,
    d.dead,
    LEAST(a.oldest, d.oldest) AS oldest_waiting,
    c.created_at,
    c.disabled_at,
    c.disabled_reason
   FROM ((cognifold.outbox_consumer c
     CROSS JOIN LATERAL ( SELECT count(*) AS number,
            min(o.recorded_at) AS oldest
           FROM cognifold.outbox o
          WHERE ((o.tenant_id = c.tenant_id) AND (o."position" > c.cursor_position) AND ((c.kinds IS NULL) OR (o.kind = ANY (c.kinds))) AND ((c.categories IS NULL) OR (o.category = ANY (c.categories))))) a)
     CROSS JOIN LATERAL ( SELECT count(*) FILTER (WHERE (d_1.state = 'ready'::text)) AS ready,
            count(*) FILTER (WHERE (d_1.lease_until > clock_timestamp())) AS leased,
            count(*) FILTER (WHERE ((d_1.state = 'ready'::text) AND (d_1.error IS NOT NULL))) AS retried,
            count(*) FILTER (WHERE (d_1.state = 'dead'::text)) AS dead,
            min(o.recorded_at) FILTER (WHERE (d_1.state = 'ready'::text)) AS oldest
           FROM (cognifold.delivery d_1
             JOIN cognifold.outbox o ON (((o.tenant_id = d_1.tenant_id) AND (o."position" = d_1."position"))))
          WHERE ((d_1.tenant_id = c.tenant_id) AND (d_1.consumer = c.name))) d)
  WHERE (c.tenant_id = cognifold.current_tenant());
CREATE VIEW cognifold.diagnosis WITH (security_invoker='true') AS
 SELECT severity,
    subject,
    finding,
    remedy
   FROM cognifold.diagnose() d(severity, subject, finding, remedy);
CREATE VIEW cognifold.edge WITH (security_invoker='true', security_barrier='true') AS
 SELECT e.tenant_id,
    e.source_id,
    e.target_id,
    e.type,
    e.source_kind,
    e.target_kind,
    cognifold.mass(e.potential, d.decay) AS mass,
    LEAST((1)::double precision, cognifold.mass(e.potential, d.decay)) AS weight,
    ((e.faded_at IS NULL) AND (cognifold.mass(e.potential, d.decay) >= d.fade)) AS live,
    e.inferred,
    e.bidirectional,
    e.rate,
    e.potential,
    e.stamped_at,
    e.created_at,
    e.faded_at,
    e.metadata,
    e.plan_id
   FROM (( SELECT g.tenant_id,
            g.source_id,
            g.target_id,
            g.type,
            g.source_kind,
            g.target_kind,
            g.rate,
            g.potential,
            g.stamped_at,
            g.created_at,
            g.inferred,
            g.bidirectional,
            g.faded_at,
            g.metadata,
            g.plan_id
           FROM cognifold.graph_edge g
          WHERE ((g.tenant_id = cognifold.current_tenant()) AND (cognifold.known_at() IS NULL))
        UNION ALL
         SELECT g.tenant_id,
            g.source_id,
            g.target_id,
            g.type,
            g.source_kind,
            g.target_kind,
            g.rate,
            g.potential,
            g.stamped_at,
            g.created_at,
            g.inferred,
            g.bidirectional,
            g.faded_at,
            g.metadata,
            g.plan_id
           FROM cognifold.edges_at(cognifold.current_tenant(), cognifold.known_at()) g(tenant_id, source_id, target_id, type, source_kind, target_kind, rate, potential, stamped_at, created_at, inferred, bidirectional, faded_at, metadata, plan_id)
          WHERE (cognifold.known_at() IS NOT NULL)) e
     JOIN ( SELECT t.tenant_id,
            r.rate,
            cognifold.decay_integral(t.tenant_id, r.rate, cognifold.now()) AS decay,
            cognifold.setting('edge.fade'::text, t.tenant_id) AS fade
           FROM (cognifold.tenant t
             CROSS JOIN ( VALUES ('episodic'::text), ('semantic'::text)) r(rate))
          WHERE (t.tenant_id = cognifold.current_tenant())) d ON (((d.tenant_id = e.tenant_id) AND (d.rate = e.rate))));
CREATE TABLE cognifold.edge_legality (
    type text NOT NULL,
    source_kind text NOT NULL,
    target_kind text NOT NULL
);
CREATE TABLE cognifold.edge_type (
    type text NOT NULL,
    default_weight double precision NOT NULL,
    relationship text NOT NULL,
    description text NOT NULL,
    CONSTRAINT edge_type_default_weight_check CHECK (((default_weight > (0)::double precision) AND (default_weight <= (1)::double precision))),
    CONSTRAINT edge_type_relationship_check CHECK ((relationship = ANY (ARRAY['confirmatory'::text, 'causal'::text, 'semantic'::text, 'temporal'::text, 'contradictory'::text])))
);
CREATE TABLE cognifold.embedding (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    model_id smallint NOT NULL,
    kind text NOT NULL,
    node_id uuid NOT NULL,
    dimensions integer NOT NULL,
    vector public.halfvec NOT NULL,
    CONSTRAINT embedding_check CHECK ((public.vector_dims(vector) = dimensions)),
    CONSTRAINT embedding_vector_check CHECK (((public.l2_norm(vector) >= (0.99)::double precision) AND (public.l2_norm(vector) <= (1.01)::double precision)))
);
ALTER TABLE ONLY cognifold.embedding FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.embedding_statistics (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    model_id smallint NOT NULL,
    vector_count bigint NOT NULL,
    vector_sum public.vector NOT NULL,
    CONSTRAINT embedding_statistics_vector_count_check CHECK ((vector_count >= 0))
)
WITH (fillfactor='50');
ALTER TABLE ONLY cognifold.embedding_statistics FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.folded_event (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    event_id uuid NOT NULL,
    plan_id uuid NOT NULL
);
ALTER TABLE ONLY cognifold.folded_event FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.lexical_document (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    node_id uuid NOT NULL,
    length integer NOT NULL,
    truncated boolean NOT NULL,
    lexemes text[] NOT NULL COLLATE pg_catalog."C",
    frequencies smallint[] NOT NULL,
    CONSTRAINT lexical_document_check CHECK ((cardinality(frequencies) = cardinality(lexemes))),
    CONSTRAINT lexical_document_length_check CHECK ((length >= 0))
);
ALTER TABLE ONLY cognifold.lexical_document FORCE ROW LEVEL SECURITY;
CREATE VIEW cognifold.node_text WITH (security_invoker='true') AS
 SELECT tenant_id,
    node_id,
        CASE
            WHEN (pack_id IS NULL) THEN content
            ELSE ( SELECT a.contents[c.pack_place] AS contents
               FROM cognifold.archived_content a
              WHERE ((a.tenant_id = c.tenant_id) AND (a.pack_id = c.pack_id)))
        END AS content,
        CASE
            WHEN (pack_id IS NULL) THEN payload
            ELSE ( SELECT a.payloads[c.pack_place] AS payloads
               FROM cognifold.archived_content a
              WHERE ((a.tenant_id = c.tenant_id) AND (a.pack_id = c.pack_id)))
        END AS payload,
        CASE
            WHEN (pack_id IS NULL) THEN media
            ELSE ( SELECT a.media[c.pack_place] AS media
               FROM cognifold.archived_content a
              WHERE ((a.tenant_id = c.tenant_id) AND (a.pack_id = c.pack_id)))
        END AS media
   FROM cognifold.node_content c;
CREATE VIEW cognifold.event WITH (security_invoker='true', security_barrier='true') AS
 SELECT n.tenant_id,
    n.id,
    n.title,
    c.content,
    n.occurred_at,
    n.ended_at,
    n.occurred_precision,
    n.source,
    n.actor,
    n.source_agent,
    n.memory_type,
    n.emotional_weight,
    n.valence,
    n.arousal,
    n.affect_inferred,
    n.privacy_level,
    c.payload,
    c.media,
    n.recorded_at,
        CASE
            WHEN (w.lease_until > clock_timestamp()) THEN 'leased'::text
            WHEN (w.state = 'ready'::text) THEN 'pending'::text
            WHEN (w.state IS NOT NULL) THEN w.state
            WHEN (f.event_id IS NULL) THEN 'undone'::text
            ELSE 'folded'::text
        END AS fold_state,
    w.attempts,
    w.error AS fold_error,
    COALESCE(s.access_count, (0)::bigint) AS access_count,
    s.last_accessed,
    COALESCE(s.replay_count, 0) AS replay_count,
    COALESCE(s.integration_score, (0)::real) AS integration_score,
    COALESCE(s.consolidation_state, 'fresh'::text) AS consolidation_state,
    d.truncated AS indexed_in_part,
    n.idempotency_key,
    n.digest
   FROM (((((cognifold.node n
     JOIN cognifold.node_text c ON (((c.tenant_id = n.tenant_id) AND (c.node_id = n.id))))
     LEFT JOIN cognifold.work w ON (((w.tenant_id = n.tenant_id) AND (w.task = 'fold'::text) AND (w.node_id = n.id))))
     LEFT JOIN cognifold.folded_event f ON (((f.tenant_id = n.tenant_id) AND (f.event_id = n.id))))
     LEFT JOIN cognifold.node_state s ON (((s.tenant_id = n.tenant_id) AND (s.node_id = n.id))))
     LEFT JOIN cognifold.lexical_document d ON (((d.tenant_id = n.tenant_id) AND (d.node_id = n.id))))
  WHERE ((n.tenant_id = cognifold.current_tenant()) AND (n.kind = 'event'::text) AND (n.recorded_at <= COALESCE(( SELECT cognifold.known_at() AS known_at), 'infinity'::timestamp with time zone)));
CREATE SEQUENCE cognifold.fold_fence
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE VIEW cognifold.fold_queue WITH (security_invoker='true', security_barrier='true') AS
 SELECT w.tenant_id,
    w.node_id AS event_id,
        CASE
            WHEN (w.lease_until > clock_timestamp()) THEN 'leased'::text
            ELSE w.state
        END AS state,
    w.attempts,
    NULLIF(w.not_before, '-infinity'::timestamp with time zone) AS not_before,
    w.lease_until,
    w.worker,
    w.error_state,
    w.error,
    w.enqueued_at,
    w.occurred_at,
    n.title
   FROM (cognifold.work w
     JOIN cognifold.node n ON (((n.tenant_id = w.tenant_id) AND (n.id = w.node_id))))
  WHERE ((w.tenant_id = cognifold.current_tenant()) AND (w.task = 'fold'::text));
CREATE TABLE cognifold.forgetting (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    forget_id uuid NOT NULL,
    plan_id uuid NOT NULL,
    forgotten_at timestamp with time zone NOT NULL,
    forgotten_by text NOT NULL COLLATE pg_catalog."C",
    criteria text[] NOT NULL COLLATE pg_catalog."C",
    counts jsonb NOT NULL,
    CONSTRAINT forgetting_counts_check CHECK ((jsonb_typeof(counts) = 'object'::text)),
    CONSTRAINT forgetting_criteria_check CHECK ((cardinality(criteria) > 0))
);
ALTER TABLE ONLY cognifold.forgetting FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.forgotten_key (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    key_hash bytea NOT NULL,
    node_id uuid NOT NULL,
    forget_id uuid NOT NULL
);
ALTER TABLE ONLY cognifold.forgotten_key FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.tenant_member (
    role_name text NOT NULL COLLATE pg_catalog."C",
    tenant_id text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE ONLY cognifold.tenant_member FORCE ROW LEVEL SECURITY;
CREATE VIEW cognifold.grants WITH (security_invoker='true', security_barrier='true') AS
 SELECT (r.rolname)::text AS role_name,
    r.rolcanlogin AS can_login,
    p.profile,
        CASE
            WHEN (NOT (EXISTS ( SELECT
               FROM pg_auth_members m
              WHERE ((m.roleid = ((p.house_role)::regrole)::oid) AND (m.member = r.oid))))) THEN ( SELECT string_agg((v.rolname)::text, ', '::text ORDER BY ((v.rolname)::text)) AS string_agg
               FROM (pg_auth_members m
                 JOIN pg_roles v ON ((v.oid = m.roleid)))
              WHERE ((m.member = r.oid) AND pg_has_role(v.oid, (p.house_role)::name, 'MEMBER'::text)))
            ELSE NULL::text
        END AS by_way_of,
    (EXISTS ( SELECT
           FROM pg_auth_members m
          WHERE ((m.roleid = ((p.house_role)::regrole)::oid) AND (m.member = r.oid) AND m.admin_option))) AS may_grant,
    b.tenant_id,
    COALESCE(c.level, o.level,
        CASE
            WHEN (b.tenant_id IS NOT NULL) THEN 'private'::text
            ELSE NULL::text
        END) AS clearance
   FROM ((((pg_roles r
     JOIN cognifold.grantable_profiles() p(profile, house_role) ON (pg_has_role(r.oid, (p.house_role)::name, 'MEMBER'::text)))
     LEFT JOIN cognifold.tenant_member b ON ((b.role_name = r.rolname)))
     LEFT JOIN cognifold.clearance c ON (((c.role_name = r.rolname) AND (c.tenant_id = b.tenant_id))))
     LEFT JOIN cognifold.clearance o ON (((o.role_name = 'public'::text) AND (o.tenant_id = b.tenant_id))))
  WHERE ((NOT r.rolsuper) AND (r.rolname !~ '^(cognifold|pg)_'::text));
CREATE VIEW cognifold.graph_lag WITH (security_invoker='true') AS
 SELECT tenant_id,
    graph_name,
    version,
    plans,
    changes,
    seconds,
    synced_at,
    stale
   FROM cognifold.graph_lags() l(tenant_id, graph_name, version, plans, changes, seconds, synced_at, stale);
CREATE TABLE cognifold.graph_turn (
    tenant_id text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE ONLY cognifold.graph_turn FORCE ROW LEVEL SECURITY;
CREATE VIEW cognifold.health WITH (security_invoker='true') AS
 SELECT name,
    ok,
    detail
   FROM cognifold.health() h(name, ok, detail);
CREATE TABLE cognifold.insight_state (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    insight_id uuid NOT NULL,
    node_id uuid,
    kind text NOT NULL COLLATE pg_catalog."C",
    aspect text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    insight text NOT NULL,
    confidence real NOT NULL,
    abstraction_level text NOT NULL,
    derived_from uuid[] NOT NULL,
    from_concepts boolean NOT NULL,
    figures jsonb DEFAULT '{}'::jsonb NOT NULL,
    as_of timestamp with time zone NOT NULL,
    closed_at timestamp with time zone,
    plan_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT insight_state_abstraction_level_check CHECK ((abstraction_level = ANY (ARRAY['specific'::text, 'general'::text, 'principle'::text]))),
    CONSTRAINT insight_state_aspect_check CHECK ((octet_length(aspect) <= 1000)),
    CONSTRAINT insight_state_confidence_check CHECK (((confidence >= (0)::double precision) AND (confidence <= (1)::double precision))),
    CONSTRAINT insight_state_derived_from_check CHECK ((cardinality(derived_from) > 0)),
    CONSTRAINT insight_state_figures_check CHECK ((jsonb_typeof(figures) = 'object'::text)),
    CONSTRAINT insight_state_kind_check CHECK ((kind ~ '^[a-z_]{1,63}$'::text))
)
WITH (fillfactor='80');
ALTER TABLE ONLY cognifold.insight_state FORCE ROW LEVEL SECURITY;
CREATE VIEW cognifold.insight WITH (security_invoker='true', security_barrier='true') AS
 SELECT i.tenant_id,
    i.insight_id,
    i.node_id,
    n.title AS about,
    i.kind,
    i.insight,
    i.confidence,
    i.abstraction_level,
    i.derived_from,
    i.figures,
    i.as_of,
    i.created_at,
    i.plan_id
   FROM (cognifold.insight_state i
     LEFT JOIN cognifold.node n ON (((n.tenant_id = i.tenant_id) AND (n.id = i.node_id))))
  WHERE ((i.tenant_id = cognifold.current_tenant()) AND (i.closed_at IS NULL) AND (cognifold.known_at() IS NULL))
UNION ALL
 SELECT i.tenant_id,
    i.insight_id,
    i.node_id,
    i.about,
    i.kind,
    i.insight,
    i.confidence,
    i.abstraction_level,
    i.derived_from,
    i.figures,
    i.as_of,
    i.created_at,
    i.plan_id
   FROM cognifold.insights_at(cognifold.current_tenant(), cognifold.known_at()) i(tenant_id, insight_id, node_id, about, kind, insight, confidence, abstraction_level, derived_from, figures, as_of, created_at, plan_id)
  WHERE (cognifold.known_at() IS NOT NULL);
CREATE TABLE cognifold.installed_object (
    identity text NOT NULL COLLATE pg_catalog."C",
    fingerprint text NOT NULL,
    server integer NOT NULL
);
CREATE TABLE cognifold.intent_state (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    node_id uuid NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    wake_at timestamp with time zone,
    closed_at timestamp with time zone,
    category text DEFAULT 'other'::text NOT NULL COLLATE pg_catalog."C",
    density double precision,
    pressure double precision,
    readiness double precision,
    theta double precision,
    deadline timestamp with time zone,
    expires_at timestamp with time zone,
    CONSTRAINT intent_state_check CHECK (((status = 'deferred'::text) = (wake_at IS NOT NULL))),
    CONSTRAINT intent_state_check1 CHECK (((status = ANY (ARRAY['resolved'::text, 'rejected'::text])) = (closed_at IS NOT NULL))),
    CONSTRAINT intent_state_density_check CHECK (((density >= (0)::double precision) AND (density <= (1)::double precision))),
    CONSTRAINT intent_state_pressure_check CHECK (((pressure >= (0)::double precision) AND (pressure <= (1)::double precision))),
    CONSTRAINT intent_state_readiness_check CHECK (((readiness >= (0)::double precision) AND (readiness <= (1)::double precision))),
    CONSTRAINT intent_state_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'scheduled'::text, 'deferred'::text, 'resolved'::text, 'rejected'::text])))
)
WITH (fillfactor='70');
ALTER TABLE ONLY cognifold.intent_state FORCE ROW LEVEL SECURITY;
CREATE VIEW cognifold.intent WITH (security_invoker='true', security_barrier='true') AS
 SELECT n.tenant_id,
    n.id,
    n.title,
    c.content,
    n.occurred_at,
    n.recorded_at,
    n.reasoning,
    c.payload,
    n.plan_id,
    x.status,
    s.category,
    s.density,
    s.pressure,
    s.readiness,
    s.theta,
    s.deadline,
    s.wake_at,
    s.expires_at,
    s.closed_at,
    ( SELECT count(*) AS count
           FROM cognifold.graph_edge e
          WHERE ((e.tenant_id = n.tenant_id) AND (e.target_id = n.id) AND (e.type = 'grounds'::text) AND (NOT e.inferred))) AS evidence_count,
    ( SELECT count(*) AS count
           FROM cognifold.graph_edge e
          WHERE ((e.tenant_id = n.tenant_id) AND (e.target_id = n.id) AND (e.type = 'user_feedback'::text))) AS answer_count,
        CASE
            WHEN (x.status = ANY (ARRAY['pending'::text, 'scheduled'::text, 'deferred'::text])) THEN cognifold.intent_value(s.readiness, a.acceptance, s.deadline, k.now, k.foresight)
            ELSE NULL::double precision
        END AS value
   FROM (((((cognifold.node n
     JOIN cognifold.node_content c ON (((c.tenant_id = n.tenant_id) AND (c.node_id = n.id))))
     JOIN cognifold.intent_state s ON (((s.tenant_id = n.tenant_id) AND (s.node_id = n.id))))
     CROSS JOIN ( SELECT cognifold.now() AS now,
            cognifold.setting('intent.foresight'::text, cognifold.current_tenant()) AS foresight) k)
     CROSS JOIN LATERAL ( SELECT cognifold.intent_status(s.status, s.wake_at, s.expires_at, k.now) AS status) x)
     LEFT JOIN cognifold.category_acceptance(cognifold.current_tenant(), cognifold.now()) a(category, answers, accepted, acceptance) ON ((a.category = s.category)))
  WHERE ((n.tenant_id = cognifold.current_tenant()) AND (n.kind = 'intent'::text) AND (cognifold.known_at() IS NULL))
UNION ALL
 SELECT i.tenant_id,
    i.id,
    i.title,
    i.content,
    i.occurred_at,
    i.recorded_at,
    i.reasoning,
    i.payload,
    i.plan_id,
    i.status,
    i.category,
    i.density,
    i.pressure,
    i.readiness,
    i.theta,
    i.deadline,
    i.wake_at,
    i.expires_at,
    i.closed_at,
    i.evidence_count,
    i.answer_count,
    i.value
   FROM cognifold.intents_at(cognifold.current_tenant(), cognifold.known_at()) i(tenant_id, id, title, content, occurred_at, recorded_at, reasoning, payload, plan_id, status, category, density, pressure, readiness, theta, deadline, wake_at, expires_at, closed_at, evidence_count, answer_count, value)
  WHERE (cognifold.known_at() IS NOT NULL);
CREATE TABLE cognifold.intent_action_state (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    node_id uuid NOT NULL,
    "position" integer NOT NULL,
    what text NOT NULL,
    due_at timestamp with time zone,
    status text DEFAULT 'proposed'::text NOT NULL,
    proposer text NOT NULL,
    event_id uuid,
    as_of timestamp with time zone NOT NULL,
    plan_id uuid NOT NULL,
    CONSTRAINT intent_action_state_position_check CHECK ((("position" >= 1) AND ("position" <= 100))),
    CONSTRAINT intent_action_state_status_check CHECK ((status = ANY (ARRAY['proposed'::text, 'accepted'::text, 'done'::text, 'skipped'::text]))),
    CONSTRAINT intent_action_state_what_check CHECK ((what ~ '\S'::text))
)
WITH (fillfactor='70');
ALTER TABLE ONLY cognifold.intent_action_state FORCE ROW LEVEL SECURITY;
CREATE VIEW cognifold.intent_action WITH (security_invoker='true', security_barrier='true') AS
 SELECT a.tenant_id,
    a.node_id AS intent_id,
    a."position",
    a.what,
    a.due_at,
    a.status,
    a.proposer,
    a.event_id,
    a.as_of,
    a.plan_id
   FROM cognifold.intent_action_state a
  WHERE ((a.tenant_id = cognifold.current_tenant()) AND (cognifold.known_at() IS NULL))
UNION ALL
 SELECT a.tenant_id,
    a.intent_id,
    a."position",
    a.what,
    a.due_at,
    a.status,
    a.proposer,
    a.event_id,
    a.as_of,
    a.plan_id
   FROM cognifold.actions_at(cognifold.current_tenant(), cognifold.known_at()) a(tenant_id, intent_id, "position", what, due_at, status, proposer, event_id, as_of, plan_id)
  WHERE (cognifold.known_at() IS NOT NULL);
CREATE TABLE cognifold.intent_alarm (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    node_id uuid NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    due_at timestamp with time zone NOT NULL,
    CONSTRAINT intent_alarm_kind_check CHECK ((kind = ANY (ARRAY['woken'::text, 'expired'::text])))
);
ALTER TABLE ONLY cognifold.intent_alarm FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.intent_assessment (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    node_id uuid NOT NULL,
    as_of timestamp with time zone NOT NULL,
    density double precision NOT NULL,
    pressure double precision NOT NULL,
    readiness double precision NOT NULL,
    cues integer NOT NULL,
    met double precision NOT NULL,
    category text NOT NULL COLLATE pg_catalog."C",
    theta double precision NOT NULL,
    CONSTRAINT intent_assessment_cues_check CHECK ((cues >= 0)),
    CONSTRAINT intent_assessment_density_check CHECK (((density >= (0)::double precision) AND (density <= (1)::double precision))),
    CONSTRAINT intent_assessment_met_check CHECK (((met >= (0)::double precision) AND (met <= (1)::double precision))),
    CONSTRAINT intent_assessment_pressure_check CHECK (((pressure >= (0)::double precision) AND (pressure <= (1)::double precision))),
    CONSTRAINT intent_assessment_readiness_check CHECK (((readiness >= (0)::double precision) AND (readiness <= (1)::double precision)))
)
WITH (fillfactor='70');
ALTER TABLE ONLY cognifold.intent_assessment FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.intent_category (
    category text NOT NULL COLLATE pg_catalog."C",
    description text NOT NULL
);
CREATE TABLE cognifold.intent_feedback (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    category text NOT NULL COLLATE pg_catalog."C",
    at timestamp with time zone NOT NULL,
    event_id uuid NOT NULL,
    node_id uuid NOT NULL,
    answer text NOT NULL,
    w double precision NOT NULL,
    plan_id uuid NOT NULL,
    CONSTRAINT intent_feedback_answer_check CHECK ((answer = ANY (ARRAY['accept'::text, 'modify'::text, 'defer'::text, 'reject'::text]))),
    CONSTRAINT intent_feedback_w_check CHECK ((w > (0)::double precision))
);
ALTER TABLE ONLY cognifold.intent_feedback FORCE ROW LEVEL SECURITY;
CREATE VIEW cognifold.intent_calibration WITH (security_invoker='true', security_barrier='true') AS
 SELECT t.tenant_id,
    c.category,
    COALESCE(e.emitted, (0)::bigint) AS emitted,
    COALESCE(e.accepted, (0)::bigint) AS accepted,
    COALESCE(f.answers, (0)::bigint) AS answers,
    COALESCE(f.accept, (0)::bigint) AS accept,
    COALESCE(f.modify, (0)::bigint) AS modify,
    COALESCE(f.defer, (0)::bigint) AS defer,
    COALESCE(f.reject, (0)::bigint) AS reject,
    (((f.accept + f.modify))::double precision / (NULLIF(f.answers, 0))::double precision) AS acceptance_rate,
    a.acceptance,
    cognifold.category_weight(cognifold.current_tenant(), c.category, cognifold.now()) AS w,
    cognifold.category_theta(cognifold.current_tenant(), c.category, cognifold.now()) AS theta,
    f.last_answer
   FROM ((((cognifold.tenant t
     CROSS JOIN cognifold.intent_category c)
     JOIN cognifold.category_acceptance(cognifold.current_tenant(), cognifold.now()) a(category, answers, accepted, acceptance) ON ((a.category = c.category)))
     LEFT JOIN ( SELECT f_1.category,
            count(*) AS answers,
            count(*) FILTER (WHERE (f_1.answer = 'accept'::text)) AS accept,
            count(*) FILTER (WHERE (f_1.answer = 'modify'::text)) AS modify,
            count(*) FILTER (WHERE (f_1.answer = 'defer'::text)) AS defer,
            count(*) FILTER (WHERE (f_1.answer = 'reject'::text)) AS reject,
            max(f_1.at) AS last_answer
           FROM cognifold.intent_feedback f_1
          WHERE ((f_1.tenant_id = cognifold.current_tenant()) AND (f_1.at <= cognifold.now()))
          GROUP BY f_1.category) f ON ((f.category = c.category)))
     LEFT JOIN ( SELECT s.category,
            count(*) AS emitted,
            count(*) FILTER (WHERE (EXISTS ( SELECT
                   FROM cognifold.intent_feedback f_1
                  WHERE ((f_1.tenant_id = s.tenant_id) AND (f_1.node_id = s.node_id) AND (f_1.answer = ANY (ARRAY['accept'::text, 'modify'::text])) AND (f_1.at <= cognifold.now()))))) AS accepted
           FROM (cognifold.intent_state s
             JOIN cognifold.node n ON (((n.tenant_id = s.tenant_id) AND (n.id = s.node_id) AND (n.occurred_at <= cognifold.now()))))
          WHERE ((s.tenant_id = cognifold.current_tenant()) AND (s.readiness IS NOT NULL))
          GROUP BY s.category) e ON ((e.category = c.category)))
  WHERE ((t.tenant_id = cognifold.current_tenant()) AND (cognifold.known_at() IS NULL));
CREATE TABLE cognifold.intent_category_word (
    category text NOT NULL COLLATE pg_catalog."C",
    lexeme text NOT NULL COLLATE pg_catalog."C",
    word text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE cognifold.intent_cue (
    kind text NOT NULL COLLATE pg_catalog."C",
    pattern text NOT NULL COLLATE pg_catalog."C",
    weight double precision NOT NULL,
    description text NOT NULL,
    CONSTRAINT intent_cue_kind_check CHECK ((kind = ANY (ARRAY['need'::text, 'worry'::text, 'failure'::text, 'promise'::text, 'done'::text, 'lack'::text, 'again'::text, 'negation'::text, 'unreal'::text]))),
    CONSTRAINT intent_cue_weight_check CHECK (((weight >= (0)::double precision) AND (weight < (1)::double precision)))
);
CREATE TABLE cognifold.intent_due (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    node_id uuid NOT NULL,
    due_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY cognifold.intent_due FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.intent_hold (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    node_id uuid NOT NULL,
    held_by uuid NOT NULL,
    as_of timestamp with time zone NOT NULL,
    reason text NOT NULL
);
ALTER TABLE ONLY cognifold.intent_hold FORCE ROW LEVEL SECURITY;
CREATE VIEW cognifold.intent_density WITH (security_invoker='true', security_barrier='true') AS
 WITH bar AS MATERIALIZED (
         SELECT c.category,
            cognifold.category_theta(cognifold.current_tenant(), c.category, cognifold.now()) AS theta
           FROM cognifold.intent_category c
        )
 SELECT s.tenant_id,
    s.node_id,
    n.kind,
    n.title,
    a.category,
    a.density,
    a.pressure,
    a.readiness,
    b.theta,
    (b.theta - a.readiness) AS distance,
    a.cues,
    a.met,
    a.as_of AS assessed_at,
    (EXISTS ( SELECT
           FROM cognifold.intent_due q
          WHERE ((q.tenant_id = s.tenant_id) AND (q.node_id = s.node_id) AND (q.due_at <= cognifold.now())))) AS due,
    ( SELECT e.target_id
           FROM (cognifold.graph_edge e
             JOIN cognifold.intent_state i ON (((i.tenant_id = e.tenant_id) AND (i.node_id = e.target_id) AND (i.closed_at IS NULL))))
          WHERE ((e.tenant_id = s.tenant_id) AND (e.source_id = s.node_id) AND (e.target_kind = 'intent'::text) AND (e.type = 'triggers'::text) AND (cognifold.intent_status(i.status, i.wake_at, i.expires_at, cognifold.now()) <> 'expired'::text))
          ORDER BY e.target_id
         LIMIT 1) AS intent_id,
    h.held_by,
    h.reason AS held_because
   FROM ((((( SELECT c.tenant_id,
            c.node_id
           FROM cognifold.concept_state c
        UNION
         SELECT i.tenant_id,
            i.node_id
           FROM cognifold.intent_assessment i) s
     JOIN cognifold.node n ON (((n.tenant_id = s.tenant_id) AND (n.id = s.node_id) AND (n.merged_into IS NULL))))
     LEFT JOIN cognifold.intent_assessment a ON (((a.tenant_id = s.tenant_id) AND (a.node_id = s.node_id))))
     LEFT JOIN bar b ON ((b.category = a.category)))
     LEFT JOIN cognifold.intent_hold h ON (((h.tenant_id = s.tenant_id) AND (h.node_id = s.node_id) AND (h.as_of = a.as_of))))
  WHERE ((s.tenant_id = cognifold.current_tenant()) AND (cognifold.known_at() IS NULL));
CREATE TABLE cognifold.intent_step (
    from_status text NOT NULL,
    to_status text NOT NULL,
    CONSTRAINT intent_step_from_status_check CHECK ((from_status = ANY (ARRAY['pending'::text, 'scheduled'::text, 'deferred'::text, 'resolved'::text, 'rejected'::text, 'expired'::text]))),
    CONSTRAINT intent_step_to_status_check CHECK ((to_status = ANY (ARRAY['pending'::text, 'scheduled'::text, 'deferred'::text, 'resolved'::text, 'rejected'::text])))
);
CREATE TABLE cognifold.intent_transition (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    node_id uuid NOT NULL,
    "position" integer NOT NULL,
    from_status text NOT NULL,
    to_status text NOT NULL,
    at timestamp with time zone NOT NULL,
    wake_at timestamp with time zone,
    event_id uuid,
    plan_id uuid NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    CONSTRAINT intent_transition_position_check CHECK (("position" > 0))
);
ALTER TABLE ONLY cognifold.intent_transition FORCE ROW LEVEL SECURITY;
CREATE SEQUENCE cognifold.job_fence
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE VIEW cognifold.job_status WITH (security_invoker='true') AS
 SELECT tenant_id,
    job,
    enabled,
    every,
    after_folds,
    clock,
    next_at,
    wanted,
    overdue,
    last_period,
    last_run_at,
    state,
    attempts,
    worker,
    seconds,
    report,
    error
   FROM cognifold.job_states() s(tenant_id, job, enabled, every, after_folds, clock, next_at, wanted, overdue, last_period, last_run_at, state, attempts, worker, seconds, report, error);
CREATE TABLE cognifold.journal (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    plan_id uuid NOT NULL,
    "position" integer NOT NULL,
    relation text NOT NULL,
    node_id uuid NOT NULL,
    other_id uuid,
    part text,
    before jsonb,
    CONSTRAINT journal_relation_check CHECK ((relation = ANY (ARRAY['node'::text, 'graph_edge'::text, 'concept_state'::text, 'annotation'::text, 'insight_state'::text, 'folded_event'::text, 'node_state'::text, 'intent_state'::text, 'intent_transition'::text, 'intent_feedback'::text, 'intent_action_state'::text])))
);
ALTER TABLE ONLY cognifold.journal FORCE ROW LEVEL SECURITY;
CREATE VIEW cognifold.lag WITH (security_invoker='true') AS
 SELECT tenant_id,
    waiting,
    ready,
    leased,
    failed,
    rate_limited,
    dead,
    oldest,
    seconds,
    folded_minute,
    drained_in,
    throttled,
    unsettled,
    intents_due,
    jobs_running,
    jobs_failed
   FROM cognifold.lags() l(tenant_id, waiting, ready, leased, failed, rate_limited, dead, oldest, seconds, folded_minute, drained_in, throttled, unsettled, intents_due, jobs_running, jobs_failed);
CREATE TABLE cognifold.lexeme_frequency (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    lexeme text NOT NULL COLLATE pg_catalog."C",
    document_count bigint NOT NULL,
    CONSTRAINT lexeme_frequency_document_count_check CHECK ((document_count >= 0))
)
WITH (fillfactor='70');
ALTER TABLE ONLY cognifold.lexeme_frequency FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.lexical_statistics (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    document_count bigint DEFAULT 0 NOT NULL,
    total_length bigint DEFAULT 0 NOT NULL,
    CONSTRAINT lexical_statistics_document_count_check CHECK ((document_count >= 0)),
    CONSTRAINT lexical_statistics_total_length_check CHECK ((total_length >= 0))
)
WITH (fillfactor='50');
ALTER TABLE ONLY cognifold.lexical_statistics FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.lexicon (
    word text NOT NULL COLLATE pg_catalog."C",
    frequency real NOT NULL,
    document_weight real NOT NULL,
    document_vector public.halfvec(256) NOT NULL,
    CONSTRAINT lexicon_document_weight_check CHECK (((document_weight > (0)::double precision) AND (document_weight <= (1)::double precision))),
    CONSTRAINT lexicon_frequency_check CHECK (((frequency > (0)::double precision) AND (frequency <= (1)::double precision)))
);
CREATE TABLE cognifold.lexicon_release (
    checksum text NOT NULL,
    word_count integer NOT NULL,
    smoothing double precision NOT NULL,
    unknown_frequency real NOT NULL,
    loaded_at timestamp with time zone NOT NULL,
    CONSTRAINT lexicon_release_checksum_check CHECK ((checksum ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT lexicon_release_smoothing_check CHECK ((smoothing > (0)::double precision)),
    CONSTRAINT lexicon_release_unknown_frequency_check CHECK (((unknown_frequency > (0)::double precision) AND (unknown_frequency <= (1)::double precision))),
    CONSTRAINT lexicon_release_word_count_check CHECK ((word_count > 0))
);
CREATE TABLE cognifold.mention (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    role smallint NOT NULL,
    node_id uuid NOT NULL,
    CONSTRAINT mention_role_check CHECK ((role = ANY (ARRAY[0, 1])))
);
ALTER TABLE ONLY cognifold.mention FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.node_kind (
    kind text NOT NULL,
    description text NOT NULL
);
CREATE TABLE cognifold.node_rank (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    node_id uuid NOT NULL,
    rank double precision NOT NULL,
    residual double precision NOT NULL,
    band smallint GENERATED ALWAYS AS ((floor(((32)::double precision * ln(GREATEST(rank, (1)::double precision)))))::smallint) STORED NOT NULL
)
WITH (fillfactor='60');
ALTER TABLE ONLY cognifold.node_rank FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.plan_mention (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    node_id uuid NOT NULL,
    plan_id uuid NOT NULL
);
ALTER TABLE ONLY cognifold.plan_mention FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.posting (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    lexeme text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    node_id uuid NOT NULL,
    impact smallint NOT NULL,
    frequency smallint NOT NULL,
    document_length integer NOT NULL,
    signature bytea NOT NULL
)
WITH (autovacuum_vacuum_insert_scale_factor='0.05');
ALTER TABLE ONLY cognifold.posting FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.rank_arc (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    node_id uuid NOT NULL,
    targets uuid[] NOT NULL,
    shares double precision[] NOT NULL,
    CONSTRAINT rank_arc_check CHECK ((cardinality(shares) = cardinality(targets)))
)
WITH (fillfactor='80');
ALTER TABLE ONLY cognifold.rank_arc FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.rank_dirty (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    node_id uuid NOT NULL
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000');
ALTER TABLE ONLY cognifold.rank_dirty FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.recall_log (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    log_id uuid NOT NULL,
    recalled_at timestamp with time zone NOT NULL,
    noted_at timestamp with time zone NOT NULL,
    node_ids uuid[] NOT NULL,
    CONSTRAINT recall_log_node_ids_check CHECK ((cardinality(node_ids) > 0))
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='10000');
ALTER TABLE ONLY cognifold.recall_log FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.reembedding (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    from_model smallint NOT NULL,
    to_model smallint NOT NULL,
    started_at timestamp with time zone NOT NULL,
    switched_at timestamp with time zone,
    abandoned_at timestamp with time zone,
    CONSTRAINT reembedding_check CHECK ((from_model <> to_model)),
    CONSTRAINT reembedding_check1 CHECK (((switched_at IS NULL) OR (abandoned_at IS NULL)))
);
ALTER TABLE ONLY cognifold.reembedding FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.reembedding_queue (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    node_id uuid NOT NULL
);
ALTER TABLE ONLY cognifold.reembedding_queue FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.vector_count (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    model_id smallint NOT NULL,
    dimensions integer NOT NULL,
    events bigint NOT NULL,
    concepts bigint NOT NULL,
    indexed boolean DEFAULT false NOT NULL,
    signature public.halfvec(16),
    CONSTRAINT vector_count_check CHECK (((NOT indexed) OR (signature IS NOT NULL))),
    CONSTRAINT vector_count_concepts_check CHECK ((concepts >= 0)),
    CONSTRAINT vector_count_events_check CHECK ((events >= 0))
)
WITH (fillfactor='50');
ALTER TABLE ONLY cognifold.vector_count FORCE ROW LEVEL SECURITY;
CREATE VIEW cognifold.reembedding_progress WITH (security_invoker='true', security_barrier='true') AS
 SELECT r.tenant_id,
    f.name AS from_model,
    t.name AS to_model,
        CASE
            WHEN (r.abandoned_at IS NOT NULL) THEN 'abandoned'::text
            WHEN (r.switched_at IS NOT NULL) THEN 'switched'::text
            ELSE 'filling'::text
        END AS state,
    COALESCE(c.events, (0)::bigint) AS vectors,
    ( SELECT count(*) AS count
           FROM cognifold.reembedding_queue q
          WHERE (q.tenant_id = r.tenant_id)) AS waiting,
    COALESCE((o.events + o.concepts), (0)::bigint) AS old_vectors,
    r.started_at,
    r.switched_at
   FROM ((((cognifold.reembedding r
     JOIN cognifold.embedding_model f ON ((f.model_id = r.from_model)))
     JOIN cognifold.embedding_model t ON ((t.model_id = r.to_model)))
     LEFT JOIN cognifold.vector_count c ON (((c.tenant_id = r.tenant_id) AND (c.model_id = r.to_model))))
     LEFT JOIN cognifold.vector_count o ON (((o.tenant_id = r.tenant_id) AND (o.model_id = r.from_model))))
  WHERE (r.tenant_id = cognifold.current_tenant());
CREATE TABLE cognifold.retention_run (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    run_id uuid NOT NULL,
    as_of timestamp with time zone NOT NULL,
    started_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    rule text COLLATE pg_catalog."C",
    place_at timestamp with time zone,
    place_id uuid,
    looked_at bigint DEFAULT 0 NOT NULL,
    archived bigint DEFAULT 0 NOT NULL,
    forgotten bigint DEFAULT 0 NOT NULL,
    by_rule jsonb DEFAULT '{}'::jsonb NOT NULL
)
WITH (fillfactor='70');
ALTER TABLE ONLY cognifold.retention_run FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.schedule (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    job text NOT NULL COLLATE pg_catalog."C",
    every interval,
    after_folds integer,
    enabled boolean,
    next_at timestamp with time zone NOT NULL,
    wanted text,
    last_period timestamp with time zone,
    last_run_at timestamp with time zone,
    CONSTRAINT schedule_after_folds_check CHECK ((after_folds >= 0)),
    CONSTRAINT schedule_every_check CHECK ((((every >= '00:00:01'::interval) AND (every <= '3650 days'::interval)) AND (date_part('month'::text, every) = (0)::double precision) AND (date_part('year'::text, every) = (0)::double precision))),
    CONSTRAINT schedule_wanted_check CHECK ((wanted = ANY (ARRAY['folds'::text, 'asked'::text])))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000');
ALTER TABLE ONLY cognifold.schedule FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.schema_migration (
    name text NOT NULL,
    sha256 text NOT NULL,
    version text NOT NULL,
    applied_at timestamp with time zone NOT NULL
);
CREATE TABLE cognifold.setting (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    value double precision NOT NULL
);
ALTER TABLE ONLY cognifold.setting FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.setting_default (
    name text NOT NULL COLLATE pg_catalog."C",
    value double precision NOT NULL,
    minimum double precision NOT NULL,
    maximum double precision NOT NULL,
    unit text NOT NULL,
    description text NOT NULL,
    source text NOT NULL,
    CONSTRAINT setting_default_check CHECK (((value >= minimum) AND (value <= maximum)))
);
CREATE TABLE cognifold.state_attribute (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    attribute text NOT NULL COLLATE pg_catalog."C",
    words text[] NOT NULL COLLATE pg_catalog."C",
    is_multiple boolean NOT NULL,
    vector public.halfvec
);
ALTER TABLE ONLY cognifold.state_attribute FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.state_cue (
    first_word text NOT NULL COLLATE pg_catalog."C",
    phrase text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL COLLATE pg_catalog."C",
    slot text NOT NULL COLLATE pg_catalog."C",
    length smallint NOT NULL,
    CONSTRAINT state_cue_check CHECK (((phrase = first_word) OR starts_with(phrase, (first_word || ' '::text)))),
    CONSTRAINT state_cue_length_check CHECK (((length >= 1) AND (length <= 6))),
    CONSTRAINT state_cue_role_check CHECK ((role = ANY (ARRAY['states'::text, 'former'::text, 'ends'::text, 'names'::text, 'asks'::text])))
);
CREATE TABLE cognifold.state_slot (
    slot text NOT NULL COLLATE pg_catalog."C",
    is_multiple boolean NOT NULL,
    description text NOT NULL,
    CONSTRAINT state_slot_slot_check CHECK ((slot ~ '^[a-z_]+$'::text))
);
CREATE VIEW cognifold.stats WITH (security_invoker='true') AS
 SELECT tenant_id,
    events,
    concepts,
    intents,
    times,
    edges_live,
    edges_faded,
    folds_pending,
    folds_failed,
    folds_dead,
    oldest_pending,
    last_event,
    last_fold,
    last_consolidation,
    embedding_model
   FROM cognifold.counts() c(tenant_id, events, concepts, intents, times, edges_live, edges_faded, folds_pending, folds_failed, folds_dead, oldest_pending, last_event, last_fold, last_consolidation, embedding_model);
CREATE TABLE cognifold.vector_tail (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    model_id smallint NOT NULL,
    kind text NOT NULL,
    node_id uuid NOT NULL,
    dimensions integer NOT NULL,
    place public.halfvec NOT NULL
);
ALTER TABLE ONLY cognifold.vector_tail FORCE ROW LEVEL SECURITY;
CREATE VIEW cognifold.vector_backlog WITH (security_invoker='true', security_barrier='true') AS
 SELECT c.tenant_id,
    m.name AS model,
    c.events,
    c.concepts,
    c.indexed,
        CASE
            WHEN c.indexed THEN ( SELECT count(*) AS count
               FROM cognifold.vector_tail t
              WHERE ((t.tenant_id = c.tenant_id) AND (t.model_id = c.model_id)))
            WHEN (((c.events + c.concepts))::double precision > cognifold.setting('vector.exact'::text, c.tenant_id)) THEN (c.events + c.concepts)
            ELSE (0)::bigint
        END AS waiting
   FROM (cognifold.vector_count c
     JOIN cognifold.embedding_model m ON ((m.model_id = c.model_id)))
  WHERE (c.tenant_id = cognifold.current_tenant());
CREATE TABLE cognifold.vector_index (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    model_id smallint NOT NULL,
    kind text NOT NULL,
    node_id uuid NOT NULL,
    dimensions integer NOT NULL,
    place public.halfvec NOT NULL
);
ALTER TABLE ONLY cognifold.vector_index FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.watch_count (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    watch_id integer NOT NULL,
    events bigint DEFAULT 0 NOT NULL,
    repeated bigint DEFAULT 0 NOT NULL,
    refused bigint DEFAULT 0 NOT NULL,
    taken_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY cognifold.watch_count FORCE ROW LEVEL SECURITY;
CREATE VIEW cognifold.watch_error WITH (security_invoker='true') AS
 SELECT name,
    happened_at,
    operation,
    state,
    message,
    row_key,
    lost
   FROM cognifold.watch_errors() e(name, happened_at, operation, state, message, row_key, lost);
ALTER TABLE cognifold.watch ALTER COLUMN watch_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME cognifold.watch_watch_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE VIEW cognifold.watched WITH (security_invoker='true') AS
 SELECT name,
    relation,
    status,
    detail,
    operations,
    owner,
    created_by,
    created_at,
    waiting,
    oldest_waiting,
    events,
    repeated,
    refused,
    last_taken,
    faults,
    last_fault,
    last_fault_state,
    last_fault_message,
    backfilled,
    backfilled_at,
    given
   FROM cognifold.watched() w(name, relation, status, detail, operations, owner, created_by, created_at, waiting, oldest_waiting, events, repeated, refused, last_taken, faults, last_fault, last_fault_state, last_fault_message, backfilled, backfilled_at, given);
CREATE TABLE cognifold.webhook (
    tenant_id text NOT NULL COLLATE pg_catalog."C",
    consumer text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL,
    secret text,
    headers jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT webhook_headers_check CHECK ((jsonb_typeof(headers) = 'object'::text)),
    CONSTRAINT webhook_secret_check CHECK ((secret ~ '^(env:COGNIFOLD_WEBHOOK_[A-Z0-9_]{1,100}|file:[A-Za-z0-9][A-Za-z0-9._-]{0,100})$'::text)),
    CONSTRAINT webhook_url_check CHECK (((url ~ '^https?://[^/[:space:]]+'::text) AND (octet_length(url) <= 2000)))
);
ALTER TABLE ONLY cognifold.webhook FORCE ROW LEVEL SECURITY;
CREATE TABLE cognifold.worker_process (
    name text NOT NULL COLLATE pg_catalog."C",
    version text NOT NULL,
    does text[] NOT NULL,
    started_at timestamp with time zone NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    stopped_at timestamp with time zone,
    folded bigint DEFAULT 0 NOT NULL,
    jobs bigint DEFAULT 0 NOT NULL,
    failures bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='50');
ALTER TABLE ONLY cognifold.action_step
    ADD CONSTRAINT action_step_pkey PRIMARY KEY (from_status, to_status);
ALTER TABLE ONLY cognifold.actor_frequency
    ADD CONSTRAINT actor_frequency_pkey PRIMARY KEY (tenant_id, actor);
ALTER TABLE ONLY cognifold.actor_name
    ADD CONSTRAINT actor_name_pkey PRIMARY KEY (tenant_id, word, actor);
ALTER TABLE ONLY cognifold.affect_release
    ADD CONSTRAINT affect_release_pkey PRIMARY KEY (checksum);
ALTER TABLE ONLY cognifold.affect_word
    ADD CONSTRAINT affect_word_pkey PRIMARY KEY (word);
ALTER TABLE ONLY cognifold.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY cognifold.annotation
    ADD CONSTRAINT annotation_pkey PRIMARY KEY (tenant_id, node_id, name);
ALTER TABLE ONLY cognifold.antonym
    ADD CONSTRAINT antonym_pkey PRIMARY KEY (word, opposite);
ALTER TABLE ONLY cognifold.archived_content
    ADD CONSTRAINT archived_content_pkey PRIMARY KEY (tenant_id, pack_id);
ALTER TABLE ONLY cognifold.audit_read
    ADD CONSTRAINT audit_read_pkey PRIMARY KEY (tenant_id, audit_id);
ALTER TABLE ONLY cognifold.clearance
    ADD CONSTRAINT clearance_pkey PRIMARY KEY (tenant_id, role_name);
ALTER TABLE ONLY cognifold.co_recall
    ADD CONSTRAINT co_recall_pkey PRIMARY KEY (tenant_id, one_id, other_id);
ALTER TABLE ONLY cognifold.concept_lexeme
    ADD CONSTRAINT concept_lexeme_pkey PRIMARY KEY (tenant_id, lexeme, node_id);
ALTER TABLE ONLY cognifold.concept_state
    ADD CONSTRAINT concept_state_pkey PRIMARY KEY (tenant_id, node_id);
ALTER TABLE ONLY cognifold.consolidation_dirty
    ADD CONSTRAINT consolidation_dirty_pkey PRIMARY KEY (tenant_id, kind, node_id);
ALTER TABLE ONLY cognifold.consolidation_run
    ADD CONSTRAINT consolidation_run_pkey PRIMARY KEY (tenant_id, run_id);
ALTER TABLE ONLY cognifold.cue_reading
    ADD CONSTRAINT cue_reading_pkey PRIMARY KEY (tenant_id, node_id);
ALTER TABLE ONLY cognifold.decay_clock
    ADD CONSTRAINT decay_clock_pkey PRIMARY KEY (tenant_id, rate, valid_from);
ALTER TABLE ONLY cognifold.delivery
    ADD CONSTRAINT delivery_pkey PRIMARY KEY (tenant_id, consumer, "position");
ALTER TABLE ONLY cognifold.edge_legality
    ADD CONSTRAINT edge_legality_pkey PRIMARY KEY (type, source_kind, target_kind);
ALTER TABLE ONLY cognifold.edge_type
    ADD CONSTRAINT edge_type_pkey PRIMARY KEY (type);
ALTER TABLE ONLY cognifold.embedding_model
    ADD CONSTRAINT embedding_model_model_id_dimensions_key UNIQUE (model_id, dimensions);
ALTER TABLE ONLY cognifold.embedding_model
    ADD CONSTRAINT embedding_model_name_key UNIQUE (name);
ALTER TABLE ONLY cognifold.embedding_model
    ADD CONSTRAINT embedding_model_pkey PRIMARY KEY (model_id);
ALTER TABLE ONLY cognifold.embedding
    ADD CONSTRAINT embedding_pkey PRIMARY KEY (tenant_id, model_id, kind, node_id);
ALTER TABLE ONLY cognifold.embedding_statistics
    ADD CONSTRAINT embedding_statistics_pkey PRIMARY KEY (tenant_id, model_id);
ALTER TABLE ONLY cognifold.folded_event
    ADD CONSTRAINT folded_event_pkey PRIMARY KEY (tenant_id, event_id);
ALTER TABLE ONLY cognifold.forgetting
    ADD CONSTRAINT forgetting_pkey PRIMARY KEY (tenant_id, forget_id);
ALTER TABLE ONLY cognifold.forgotten_key
    ADD CONSTRAINT forgotten_key_pkey PRIMARY KEY (tenant_id, key_hash);
ALTER TABLE ONLY cognifold.graph_edge
    ADD CONSTRAINT graph_edge_pkey PRIMARY KEY (tenant_id, source_id, target_id, type);
ALTER TABLE ONLY cognifold.graph_turn
    ADD CONSTRAINT graph_turn_pkey PRIMARY KEY (tenant_id);
ALTER TABLE ONLY cognifold.insight_state
    ADD CONSTRAINT insight_state_pkey PRIMARY KEY (tenant_id, insight_id);
ALTER TABLE ONLY cognifold.installed_object
    ADD CONSTRAINT installed_object_pkey PRIMARY KEY (identity);
ALTER TABLE ONLY cognifold.intent_action_state
    ADD CONSTRAINT intent_action_state_pkey PRIMARY KEY (tenant_id, node_id, "position");
ALTER TABLE ONLY cognifold.intent_alarm
    ADD CONSTRAINT intent_alarm_pkey PRIMARY KEY (tenant_id, node_id, kind);
ALTER TABLE ONLY cognifold.intent_assessment
    ADD CONSTRAINT intent_assessment_pkey PRIMARY KEY (tenant_id, node_id);
ALTER TABLE ONLY cognifold.intent_category
    ADD CONSTRAINT intent_category_pkey PRIMARY KEY (category);
ALTER TABLE ONLY cognifold.intent_category_word
    ADD CONSTRAINT intent_category_word_pkey PRIMARY KEY (category, lexeme);
ALTER TABLE ONLY cognifold.intent_cue
    ADD CONSTRAINT intent_cue_pkey PRIMARY KEY (kind, pattern);
ALTER TABLE ONLY cognifold.intent_due
    ADD CONSTRAINT intent_due_pkey PRIMARY KEY (tenant_id, node_id, due_at);
ALTER TABLE ONLY cognifold.intent_feedback
    ADD CONSTRAINT intent_feedback_pkey PRIMARY KEY (tenant_id, category, at, event_id);
ALTER TABLE ONLY cognifold.intent_hold
    ADD CONSTRAINT intent_hold_pkey PRIMARY KEY (tenant_id, node_id);
ALTER TABLE ONLY cognifold.intent_state
    ADD CONSTRAINT intent_state_pkey PRIMARY KEY (tenant_id, node_id);
ALTER TABLE ONLY cognifold.intent_step
    ADD CONSTRAINT intent_step_pkey PRIMARY KEY (from_status, to_status);
ALTER TABLE ONLY cognifold.intent_transition
    ADD CONSTRAINT intent_transition_pkey PRIMARY KEY (tenant_id, node_id, "position");
ALTER TABLE ONLY cognifold.job
    ADD CONSTRAINT job_pkey PRIMARY KEY (job);
ALTER TABLE ONLY cognifold.job_run
    ADD CONSTRAINT job_run_pkey PRIMARY KEY (tenant_id, job, period);
ALTER TABLE ONLY cognifold.journal
    ADD CONSTRAINT journal_pkey PRIMARY KEY (tenant_id, plan_id, "position");
ALTER TABLE ONLY cognifold.lexeme_frequency
    ADD CONSTRAINT lexeme_frequency_pkey PRIMARY KEY (tenant_id, lexeme);
ALTER TABLE ONLY cognifold.lexical_document
    ADD CONSTRAINT lexical_document_pkey PRIMARY KEY (tenant_id, node_id);
ALTER TABLE ONLY cognifold.lexical_statistics
    ADD CONSTRAINT lexical_statistics_pkey PRIMARY KEY (tenant_id);
ALTER TABLE ONLY cognifold.lexicon
    ADD CONSTRAINT lexicon_pkey PRIMARY KEY (word);
ALTER TABLE ONLY cognifold.lexicon_release
    ADD CONSTRAINT lexicon_release_pkey PRIMARY KEY (checksum);
ALTER TABLE ONLY cognifold.mention
    ADD CONSTRAINT mention_pkey PRIMARY KEY (tenant_id, name, role, node_id);
ALTER TABLE ONLY cognifold.node_content
    ADD CONSTRAINT node_content_pkey PRIMARY KEY (tenant_id, node_id);
ALTER TABLE ONLY cognifold.node_kind
    ADD CONSTRAINT node_kind_pkey PRIMARY KEY (kind);
ALTER TABLE ONLY cognifold.node
    ADD CONSTRAINT node_pkey PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY cognifold.node_rank
    ADD CONSTRAINT node_rank_pkey PRIMARY KEY (tenant_id, node_id);
ALTER TABLE ONLY cognifold.node_state
    ADD CONSTRAINT node_state_pkey PRIMARY KEY (tenant_id, node_id);
ALTER TABLE ONLY cognifold.node
    ADD CONSTRAINT node_tenant_id_id_kind_key UNIQUE (tenant_id, id, kind);
ALTER TABLE ONLY cognifold.outbox_consumer
    ADD CONSTRAINT outbox_consumer_pkey PRIMARY KEY (tenant_id, name);
ALTER TABLE ONLY cognifold.outbox_head
    ADD CONSTRAINT outbox_head_pkey PRIMARY KEY (tenant_id);
ALTER TABLE ONLY cognifold.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (tenant_id, "position");
ALTER TABLE ONLY cognifold.plan_mention
    ADD CONSTRAINT plan_mention_pkey PRIMARY KEY (tenant_id, node_id, plan_id);
ALTER TABLE ONLY cognifold.plan
    ADD CONSTRAINT plan_pkey PRIMARY KEY (tenant_id, plan_id);
ALTER TABLE ONLY cognifold.posting
    ADD CONSTRAINT posting_pkey PRIMARY KEY (tenant_id, lexeme, kind, impact, node_id) INCLUDE (frequency, document_length, signature);
ALTER TABLE ONLY cognifold.rank_arc
    ADD CONSTRAINT rank_arc_pkey PRIMARY KEY (tenant_id, node_id);
ALTER TABLE ONLY cognifold.rank_dirty
    ADD CONSTRAINT rank_dirty_pkey PRIMARY KEY (tenant_id, node_id);
ALTER TABLE ONLY cognifold.recall_log
    ADD CONSTRAINT recall_log_pkey PRIMARY KEY (tenant_id, log_id);
ALTER TABLE ONLY cognifold.reembedding
    ADD CONSTRAINT reembedding_pkey PRIMARY KEY (tenant_id);
ALTER TABLE ONLY cognifold.reembedding_queue
    ADD CONSTRAINT reembedding_queue_pkey PRIMARY KEY (tenant_id, node_id);
ALTER TABLE ONLY cognifold.retention
    ADD CONSTRAINT retention_pkey PRIMARY KEY (tenant_id, name);
ALTER TABLE ONLY cognifold.retention_run
    ADD CONSTRAINT retention_run_pkey PRIMARY KEY (tenant_id, run_id);
ALTER TABLE ONLY cognifold.schedule
    ADD CONSTRAINT schedule_pkey PRIMARY KEY (tenant_id, job);
ALTER TABLE ONLY cognifold.schema_migration
    ADD CONSTRAINT schema_migration_pkey PRIMARY KEY (name);
ALTER TABLE ONLY cognifold.setting_default
    ADD CONSTRAINT setting_default_pkey PRIMARY KEY (name);
ALTER TABLE ONLY cognifold.setting
    ADD CONSTRAINT setting_pkey PRIMARY KEY (tenant_id, name);
ALTER TABLE ONLY cognifold.state_attribute
    ADD CONSTRAINT state_attribute_pkey PRIMARY KEY (tenant_id, subject, attribute);
ALTER TABLE ONLY cognifold.state_cue
    ADD CONSTRAINT state_cue_pkey PRIMARY KEY (first_word, phrase, role, slot);
ALTER TABLE ONLY cognifold.state_slot
    ADD CONSTRAINT state_slot_pkey PRIMARY KEY (slot);
ALTER TABLE ONLY cognifold.state_statement
    ADD CONSTRAINT state_statement_pkey PRIMARY KEY (tenant_id, event_id, place);
ALTER TABLE ONLY cognifold.tenant_member
    ADD CONSTRAINT tenant_member_pkey PRIMARY KEY (role_name, tenant_id);
ALTER TABLE ONLY cognifold.tenant
    ADD CONSTRAINT tenant_pkey PRIMARY KEY (tenant_id);
ALTER TABLE ONLY cognifold.vector_count
    ADD CONSTRAINT vector_count_pkey PRIMARY KEY (tenant_id, model_id);
ALTER TABLE ONLY cognifold.vector_index
    ADD CONSTRAINT vector_index_pkey PRIMARY KEY (tenant_id, model_id, kind, node_id);
ALTER TABLE ONLY cognifold.vector_tail
    ADD CONSTRAINT vector_tail_pkey PRIMARY KEY (tenant_id, model_id, kind, node_id);
ALTER TABLE ONLY cognifold.watch_count
    ADD CONSTRAINT watch_count_pkey PRIMARY KEY (tenant_id, watch_id);
ALTER TABLE ONLY cognifold.watch
    ADD CONSTRAINT watch_name_key UNIQUE (name);
ALTER TABLE ONLY cognifold.watch
    ADD CONSTRAINT watch_pkey PRIMARY KEY (watch_id);
ALTER TABLE ONLY cognifold.webhook
    ADD CONSTRAINT webhook_pkey PRIMARY KEY (tenant_id, consumer);
ALTER TABLE ONLY cognifold.work
    ADD CONSTRAINT work_pkey PRIMARY KEY (tenant_id, task, node_id);
ALTER TABLE ONLY cognifold.worker_process
    ADD CONSTRAINT worker_process_pkey PRIMARY KEY (name);
CREATE UNIQUE INDEX affect_release_single ON cognifold.affect_release USING btree ((true));
CREATE INDEX audit_read_quoting ON cognifold.audit_read USING btree (tenant_id) WHERE (question IS NOT NULL);
CREATE INDEX co_recall_by_other ON cognifold.co_recall USING btree (tenant_id, other_id);
CREATE INDEX co_recall_by_time ON cognifold.co_recall USING btree (tenant_id, recalled_at);
CREATE INDEX concept_lexeme_by_node ON cognifold.concept_lexeme USING btree (tenant_id, node_id);
CREATE UNIQUE INDEX consolidation_run_running ON cognifold.consolidation_run USING btree (tenant_id) WHERE (state = 'running'::text);
CREATE INDEX delivery_by_intent ON cognifold.delivery USING btree (tenant_id, consumer, node_id, "position") WHERE (state = 'ready'::text);
CREATE INDEX delivery_by_position ON cognifold.delivery USING btree (tenant_id, "position");
CREATE INDEX embedding_by_node ON cognifold.embedding USING btree (tenant_id, node_id);
CREATE INDEX folded_event_by_plan ON cognifold.folded_event USING btree (tenant_id, plan_id);
CREATE INDEX graph_edge_both_ways ON cognifold.graph_edge USING btree (tenant_id, target_id) WHERE (bidirectional AND (faded_at IS NULL));
CREATE INDEX graph_edge_evidence ON cognifold.graph_edge USING btree (tenant_id, target_id, stamped_at) WHERE ((target_kind = 'concept'::text) AND (type = ANY (ARRAY['grounds'::text, 'reinforces'::text])) AND (NOT inferred));
CREATE INDEX graph_edge_fading ON cognifold.graph_edge USING btree (tenant_id, rate, potential) WHERE (faded_at IS NULL);
CREATE INDEX graph_edge_in ON cognifold.graph_edge USING btree (tenant_id, target_id, rate, potential DESC) WHERE (faded_at IS NULL);
CREATE INDEX graph_edge_out ON cognifold.graph_edge USING btree (tenant_id, source_id, rate, potential DESC) WHERE (faded_at IS NULL);
CREATE INDEX graph_edge_recurring ON cognifold.graph_edge USING btree (tenant_id, source_id) WHERE ((type = 'deadline_for'::text) AND (metadata ? 'recurrence'::text));
CREATE INDEX graph_edge_target ON cognifold.graph_edge USING btree (tenant_id, target_id, type, potential DESC);
CREATE INDEX graph_edge_to_intent ON cognifold.graph_edge USING btree (tenant_id, source_id) WHERE (target_kind = 'intent'::text);
CREATE INDEX insight_state_by_node ON cognifold.insight_state USING btree (tenant_id, node_id);
CREATE INDEX insight_state_from_concepts ON cognifold.insight_state USING btree (tenant_id, insight_id) WHERE from_concepts;
CREATE UNIQUE INDEX insight_state_open ON cognifold.insight_state USING btree (tenant_id, node_id, kind, aspect) NULLS NOT DISTINCT WHERE (closed_at IS NULL);
CREATE INDEX intent_action_by_event ON cognifold.intent_action_state USING btree (tenant_id, event_id) WHERE (event_id IS NOT NULL);
CREATE INDEX intent_alarm_by_time ON cognifold.intent_alarm USING btree (tenant_id, due_at);
CREATE INDEX intent_category_word_by_lexeme ON cognifold.intent_category_word USING btree (lexeme, category);
CREATE INDEX intent_due_by_time ON cognifold.intent_due USING btree (tenant_id, due_at);
CREATE INDEX intent_feedback_by_event ON cognifold.intent_feedback USING btree (tenant_id, event_id);
CREATE INDEX intent_feedback_by_intent ON cognifold.intent_feedback USING btree (tenant_id, node_id);
CREATE INDEX intent_hold_by_intent ON cognifold.intent_hold USING btree (tenant_id, held_by);
CREATE INDEX intent_state_open ON cognifold.intent_state USING btree (tenant_id, node_id) WHERE (closed_at IS NULL);
CREATE INDEX intent_transition_by_event ON cognifold.intent_transition USING btree (tenant_id, event_id);
CREATE INDEX job_run_ended ON cognifold.job_run USING btree (tenant_id, finished_at) WHERE (finished_at IS NOT NULL);
CREATE UNIQUE INDEX job_run_open ON cognifold.job_run USING btree (tenant_id, job) WHERE (lease_until IS NOT NULL);
CREATE INDEX journal_by_node ON cognifold.journal USING btree (tenant_id, node_id);
CREATE INDEX journal_by_other ON cognifold.journal USING btree (tenant_id, other_id) WHERE (other_id IS NOT NULL);
CREATE UNIQUE INDEX lexicon_release_single ON cognifold.lexicon_release USING btree ((true));
CREATE INDEX mention_by_node ON cognifold.mention USING btree (tenant_id, node_id, role, name);
CREATE INDEX node_by_source ON cognifold.node USING btree (tenant_id, (
CASE
    WHEN (source IS NULL) THEN ''::text
    ELSE source
END), occurred_at, id) WHERE (kind = 'event'::text);
CREATE INDEX node_by_time ON cognifold.node USING btree (tenant_id, kind, occurred_at, id);
CREATE INDEX node_by_title ON cognifold.node USING btree (tenant_id, title_key) WHERE ((kind = 'concept'::text) AND (merged_into IS NULL));
CREATE INDEX node_by_voice ON cognifold.node USING btree (tenant_id, (
CASE
    WHEN (source IS NULL) THEN ''::text
    ELSE source
END), (
CASE
    WHEN (actor IS NULL) THEN ''::text
    ELSE actor
END), occurred_at, id) WHERE (kind = 'event'::text);
CREATE UNIQUE INDEX node_idempotency ON cognifold.node USING btree (tenant_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);
CREATE INDEX node_merged ON cognifold.node USING btree (tenant_id, merged_into) WHERE (merged_into IS NOT NULL);
CREATE INDEX node_rank_band ON cognifold.node_rank USING btree (tenant_id, band DESC, node_id DESC) WHERE (band > 0);
CREATE INDEX node_state_accessed ON cognifold.node_state USING btree (tenant_id, last_accessed DESC, node_id) WHERE (last_accessed IS NOT NULL);
CREATE INDEX node_state_accesses ON cognifold.node_state USING btree (tenant_id, access_count DESC, node_id) WHERE (access_count > 0);
CREATE INDEX node_state_due ON cognifold.node_state USING btree (tenant_id, consolidation_state, due_at) WHERE (due_at IS NOT NULL);
CREATE UNIQUE INDEX node_time_anchor ON cognifold.node USING btree (tenant_id, occurred_precision, occurred_at) WHERE (kind = 'time'::text);
CREATE INDEX outbox_by_age ON cognifold.outbox USING btree (tenant_id, recorded_at);
CREATE INDEX outbox_by_event ON cognifold.outbox USING btree (tenant_id, event_id) WHERE (event_id IS NOT NULL);
CREATE INDEX outbox_by_intent ON cognifold.outbox USING btree (tenant_id, node_id, "position");
CREATE INDEX plan_by_time ON cognifold.plan USING btree (tenant_id, applied_at);
CREATE INDEX plan_by_trigger ON cognifold.plan USING btree (tenant_id, trigger_event_id) WHERE (trigger_event_id IS NOT NULL);
CREATE INDEX plan_by_undone ON cognifold.plan USING btree (tenant_id, undoes) WHERE (undoes IS NOT NULL);
CREATE UNIQUE INDEX plan_by_version ON cognifold.plan USING btree (tenant_id, version);
CREATE INDEX plan_of_pass_undone ON cognifold.plan USING btree (tenant_id, version) WHERE ((proposer = 'consolidate'::text) AND (status = 'undone'::text));
CREATE INDEX posting_by_node ON cognifold.posting USING btree (tenant_id, node_id);
CREATE INDEX retention_run_ended ON cognifold.retention_run USING btree (tenant_id, finished_at) WHERE (finished_at IS NOT NULL);
CREATE UNIQUE INDEX retention_run_open ON cognifold.retention_run USING btree (tenant_id) WHERE (finished_at IS NULL);
CREATE INDEX state_statement_by_voice ON cognifold.state_statement USING btree (tenant_id, said_by, occurred_at, event_id, place);
CREATE INDEX state_statement_in_order ON cognifold.state_statement USING btree (tenant_id, subject, attribute, occurred_at, event_id, place);
CREATE INDEX vector_index_1536 ON cognifold.vector_index USING hnsw (((place)::public.halfvec(1552)) public.halfvec_ip_ops) WITH (m='16', ef_construction='100') WHERE (dimensions = 1536);
CREATE INDEX vector_index_1536_concepts ON cognifold.vector_index USING hnsw (((place)::public.halfvec(1552)) public.halfvec_ip_ops) WITH (m='16', ef_construction='100') WHERE ((dimensions = 1536) AND (kind = 'concept'::text));
CREATE INDEX vector_index_256 ON cognifold.vector_index USING hnsw (((place)::public.halfvec(272)) public.halfvec_ip_ops) WITH (m='16', ef_construction='100') WHERE (dimensions = 256);
CREATE INDEX vector_index_256_concepts ON cognifold.vector_index USING hnsw (((place)::public.halfvec(272)) public.halfvec_ip_ops) WITH (m='16', ef_construction='100') WHERE ((dimensions = 256) AND (kind = 'concept'::text));
CREATE INDEX vector_index_384 ON cognifold.vector_index USING hnsw (((place)::public.halfvec(400)) public.halfvec_ip_ops) WITH (m='16', ef_construction='100') WHERE (dimensions = 384);
CREATE INDEX vector_index_384_concepts ON cognifold.vector_index USING hnsw (((place)::public.halfvec(400)) public.halfvec_ip_ops) WITH (m='16', ef_construction='100') WHERE ((dimensions = 384) AND (kind = 'concept'::text));
CREATE INDEX work_queue ON cognifold.work USING btree (tenant_id, task, occurred_at, node_id) WHERE (state <> 'dead'::text);
CREATE TRIGGER clear_archived AFTER DELETE ON cognifold.node_content FOR EACH ROW WHEN ((old.pack_id IS NOT NULL)) EXECUTE FUNCTION cognifold.clear_archived();
CREATE TRIGGER concept_due AFTER INSERT OR UPDATE OF evidence_potential ON cognifold.concept_state FOR EACH ROW EXECUTE FUNCTION cognifold.note_due_concept();
CREATE TRIGGER deadline_due AFTER INSERT ON cognifold.graph_edge FOR EACH ROW WHEN (((new.type = 'deadline_for'::text) AND (new.target_kind = 'event'::text))) EXECUTE FUNCTION cognifold.note_due_deadline();
CREATE TRIGGER event_due AFTER INSERT ON cognifold.folded_event FOR EACH ROW EXECUTE FUNCTION cognifold.note_due_event();
CREATE TRIGGER forget_attributes AFTER DELETE ON cognifold.state_statement REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION cognifold.forget_attributes();
CREATE TRIGGER hold_released AFTER DELETE ON cognifold.intent_hold FOR EACH ROW EXECUTE FUNCTION cognifold.note_released();
CREATE TRIGGER intent_made AFTER INSERT ON cognifold.node FOR EACH ROW WHEN ((new.kind = 'intent'::text)) EXECUTE FUNCTION cognifold.note_intent();
CREATE TRIGGER intent_retold AFTER UPDATE ON cognifold.intent_state FOR EACH ROW WHEN ((((((old.status IS DISTINCT FROM new.status) OR (old.wake_at IS DISTINCT FROM new.wake_at)) OR (old.category IS DISTINCT FROM new.category)) OR (old.deadline IS DISTINCT FROM new.deadline)) OR (old.expires_at IS DISTINCT FROM new.expires_at))) EXECUTE FUNCTION cognifold.note_intent_state();
CREATE TRIGGER intent_step_told AFTER INSERT ON cognifold.intent_transition FOR EACH ROW EXECUTE FUNCTION cognifold.note_intent_step();
CREATE TRIGGER intent_told AFTER INSERT OR DELETE ON cognifold.intent_state FOR EACH ROW EXECUTE FUNCTION cognifold.note_intent_state();
CREATE TRIGGER link_due AFTER INSERT OR UPDATE OF potential, faded_at ON cognifold.graph_edge FOR EACH ROW WHEN (((new.source_kind = 'concept'::text) AND (new.target_kind = 'concept'::text))) EXECUTE FUNCTION cognifold.note_due_link();
CREATE TRIGGER note_arrived AFTER INSERT ON cognifold.embedding REFERENCING NEW TABLE AS arrived FOR EACH STATEMENT EXECUTE FUNCTION cognifold.note_vectors();
CREATE TRIGGER note_changed AFTER UPDATE ON cognifold.embedding REFERENCING NEW TABLE AS arrived FOR EACH STATEMENT EXECUTE FUNCTION cognifold.note_vectors();
CREATE TRIGGER note_gone AFTER DELETE ON cognifold.embedding REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION cognifold.note_vectors();
CREATE CONSTRAINT TRIGGER watch_is_recorded AFTER INSERT ON cognifold.watch DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION cognifold.watch_is_recorded();
ALTER TABLE ONLY cognifold.actor_frequency
    ADD CONSTRAINT actor_frequency_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES cognifold.tenant(tenant_id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.actor_name
    ADD CONSTRAINT actor_name_tenant_id_actor_fkey FOREIGN KEY (tenant_id, actor) REFERENCES cognifold.actor_frequency(tenant_id, actor) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.annotation
    ADD CONSTRAINT annotation_tenant_id_node_id_fkey FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.node(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.archived_content
    ADD CONSTRAINT archived_content_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES cognifold.tenant(tenant_id);
ALTER TABLE ONLY cognifold.audit_read
    ADD CONSTRAINT audit_read_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES cognifold.tenant(tenant_id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.clearance
    ADD CONSTRAINT clearance_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES cognifold.tenant(tenant_id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.co_recall
    ADD CONSTRAINT co_recall_tenant_id_one_id_fkey FOREIGN KEY (tenant_id, one_id) REFERENCES cognifold.node(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.co_recall
    ADD CONSTRAINT co_recall_tenant_id_other_id_fkey FOREIGN KEY (tenant_id, other_id) REFERENCES cognifold.node(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.concept_lexeme
    ADD CONSTRAINT concept_lexeme_tenant_id_node_id_fkey FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.concept_state(tenant_id, node_id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.concept_state
    ADD CONSTRAINT concept_state_tenant_id_node_id_fkey FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.node(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.consolidation_dirty
    ADD CONSTRAINT consolidation_dirty_tenant_id_node_id_kind_fkey FOREIGN KEY (tenant_id, node_id, kind) REFERENCES cognifold.node(tenant_id, id, kind) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.consolidation_run
    ADD CONSTRAINT consolidation_run_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES cognifold.tenant(tenant_id);
ALTER TABLE ONLY cognifold.cue_reading
    ADD CONSTRAINT cue_reading_tenant_id_node_id_fkey FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.node(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.decay_clock
    ADD CONSTRAINT decay_clock_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES cognifold.tenant(tenant_id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.delivery
    ADD CONSTRAINT delivery_tenant_id_consumer_fkey FOREIGN KEY (tenant_id, consumer) REFERENCES cognifold.outbox_consumer(tenant_id, name) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.delivery
    ADD CONSTRAINT delivery_tenant_id_position_fkey FOREIGN KEY (tenant_id, "position") REFERENCES cognifold.outbox(tenant_id, "position") ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.edge_legality
    ADD CONSTRAINT edge_legality_source_kind_fkey FOREIGN KEY (source_kind) REFERENCES cognifold.node_kind(kind);
ALTER TABLE ONLY cognifold.edge_legality
    ADD CONSTRAINT edge_legality_target_kind_fkey FOREIGN KEY (target_kind) REFERENCES cognifold.node_kind(kind);
ALTER TABLE ONLY cognifold.edge_legality
    ADD CONSTRAINT edge_legality_type_fkey FOREIGN KEY (type) REFERENCES cognifold.edge_type(type);
ALTER TABLE ONLY cognifold.embedding
    ADD CONSTRAINT embedding_model_id_dimensions_fkey FOREIGN KEY (model_id, dimensions) REFERENCES cognifold.embedding_model(model_id, dimensions);
ALTER TABLE ONLY cognifold.embedding_statistics
    ADD CONSTRAINT embedding_statistics_model_id_fkey FOREIGN KEY (model_id) REFERENCES cognifold.embedding_model(model_id);
ALTER TABLE ONLY cognifold.embedding_statistics
    ADD CONSTRAINT embedding_statistics_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES cognifold.tenant(tenant_id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.embedding
    ADD CONSTRAINT embedding_tenant_id_node_id_kind_fkey FOREIGN KEY (tenant_id, node_id, kind) REFERENCES cognifold.node(tenant_id, id, kind) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.folded_event
    ADD CONSTRAINT folded_event_tenant_id_event_id_fkey FOREIGN KEY (tenant_id, event_id) REFERENCES cognifold.node(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.folded_event
    ADD CONSTRAINT folded_event_tenant_id_plan_id_fkey FOREIGN KEY (tenant_id, plan_id) REFERENCES cognifold.plan(tenant_id, plan_id);
ALTER TABLE ONLY cognifold.forgetting
    ADD CONSTRAINT forgetting_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES cognifold.tenant(tenant_id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.forgetting
    ADD CONSTRAINT forgetting_tenant_id_plan_id_fkey FOREIGN KEY (tenant_id, plan_id) REFERENCES cognifold.plan(tenant_id, plan_id);
ALTER TABLE ONLY cognifold.forgotten_key
    ADD CONSTRAINT forgotten_key_tenant_id_forget_id_fkey FOREIGN KEY (tenant_id, forget_id) REFERENCES cognifold.forgetting(tenant_id, forget_id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.graph_edge
    ADD CONSTRAINT graph_edge_tenant_id_source_id_source_kind_fkey FOREIGN KEY (tenant_id, source_id, source_kind) REFERENCES cognifold.node(tenant_id, id, kind) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.graph_edge
    ADD CONSTRAINT graph_edge_tenant_id_target_id_target_kind_fkey FOREIGN KEY (tenant_id, target_id, target_kind) REFERENCES cognifold.node(tenant_id, id, kind) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.graph_edge
    ADD CONSTRAINT graph_edge_type_source_kind_target_kind_fkey FOREIGN KEY (type, source_kind, target_kind) REFERENCES cognifold.edge_legality(type, source_kind, target_kind);
ALTER TABLE ONLY cognifold.graph_turn
    ADD CONSTRAINT graph_turn_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES cognifold.tenant(tenant_id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.insight_state
    ADD CONSTRAINT insight_state_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES cognifold.tenant(tenant_id);
ALTER TABLE ONLY cognifold.insight_state
    ADD CONSTRAINT insight_state_tenant_id_node_id_fkey FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.node(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.intent_action_state
    ADD CONSTRAINT intent_action_state_tenant_id_event_id_fkey FOREIGN KEY (tenant_id, event_id) REFERENCES cognifold.node(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.intent_action_state
    ADD CONSTRAINT intent_action_state_tenant_id_node_id_fkey FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.intent_state(tenant_id, node_id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.intent_alarm
    ADD CONSTRAINT intent_alarm_tenant_id_node_id_fkey FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.intent_state(tenant_id, node_id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.intent_assessment
    ADD CONSTRAINT intent_assessment_category_fkey FOREIGN KEY (category) REFERENCES cognifold.intent_category(category);
ALTER TABLE ONLY cognifold.intent_assessment
    ADD CONSTRAINT intent_assessment_tenant_id_node_id_fkey FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.node(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.intent_category_word
    ADD CONSTRAINT intent_category_word_category_fkey FOREIGN KEY (category) REFERENCES cognifold.intent_category(category);
ALTER TABLE ONLY cognifold.intent_due
    ADD CONSTRAINT intent_due_tenant_id_node_id_fkey FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.node(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.intent_feedback
    ADD CONSTRAINT intent_feedback_category_fkey FOREIGN KEY (category) REFERENCES cognifold.intent_category(category);
ALTER TABLE ONLY cognifold.intent_feedback
    ADD CONSTRAINT intent_feedback_tenant_id_event_id_fkey FOREIGN KEY (tenant_id, event_id) REFERENCES cognifold.node(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.intent_feedback
    ADD CONSTRAINT intent_feedback_tenant_id_node_id_fkey FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.node(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.intent_feedback
    ADD CONSTRAINT intent_feedback_tenant_id_plan_id_fkey FOREIGN KEY (tenant_id, plan_id) REFERENCES cognifold.plan(tenant_id, plan_id);
ALTER TABLE ONLY cognifold.intent_hold
    ADD CONSTRAINT intent_hold_tenant_id_held_by_fkey FOREIGN KEY (tenant_id, held_by) REFERENCES cognifold.intent_state(tenant_id, node_id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.intent_hold
    ADD CONSTRAINT intent_hold_tenant_id_node_id_fkey FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.node(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.intent_state
    ADD CONSTRAINT intent_state_category_fkey FOREIGN KEY (category) REFERENCES cognifold.intent_category(category);
ALTER TABLE ONLY cognifold.intent_state
    ADD CONSTRAINT intent_state_tenant_id_node_id_fkey FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.node(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.intent_transition
    ADD CONSTRAINT intent_transition_from_status_to_status_fkey FOREIGN KEY (from_status, to_status) REFERENCES cognifold.intent_step(from_status, to_status);
ALTER TABLE ONLY cognifold.intent_transition
    ADD CONSTRAINT intent_transition_tenant_id_event_id_fkey FOREIGN KEY (tenant_id, event_id) REFERENCES cognifold.node(tenant_id, id) ON DELETE SET NULL (event_id);
ALTER TABLE ONLY cognifold.intent_transition
    ADD CONSTRAINT intent_transition_tenant_id_node_id_fkey FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.intent_state(tenant_id, node_id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.intent_transition
    ADD CONSTRAINT intent_transition_tenant_id_plan_id_fkey FOREIGN KEY (tenant_id, plan_id) REFERENCES cognifold.plan(tenant_id, plan_id);
ALTER TABLE ONLY cognifold.job_run
    ADD CONSTRAINT job_run_job_fkey FOREIGN KEY (job) REFERENCES cognifold.job(job) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.job_run
    ADD CONSTRAINT job_run_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES cognifold.tenant(tenant_id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.journal
    ADD CONSTRAINT journal_tenant_id_plan_id_fkey FOREIGN KEY (tenant_id, plan_id) REFERENCES cognifold.plan(tenant_id, plan_id);
ALTER TABLE ONLY cognifold.lexical_document
    ADD CONSTRAINT lexical_document_tenant_id_node_id_fkey FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.node(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.lexical_statistics
    ADD CONSTRAINT lexical_statistics_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES cognifold.tenant(tenant_id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.mention
    ADD CONSTRAINT mention_tenant_id_node_id_fkey FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.lexical_document(tenant_id, node_id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.node_content
    ADD CONSTRAINT node_content_tenant_id_node_id_fkey FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.node(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.node
    ADD CONSTRAINT node_kind_fkey FOREIGN KEY (kind) REFERENCES cognifold.node_kind(kind);
ALTER TABLE ONLY cognifold.node_state
    ADD CONSTRAINT node_state_tenant_id_node_id_fkey FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.node(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.node
    ADD CONSTRAINT node_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES cognifold.tenant(tenant_id);
ALTER TABLE ONLY cognifold.node
    ADD CONSTRAINT node_tenant_id_merged_into_fkey FOREIGN KEY (tenant_id, merged_into) REFERENCES cognifold.node(tenant_id, id);
ALTER TABLE ONLY cognifold.outbox_consumer
    ADD CONSTRAINT outbox_consumer_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES cognifold.tenant(tenant_id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.outbox_head
    ADD CONSTRAINT outbox_head_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES cognifold.tenant(tenant_id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.outbox
    ADD CONSTRAINT outbox_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES cognifold.tenant(tenant_id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.plan_mention
    ADD CONSTRAINT plan_mention_tenant_id_plan_id_fkey FOREIGN KEY (tenant_id, plan_id) REFERENCES cognifold.plan(tenant_id, plan_id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.plan
    ADD CONSTRAINT plan_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES cognifold.tenant(tenant_id);
ALTER TABLE ONLY cognifold.plan
    ADD CONSTRAINT plan_tenant_id_trigger_event_id_fkey FOREIGN KEY (tenant_id, trigger_event_id) REFERENCES cognifold.node(tenant_id, id);
ALTER TABLE ONLY cognifold.plan
    ADD CONSTRAINT plan_tenant_id_undoes_fkey FOREIGN KEY (tenant_id, undoes) REFERENCES cognifold.plan(tenant_id, plan_id);
ALTER TABLE ONLY cognifold.posting
    ADD CONSTRAINT posting_tenant_id_node_id_fkey FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.lexical_document(tenant_id, node_id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.recall_log
    ADD CONSTRAINT recall_log_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES cognifold.tenant(tenant_id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.reembedding
    ADD CONSTRAINT reembedding_from_model_fkey FOREIGN KEY (from_model) REFERENCES cognifold.embedding_model(model_id);
ALTER TABLE ONLY cognifold.reembedding_queue
    ADD CONSTRAINT reembedding_queue_tenant_id_node_id_fkey FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.node(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.reembedding
    ADD CONSTRAINT reembedding_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES cognifold.tenant(tenant_id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.reembedding
    ADD CONSTRAINT reembedding_to_model_fkey FOREIGN KEY (to_model) REFERENCES cognifold.embedding_model(model_id);
ALTER TABLE ONLY cognifold.retention_run
    ADD CONSTRAINT retention_run_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES cognifold.tenant(tenant_id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.retention
    ADD CONSTRAINT retention_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES cognifold.tenant(tenant_id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.schedule
    ADD CONSTRAINT schedule_job_fkey FOREIGN KEY (job) REFERENCES cognifold.job(job) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.schedule
    ADD CONSTRAINT schedule_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES cognifold.tenant(tenant_id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.setting
    ADD CONSTRAINT setting_name_fkey FOREIGN KEY (name) REFERENCES cognifold.setting_default(name);
ALTER TABLE ONLY cognifold.setting
    ADD CONSTRAINT setting_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES cognifold.tenant(tenant_id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.state_attribute
    ADD CONSTRAINT state_attribute_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES cognifold.tenant(tenant_id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.state_cue
    ADD CONSTRAINT state_cue_slot_fkey FOREIGN KEY (slot) REFERENCES cognifold.state_slot(slot) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.state_statement
    ADD CONSTRAINT state_statement_tenant_id_event_id_fkey FOREIGN KEY (tenant_id, event_id) REFERENCES cognifold.node(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.state_statement
    ADD CONSTRAINT state_statement_tenant_id_subject_attribute_fkey FOREIGN KEY (tenant_id, subject, attribute) REFERENCES cognifold.state_attribute(tenant_id, subject, attribute) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.tenant_member
    ADD CONSTRAINT tenant_member_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES cognifold.tenant(tenant_id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.tenant
    ADD CONSTRAINT tenant_model_id_fkey FOREIGN KEY (model_id) REFERENCES cognifold.embedding_model(model_id);
ALTER TABLE ONLY cognifold.vector_count
    ADD CONSTRAINT vector_count_model_id_dimensions_fkey FOREIGN KEY (model_id, dimensions) REFERENCES cognifold.embedding_model(model_id, dimensions);
ALTER TABLE ONLY cognifold.vector_count
    ADD CONSTRAINT vector_count_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES cognifold.tenant(tenant_id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.watch_count
    ADD CONSTRAINT watch_count_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES cognifold.tenant(tenant_id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.watch_count
    ADD CONSTRAINT watch_count_watch_id_fkey FOREIGN KEY (watch_id) REFERENCES cognifold.watch(watch_id) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.webhook
    ADD CONSTRAINT webhook_tenant_id_consumer_fkey FOREIGN KEY (tenant_id, consumer) REFERENCES cognifold.outbox_consumer(tenant_id, name) ON DELETE CASCADE;
ALTER TABLE ONLY cognifold.work
    ADD CONSTRAINT work_tenant_id_node_id_fkey FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.node(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE cognifold.actor_frequency ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.actor_name ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.annotation ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.archived_content ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.audit_read ENABLE ROW LEVEL SECURITY;
CREATE POLICY auditors ON cognifold.audit_read FOR SELECT TO cognifold_auditor USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY auditors ON cognifold.node FOR SELECT TO cognifold_auditor USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY auditors ON cognifold.plan FOR SELECT TO cognifold_auditor USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
ALTER TABLE cognifold.clearance ENABLE ROW LEVEL SECURITY;
CREATE POLICY cleared ON cognifold.actor_frequency FOR SELECT TO cognifold_cleared USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY cleared ON cognifold.actor_name FOR SELECT TO cognifold_cleared USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY cleared ON cognifold.annotation FOR SELECT TO cognifold_cleared USING (((tenant_id = cognifold.current_tenant()) AND (EXISTS ( SELECT
   FROM cognifold.node n
  WHERE ((n.tenant_id = cognifold.current_tenant()) AND (n.id = annotation.node_id))))));
CREATE POLICY cleared ON cognifold.archived_content FOR SELECT TO cognifold_cleared USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY cleared ON cognifold.concept_lexeme FOR SELECT TO cognifold_cleared USING (((tenant_id = cognifold.current_tenant()) AND (EXISTS ( SELECT
   FROM cognifold.node n
  WHERE ((n.tenant_id = cognifold.current_tenant()) AND (n.id = concept_lexeme.node_id))))));
CREATE POLICY cleared ON cognifold.concept_state FOR SELECT TO cognifold_cleared USING (((tenant_id = cognifold.current_tenant()) AND (EXISTS ( SELECT
   FROM cognifold.node n
  WHERE ((n.tenant_id = cognifold.current_tenant()) AND (n.id = concept_state.node_id))))));
CREATE POLICY cleared ON cognifold.cue_reading FOR SELECT TO cognifold_cleared USING (((tenant_id = cognifold.current_tenant()) AND (EXISTS ( SELECT
   FROM cognifold.node n
  WHERE ((n.tenant_id = cognifold.current_tenant()) AND (n.id = cue_reading.node_id))))));
CREATE POLICY cleared ON cognifold.decay_clock FOR SELECT TO cognifold_cleared USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY cleared ON cognifold.embedding FOR SELECT TO cognifold_cleared USING (((tenant_id = cognifold.current_tenant()) AND (EXISTS ( SELECT
   FROM cognifold.node n
  WHERE ((n.tenant_id = cognifold.current_tenant()) AND (n.id = embedding.node_id))))));
CREATE POLICY cleared ON cognifold.embedding_statistics FOR SELECT TO cognifold_cleared USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY cleared ON cognifold.folded_event FOR SELECT TO cognifold_cleared USING (((tenant_id = cognifold.current_tenant()) AND (EXISTS ( SELECT
   FROM cognifold.node n
  WHERE ((n.tenant_id = cognifold.current_tenant()) AND (n.id = folded_event.event_id))))));
CREATE POLICY cleared ON cognifold.graph_edge FOR SELECT TO cognifold_cleared USING (((tenant_id = cognifold.current_tenant()) AND (EXISTS ( SELECT
   FROM cognifold.node n
  WHERE ((n.tenant_id = cognifold.current_tenant()) AND (n.id = graph_edge.source_id)))) AND (EXISTS ( SELECT
   FROM cognifold.node n
  WHERE ((n.tenant_id = cognifold.current_tenant()) AND (n.id = graph_edge.target_id))))));
CREATE POLICY cleared ON cognifold.intent_action_state FOR SELECT TO cognifold_cleared USING (((tenant_id = cognifold.current_tenant()) AND (EXISTS ( SELECT
   FROM cognifold.node n
  WHERE ((n.tenant_id = cognifold.current_tenant()) AND (n.id = intent_action_state.node_id))))));
CREATE POLICY cleared ON cognifold.intent_assessment FOR SELECT TO cognifold_cleared USING (((tenant_id = cognifold.current_tenant()) AND (EXISTS ( SELECT
   FROM cognifold.node n
  WHERE ((n.tenant_id = cognifold.current_tenant()) AND (n.id = intent_assessment.node_id))))));
CREATE POLICY cleared ON cognifold.intent_feedback FOR SELECT TO cognifold_cleared USING (((tenant_id = cognifold.current_tenant()) AND (EXISTS ( SELECT
   FROM cognifold.node n
  WHERE ((n.tenant_id = cognifold.current_tenant()) AND (n.id = intent_feedback.node_id))))));
CREATE POLICY cleared ON cognifold.intent_state FOR SELECT TO cognifold_cleared USING (((tenant_id = cognifold.current_tenant()) AND (EXISTS ( SELECT
   FROM cognifold.node n
  WHERE ((n.tenant_id = cognifold.current_tenant()) AND (n.id = intent_state.node_id))))));
CREATE POLICY cleared ON cognifold.intent_transition FOR SELECT TO cognifold_cleared USING (((tenant_id = cognifold.current_tenant()) AND (EXISTS ( SELECT
   FROM cognifold.node n
  WHERE ((n.tenant_id = cognifold.current_tenant()) AND (n.id = intent_transition.node_id))))));
CREATE POLICY cleared ON cognifold.lexeme_frequency FOR SELECT TO cognifold_cleared USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY cleared ON cognifold.lexical_document FOR SELECT TO cognifold_cleared USING (((tenant_id = cognifold.current_tenant()) AND (EXISTS ( SELECT
   FROM cognifold.node n
  WHERE ((n.tenant_id = cognifold.current_tenant()) AND (n.id = lexical_document.node_id))))));
CREATE POLICY cleared ON cognifold.lexical_statistics FOR SELECT TO cognifold_cleared USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY cleared ON cognifold.mention FOR SELECT TO cognifold_cleared USING (((tenant_id = cognifold.current_tenant()) AND (EXISTS ( SELECT
   FROM cognifold.node n
  WHERE ((n.tenant_id = cognifold.current_tenant()) AND (n.id = mention.node_id))))));
CREATE POLICY cleared ON cognifold.node FOR SELECT TO cognifold_cleared USING (((tenant_id = cognifold.current_tenant()) AND (privacy_level = ANY (( SELECT cognifold.cleared_levels() AS cleared_levels)::text[]))));
CREATE POLICY cleared ON cognifold.node_content FOR SELECT TO cognifold_cleared USING (((tenant_id = cognifold.current_tenant()) AND (EXISTS ( SELECT
   FROM cognifold.node n
  WHERE ((n.tenant_id = cognifold.current_tenant()) AND (n.id = node_content.node_id))))));
CREATE POLICY cleared ON cognifold.node_rank FOR SELECT TO cognifold_cleared USING (((tenant_id = cognifold.current_tenant()) AND (EXISTS ( SELECT
   FROM cognifold.node n
  WHERE ((n.tenant_id = cognifold.current_tenant()) AND (n.id = node_rank.node_id))))));
CREATE POLICY cleared ON cognifold.node_state FOR SELECT TO cognifold_cleared USING (((tenant_id = cognifold.current_tenant()) AND (EXISTS ( SELECT
   FROM cognifold.node n
  WHERE ((n.tenant_id = cognifold.current_tenant()) AND (n.id = node_state.node_id))))));
CREATE POLICY cleared ON cognifold.posting FOR SELECT TO cognifold_cleared USING (((tenant_id = cognifold.current_tenant()) AND (EXISTS ( SELECT
   FROM cognifold.node n
  WHERE ((n.tenant_id = cognifold.current_tenant()) AND (n.id = posting.node_id))))));
CREATE POLICY cleared ON cognifold.setting FOR SELECT TO cognifold_cleared USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY cleared ON cognifold.state_attribute FOR SELECT TO cognifold_cleared USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY cleared ON cognifold.state_statement FOR SELECT TO cognifold_cleared USING (((tenant_id = cognifold.current_tenant()) AND (EXISTS ( SELECT
   FROM cognifold.node n
  WHERE ((n.tenant_id = cognifold.current_tenant()) AND (n.id = state_statement.event_id))))));
CREATE POLICY cleared ON cognifold.tenant FOR SELECT TO cognifold_cleared USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY cleared ON cognifold.vector_count FOR SELECT TO cognifold_cleared USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY cleared ON cognifold.vector_index FOR SELECT TO cognifold_cleared USING (((tenant_id = cognifold.current_tenant()) AND (EXISTS ( SELECT
   FROM cognifold.node n
  WHERE ((n.tenant_id = cognifold.current_tenant()) AND (n.id = vector_index.node_id))))));
CREATE POLICY cleared ON cognifold.vector_tail FOR SELECT TO cognifold_cleared USING (((tenant_id = cognifold.current_tenant()) AND (EXISTS ( SELECT
   FROM cognifold.node n
  WHERE ((n.tenant_id = cognifold.current_tenant()) AND (n.id = vector_tail.node_id))))));
CREATE POLICY cleared ON cognifold.work FOR SELECT TO cognifold_cleared USING (((tenant_id = cognifold.current_tenant()) AND (EXISTS ( SELECT
   FROM cognifold.node n
  WHERE ((n.tenant_id = cognifold.current_tenant()) AND (n.id = work.node_id)))) AND (error IS NULL)));
ALTER TABLE cognifold.co_recall ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.concept_lexeme ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.concept_state ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.consolidation_dirty ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.consolidation_run ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.cue_reading ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.decay_clock ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.delivery ENABLE ROW LEVEL SECURITY;
CREATE POLICY dispatch ON cognifold.delivery FOR SELECT TO cognifold_dispatch USING (true);
CREATE POLICY dispatch ON cognifold.intent_alarm FOR SELECT TO cognifold_dispatch USING (true);
CREATE POLICY dispatch ON cognifold.job_run FOR SELECT TO cognifold_dispatch USING (true);
CREATE POLICY dispatch ON cognifold.outbox_consumer FOR SELECT TO cognifold_dispatch USING (true);
CREATE POLICY dispatch ON cognifold.outbox_head FOR SELECT TO cognifold_dispatch USING (true);
CREATE POLICY dispatch ON cognifold.schedule FOR SELECT TO cognifold_dispatch USING (true);
CREATE POLICY dispatch ON cognifold.tenant FOR SELECT TO cognifold_dispatch USING (true);
CREATE POLICY dispatch ON cognifold.webhook FOR SELECT TO cognifold_dispatch USING (true);
CREATE POLICY dispatch ON cognifold.work FOR SELECT TO cognifold_dispatch USING (true);
ALTER TABLE cognifold.embedding ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.embedding_statistics ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.folded_event ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.forgetting ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.forgotten_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.graph_edge ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.graph_turn ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.insight_state ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.intent_action_state ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.intent_alarm ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.intent_assessment ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.intent_due ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.intent_feedback ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.intent_hold ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.intent_state ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.intent_transition ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.job_run ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.journal ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.lexeme_frequency ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.lexical_document ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.lexical_statistics ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.mention ENABLE ROW LEVEL SECURITY;
CREATE POLICY monitor ON cognifold.lexical_statistics FOR SELECT TO cognifold_monitor USING (( SELECT (NOT pg_has_role('cognifold_reader'::name, 'USAGE'::text))));
CREATE POLICY monitor ON cognifold.work FOR SELECT TO cognifold_monitor USING (( SELECT (NOT pg_has_role('cognifold_reader'::name, 'USAGE'::text))));
ALTER TABLE cognifold.node ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.node_content ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.node_rank ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.node_state ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.outbox ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.outbox_consumer ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.outbox_head ENABLE ROW LEVEL SECURITY;
CREATE POLICY partial ON cognifold.annotation FOR SELECT TO cognifold_partial USING (((tenant_id = cognifold.current_tenant()) AND cognifold.is_cleared(tenant_id, node_id, ( SELECT cognifold.cleared_levels() AS cleared_levels))));
CREATE POLICY partial ON cognifold.concept_lexeme FOR SELECT TO cognifold_partial USING (((tenant_id = cognifold.current_tenant()) AND cognifold.is_cleared(tenant_id, node_id, ( SELECT cognifold.cleared_levels() AS cleared_levels))));
CREATE POLICY partial ON cognifold.concept_state FOR SELECT TO cognifold_partial USING (((tenant_id = cognifold.current_tenant()) AND cognifold.is_cleared(tenant_id, node_id, ( SELECT cognifold.cleared_levels() AS cleared_levels))));
CREATE POLICY partial ON cognifold.cue_reading FOR SELECT TO cognifold_partial USING (((tenant_id = cognifold.current_tenant()) AND cognifold.is_cleared(tenant_id, node_id, ( SELECT cognifold.cleared_levels() AS cleared_levels))));
CREATE POLICY partial ON cognifold.decay_clock FOR SELECT TO cognifold_partial USING (((tenant_id = cognifold.current_tenant()) AND ( SELECT (cognifold.cleared_levels() IS NOT NULL))));
CREATE POLICY partial ON cognifold.embedding FOR SELECT TO cognifold_partial USING (((tenant_id = cognifold.current_tenant()) AND cognifold.is_cleared(tenant_id, node_id, ( SELECT cognifold.cleared_levels() AS cleared_levels))));
CREATE POLICY partial ON cognifold.folded_event FOR SELECT TO cognifold_partial USING (((tenant_id = cognifold.current_tenant()) AND cognifold.is_cleared(tenant_id, event_id, ( SELECT cognifold.cleared_levels() AS cleared_levels))));
CREATE POLICY partial ON cognifold.graph_edge FOR SELECT TO cognifold_partial USING (((tenant_id = cognifold.current_tenant()) AND cognifold.is_cleared(tenant_id, source_id, ( SELECT cognifold.cleared_levels() AS cleared_levels)) AND cognifold.is_cleared(tenant_id, target_id, ( SELECT cognifold.cleared_levels() AS cleared_levels))));
CREATE POLICY partial ON cognifold.intent_action_state FOR SELECT TO cognifold_partial USING (((tenant_id = cognifold.current_tenant()) AND cognifold.is_cleared(tenant_id, node_id, ( SELECT cognifold.cleared_levels() AS cleared_levels))));
CREATE POLICY partial ON cognifold.intent_assessment FOR SELECT TO cognifold_partial USING (((tenant_id = cognifold.current_tenant()) AND cognifold.is_cleared(tenant_id, node_id, ( SELECT cognifold.cleared_levels() AS cleared_levels))));
CREATE POLICY partial ON cognifold.intent_feedback FOR SELECT TO cognifold_partial USING (((tenant_id = cognifold.current_tenant()) AND cognifold.is_cleared(tenant_id, node_id, ( SELECT cognifold.cleared_levels() AS cleared_levels))));
CREATE POLICY partial ON cognifold.intent_state FOR SELECT TO cognifold_partial USING (((tenant_id = cognifold.current_tenant()) AND cognifold.is_cleared(tenant_id, node_id, ( SELECT cognifold.cleared_levels() AS cleared_levels))));
CREATE POLICY partial ON cognifold.intent_transition FOR SELECT TO cognifold_partial USING (((tenant_id = cognifold.current_tenant()) AND cognifold.is_cleared(tenant_id, node_id, ( SELECT cognifold.cleared_levels() AS cleared_levels))));
CREATE POLICY partial ON cognifold.lexical_document FOR SELECT TO cognifold_partial USING (((tenant_id = cognifold.current_tenant()) AND cognifold.is_cleared(tenant_id, node_id, ( SELECT cognifold.cleared_levels() AS cleared_levels))));
CREATE POLICY partial ON cognifold.mention FOR SELECT TO cognifold_partial USING (((tenant_id = cognifold.current_tenant()) AND cognifold.is_cleared(tenant_id, node_id, ( SELECT cognifold.cleared_levels() AS cleared_levels))));
CREATE POLICY partial ON cognifold.node FOR SELECT TO cognifold_partial USING (((tenant_id = cognifold.current_tenant()) AND (privacy_level = ANY (( SELECT cognifold.cleared_levels() AS cleared_levels)::text[]))));
CREATE POLICY partial ON cognifold.node_content FOR SELECT TO cognifold_partial USING (((tenant_id = cognifold.current_tenant()) AND cognifold.is_cleared(tenant_id, node_id, ( SELECT cognifold.cleared_levels() AS cleared_levels))));
CREATE POLICY partial ON cognifold.node_rank FOR SELECT TO cognifold_partial USING (((tenant_id = cognifold.current_tenant()) AND cognifold.is_cleared(tenant_id, node_id, ( SELECT cognifold.cleared_levels() AS cleared_levels))));
CREATE POLICY partial ON cognifold.node_state FOR SELECT TO cognifold_partial USING (((tenant_id = cognifold.current_tenant()) AND cognifold.is_cleared(tenant_id, node_id, ( SELECT cognifold.cleared_levels() AS cleared_levels))));
CREATE POLICY partial ON cognifold.posting FOR SELECT TO cognifold_partial USING (((tenant_id = cognifold.current_tenant()) AND cognifold.is_cleared(tenant_id, node_id, ( SELECT cognifold.cleared_levels() AS cleared_levels))));
CREATE POLICY partial ON cognifold.setting FOR SELECT TO cognifold_partial USING (((tenant_id = cognifold.current_tenant()) AND ( SELECT (cognifold.cleared_levels() IS NOT NULL))));
CREATE POLICY partial ON cognifold.state_statement FOR SELECT TO cognifold_partial USING (((tenant_id = cognifold.current_tenant()) AND cognifold.is_cleared(tenant_id, event_id, ( SELECT cognifold.cleared_levels() AS cleared_levels))));
CREATE POLICY partial ON cognifold.tenant FOR SELECT TO cognifold_partial USING (((tenant_id = cognifold.current_tenant()) AND ( SELECT (cognifold.cleared_levels() IS NOT NULL))));
CREATE POLICY partial ON cognifold.vector_index FOR SELECT TO cognifold_partial USING (((tenant_id = cognifold.current_tenant()) AND cognifold.is_cleared(tenant_id, node_id, ( SELECT cognifold.cleared_levels() AS cleared_levels))));
CREATE POLICY partial ON cognifold.vector_tail FOR SELECT TO cognifold_partial USING (((tenant_id = cognifold.current_tenant()) AND cognifold.is_cleared(tenant_id, node_id, ( SELECT cognifold.cleared_levels() AS cleared_levels))));
CREATE POLICY partial ON cognifold.work FOR SELECT TO cognifold_partial USING (((tenant_id = cognifold.current_tenant()) AND cognifold.is_cleared(tenant_id, node_id, ( SELECT cognifold.cleared_levels() AS cleared_levels)) AND (error IS NULL)));
ALTER TABLE cognifold.plan ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.plan_mention ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.posting ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.rank_arc ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.rank_dirty ENABLE ROW LEVEL SECURITY;
CREATE POLICY readers ON cognifold.actor_frequency FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.actor_name FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.annotation FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.archived_content FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.audit_read FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.co_recall FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.concept_lexeme FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.concept_state FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.consolidation_dirty FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.consolidation_run FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.cue_reading FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.decay_clock FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.delivery FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.embedding FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.embedding_statistics FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.folded_event FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.forgetting FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.forgotten_key FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.graph_edge FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.graph_turn FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.insight_state FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.intent_action_state FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.intent_alarm FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.intent_assessment FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.intent_due FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.intent_feedback FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.intent_hold FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.intent_state FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.intent_transition FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.job_run FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.journal FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.lexeme_frequency FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.lexical_document FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.lexical_statistics FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.mention FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.node FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.node_content FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.node_rank FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.node_state FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.outbox FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.outbox_consumer FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.outbox_head FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.plan FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.plan_mention FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.posting FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.rank_arc FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.rank_dirty FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.recall_log FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.reembedding FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.reembedding_queue FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.retention FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.retention_run FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.schedule FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.setting FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.state_attribute FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.state_statement FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.tenant FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.vector_count FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.vector_index FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.vector_tail FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.watch_count FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.webhook FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
CREATE POLICY readers ON cognifold.work FOR SELECT TO cognifold_reader USING (((tenant_id = cognifold.current_tenant()) AND (tenant_id = ( SELECT cognifold.permitted_tenant() AS permitted_tenant))));
ALTER TABLE cognifold.recall_log ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.reembedding ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.reembedding_queue ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.retention ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.retention_run ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.schedule ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.setting ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.state_attribute ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.state_statement ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.tenant ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.tenant_member ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.vector_count ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.vector_index ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.vector_tail ENABLE ROW LEVEL SECURITY;
CREATE POLICY verbs ON cognifold.actor_frequency TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.actor_name TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.annotation TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.archived_content TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.audit_read TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.clearance TO cognifold_owner USING (true);
CREATE POLICY verbs ON cognifold.co_recall TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.concept_lexeme TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.concept_state TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.consolidation_dirty TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.consolidation_run TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.cue_reading TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.decay_clock TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.delivery TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.embedding TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.embedding_statistics TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.folded_event TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.forgetting TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.forgotten_key TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.graph_edge TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.graph_turn TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.insight_state TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.intent_action_state TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.intent_alarm TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.intent_assessment TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.intent_due TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.intent_feedback TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.intent_hold TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.intent_state TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.intent_transition TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.job_run TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.journal TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.lexeme_frequency TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.lexical_document TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.lexical_statistics TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.mention TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.node TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.node_content TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.node_rank TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.node_state TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.outbox TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.outbox_consumer TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.outbox_head TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.plan TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.plan_mention TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.posting TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.rank_arc TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.rank_dirty TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.recall_log TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.reembedding TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.reembedding_queue TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.retention TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.retention_run TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.schedule TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.setting TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.state_attribute TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.state_statement TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.tenant TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.tenant_member TO cognifold_owner USING (true);
CREATE POLICY verbs ON cognifold.vector_count TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.vector_index TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.vector_tail TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.watch_count TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.webhook TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
CREATE POLICY verbs ON cognifold.work TO cognifold_owner USING ((tenant_id = cognifold.current_tenant()));
ALTER TABLE cognifold.watch_count ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.webhook ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold.work ENABLE ROW LEVEL SECURITY;
