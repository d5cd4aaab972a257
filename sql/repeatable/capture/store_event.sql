-- store_event: what remember and remember_many do within a tenant they have entered; says whether this call stored the event.
CREATE OR REPLACE FUNCTION cognifold.store_event(
    content text, title text, occurred_at timestamptz, source text, actor text, payload jsonb, emotional_weight double precision,
    arousal double precision, memory_type text, privacy_level text, idempotency_key text, ended_at timestamptz, valence text,
    media jsonb, source_agent text, occurred_precision text, tenant text, OUT event_id uuid, OUT is_new boolean
)
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    happened timestamptz := coalesce(occurred_at, cognifold.now());
    heading  text := coalesce(NULLIF(btrim(title), ''), cognifold.headline(content));
    digest   bytea;
    key      text := idempotency_key;
    span     double precision;
    words    text;
    wrong    text;
    inferred boolean := false;
    former   uuid;
BEGIN
    wrong := CASE
        WHEN content IS NULL OR content ~ '^\s*$' THEN 'content is empty'
        WHEN NOT (coalesce(emotional_weight, 0) BETWEEN -1 AND 1) THEN format('emotional_weight = %s is not in [-1, 1]', emotional_weight)
        WHEN NOT (coalesce(arousal, 0) BETWEEN 0 AND 1) THEN format('arousal = %s is not in [0, 1]', arousal)
        WHEN memory_type NOT IN ('episodic', 'semantic', 'procedural', 'associative')
            THEN format('memory_type = %L is not one of episodic, semantic, procedural, associative', memory_type)
        WHEN privacy_level NOT IN ('private', 'shared', 'public')
            THEN format('privacy_level = %L is not one of private, shared, public', privacy_level)
        WHEN valence NOT IN ('positive', 'negative', 'neutral', 'mixed')
            THEN format('valence = %L is not one of positive, negative, neutral, mixed', valence)
        WHEN occurred_precision NOT IN ('instant', 'day', 'month', 'year')
            THEN format('occurred_precision = %L is not one of instant, day, month, year', occurred_precision)
        WHEN ended_at < happened THEN format('ended_at = %s is before occurred_at = %s', ended_at, happened)
        WHEN media IS NOT NULL AND jsonb_typeof(media) <> 'array' THEN 'media is not a JSON array'
        -- Both stand in index keys, which end at 2,700 bytes.
        WHEN octet_length(source) > 1000 THEN format('source is %s bytes long, more than 1000: %L...', octet_length(source), left(source, 40))
        WHEN octet_length(actor) > 1000 THEN format('actor is %s bytes long, more than 1000: %L...', octet_length(actor), left(actor, 40))
        WHEN idempotency_key = '' OR octet_length(idempotency_key) > 1024
            THEN 'idempotency_key is empty or longer than 1024 bytes'
    END;
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION 'remember: %', wrong
            USING ERRCODE = 'CF010', HINT = 'Nothing was stored. \df+ cognifold.remember and its comment give each argument''s range.';
    END IF;

    digest := cognifold.event_digest(content, heading, payload, happened, source, actor);
    IF key IS NULL THEN
        -- Without a key, only what is the same in every word and field is the same event. (A time as text would follow TimeZone.)
        words := encode(sha256(convert_to(jsonb_build_array(
            content, heading, payload, source, actor, source_agent, extract(epoch FROM ended_at), occurred_precision, emotional_weight, arousal, valence,
            memory_type, privacy_level, media)::text, 'UTF8')), 'hex');
        key := format('same:%s:%s', encode(digest, 'hex'), words);
        span := cognifold.setting('remember.repeat_window', tenant);
        IF occurred_at IS NULL AND span > 0 AND isfinite(happened) THEN
            -- No time was stated, so each retry would carry another: within the window the words decide.
            key := format('said:%s:%s', floor(extract(epoch FROM happened) / span), words);
            -- The unique key settles races of one window of the clock; what was said shortly before it began is asked for.
            SELECT n.id INTO event_id
            FROM cognifold.node AS n
            WHERE n.tenant_id = tenant
              AND n.idempotency_key = format('said:%s:%s', floor(extract(epoch FROM happened) / span) - 1, words)
              AND n.occurred_at > happened - make_interval(secs => span);
            IF FOUND THEN
                is_new := false;
                RETURN;
            END IF;
        END IF;
    END IF;

    -- What the caller says of its affect stands; where nothing is said, the words speak. After the key: the key is of what was given.
    IF emotional_weight IS NULL AND arousal IS NULL AND valence IS NULL AND cognifold.setting('remember.affect', tenant) > 0 THEN
        inferred := true;
        SELECT a.emotional_weight, a.valence, a.arousal INTO emotional_weight, valence, arousal FROM cognifold.affect(content) AS a;
    END IF;

    WITH stored AS (
        INSERT INTO cognifold.node (
            tenant_id, id, kind, memory_type, title, source, actor, source_agent, occurred_at, ended_at, occurred_precision,
            recorded_at, emotional_weight, valence, arousal, affect_inferred, asks, privacy_level, digest, idempotency_key, recorded_by)
        VALUES (
            tenant, cognifold.new_id(), 'event', coalesce(memory_type, 'episodic'), heading, source, actor, source_agent,
            happened, ended_at, coalesce(occurred_precision, 'instant'),
            clock_timestamp(), round(coalesce(emotional_weight, 0)::numeric, 6), valence, round(coalesce(arousal, 0)::numeric, 6), inferred,
            right(content, 20) ~ '[?？][[:space:]!"''»”’)\]]*$', coalesce(privacy_level, 'private'), digest, key,
            cognifold.effective_role())
        ON CONFLICT DO NOTHING
        RETURNING id
    ), kept AS (
        INSERT INTO cognifold.node_content (tenant_id, node_id, content, payload, media)
        SELECT tenant, s.id, content, payload, media FROM stored AS s
    ), queued AS (
        INSERT INTO cognifold.work (tenant_id, task, node_id, occurred_at, enqueued_at)
        SELECT tenant, 'fold', s.id, happened, clock_timestamp() FROM stored AS s
    )
    SELECT s.id INTO event_id FROM stored AS s;

    is_new := event_id IS NOT NULL;
    IF NOT is_new THEN
        SELECT n.id INTO STRICT event_id FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.idempotency_key = key;
        RETURN;
    END IF;
    -- A replay of what was forgotten is not stored again. Asked afterwards: the insert has waited for whoever forgets just now.
    SELECT k.node_id INTO former FROM cognifold.forgotten_key AS k
    WHERE k.tenant_id = tenant AND k.key_hash = cognifold.forgotten_hash(key);
    IF FOUND THEN
        DELETE FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = event_id;
        event_id := former;
        is_new := false;
    END IF;
END
$$;
COMMENT ON FUNCTION cognifold.store_event(text, text, timestamptz, text, text, jsonb, double precision, double precision, text, text, text, timestamptz, text, jsonb, text, text, text) IS
    'Stores an event and queues it; its id, and whether it is new: of calls at the same moment with one key, one says so. Of a key that was forgotten (forget) nothing is stored, and the id is the one the event had. Arguments and CF010 as of remember. Internal.';
