-- Gives every table that grows with what is remembered the layout of hash partitions by tenant, moving its rows.
--
-- `cognifold partition --by N` runs this as cognifold_owner with the setting cognifold.partitions = N, and then makes views,
-- functions, triggers, policies and privileges anew: all that names a table goes with the old one. One transaction.
-- The partitions lie in a schema of their own, cognifold_partition, and are reached through their tables alone.
DO $partition$
DECLARE
    partitions CONSTANT integer := current_setting('cognifold.partitions');
    -- A row or a few for each tenant: nothing to divide.
    whole      CONSTANT text[] := ARRAY[
        'clearance', 'decay_clock', 'embedding_statistics', 'graph_projection', 'graph_turn', 'job_run', 'lexical_statistics', 'outbox_consumer',
        'outbox_head', 'reembedding', 'retention', 'retention_run', 'schedule', 'setting', 'tenant', 'tenant_member', 'vector_count',
        'watch_count', 'webhook'];
    divided    oid[];
    found      record;
    statement  text;
    statements text[];
BEGIN
    -- Tables whose key begins with the tenant. One with numbers of its own (identity) stays whole: PostgreSQL 16 has none in partitions.
    SELECT array_agg(c.oid ORDER BY c.relname) INTO divided
    FROM pg_class AS c
    JOIN pg_constraint AS k ON k.conrelid = c.oid AND k.contype = 'p'
    JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = k.conkey[1] AND a.attname = 'tenant_id'
    WHERE c.relnamespace = 'cognifold'::regnamespace AND c.relkind = 'r' AND c.relname <> ALL (whole)
      AND NOT EXISTS (SELECT FROM pg_attribute AS i WHERE i.attrelid = c.oid AND i.attidentity <> '');

    -- Nobody reads or writes meanwhile; and the owner sees the rows of every tenant.
    FOR found IN SELECT oid::regclass AS place FROM unnest(divided) AS oid LOOP
        EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', found.place);
    END LOOP;

    -- Foreign keys from or to these tables are made again at the end, when both sides are there. (What of them a partition has is not named.)
    SELECT array_agg(format('ALTER TABLE %s ADD CONSTRAINT %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid))
                     ORDER BY k.conrelid::regclass::text, k.conname) INTO statements
    FROM pg_constraint AS k
    WHERE k.contype = 'f' AND k.conparentid = 0 AND (k.conrelid = ANY (divided) OR k.confrelid = ANY (divided));
    FOR found IN
        SELECT k.conrelid::regclass AS place, k.conname FROM pg_constraint AS k
        WHERE k.contype = 'f' AND k.conparentid = 0 AND (k.conrelid = ANY (divided) OR k.confrelid = ANY (divided))
    LOOP
        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', found.place, found.conname);
    END LOOP;

    FOR found IN
        SELECT c.oid, c.relname, coalesce('WITH (' || array_to_string(c.reloptions, ', ') || ')', '') AS storage,
               obj_description(c.oid, 'pg_class') AS purpose,
               (SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) FROM pg_attribute AS a
                WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS stored,
               -- With the names they have: make_vector_index and the planner's users go by them.
               (SELECT array_agg(CASE WHEN k.oid IS NULL THEN pg_get_indexdef(i.indexrelid)
                                      ELSE format('ALTER TABLE cognifold.%I ADD CONSTRAINT %I %s', c.relname, k.conname, pg_get_constraintdef(k.oid)) END
                                 ORDER BY i.indexrelid)
                FROM pg_index AS i
                LEFT JOIN pg_constraint AS k ON k.conindid = i.indexrelid AND k.contype IN ('p', 'u')
                WHERE i.indrelid = c.oid) AS indexes
        FROM pg_class AS c WHERE c.oid = ANY (divided) ORDER BY c.relname
    LOOP
        EXECUTE format('ALTER TABLE cognifold.%I NO FORCE ROW LEVEL SECURITY', found.relname);
        EXECUTE format('ALTER TABLE cognifold.%I SET SCHEMA cognifold_partition', found.relname);
        EXECUTE format('CREATE TABLE cognifold.%1$I (LIKE cognifold_partition.%1$I INCLUDING ALL EXCLUDING INDEXES) PARTITION BY HASH (tenant_id)',
                       found.relname);
        EXECUTE format('COMMENT ON TABLE cognifold.%I IS %L', found.relname, found.purpose);
        FOR number IN 0 .. partitions - 1 LOOP
            EXECUTE format('CREATE TABLE cognifold_partition.%I PARTITION OF cognifold.%I FOR VALUES WITH (MODULUS %s, REMAINDER %s) %s',
                           format('%s_%s', found.relname, number), found.relname, partitions, number, found.storage);
            -- No policy: past its table a partition shows nothing, to its owner either.
            EXECUTE format('ALTER TABLE cognifold_partition.%I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY',
                           format('%s_%s', found.relname, number));
        END LOOP;
        EXECUTE format('INSERT INTO cognifold.%1$I (%2$s) SELECT %2$s FROM cognifold_partition.%1$I', found.relname, found.stored);
        FOREACH statement IN ARRAY found.indexes LOOP
            EXECUTE statement;
        END LOOP;
    END LOOP;

    FOR found IN SELECT oid::regclass AS place FROM unnest(divided) AS oid LOOP
        EXECUTE format('DROP TABLE %s CASCADE', found.place);
    END LOOP;
    FOREACH statement IN ARRAY coalesce(statements, '{}') LOOP
        EXECUTE statement;
    END LOOP;
    FOR found IN
        SELECT c.oid::regclass AS place FROM pg_class AS c
        WHERE c.relnamespace = 'cognifold'::regnamespace AND c.relkind = 'p'
    LOOP
        EXECUTE format('ANALYZE %s', found.place);
    END LOOP;
END
$partition$;
