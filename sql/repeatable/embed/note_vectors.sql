-- note_vectors: whatever is done to embedding is counted, and in a large memory done to the tail and the index, too.
CREATE OR REPLACE FUNCTION cognifold.note_vectors() RETURNS trigger
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
DECLARE
    is_indexed boolean;
BEGIN
    -- Each first locks the counts it depends on, to the end of the transaction: index_vectors takes a memory up under the same lock.
    -- The tail comes before the index: a vector is moved by taking it out of the tail, so whoever is moving it has done so then.
    IF TG_OP = 'INSERT' THEN
        IF NOT EXISTS (SELECT FROM arrived) THEN   -- an upsert that has only updated
            RETURN NULL;
        END IF;
        WITH counted AS (
            INSERT INTO cognifold.vector_count AS c (tenant_id, model_id, dimensions, events, concepts)
            SELECT a.tenant_id, a.model_id, a.dimensions, count(*) FILTER (WHERE a.kind = 'event'), count(*) FILTER (WHERE a.kind <> 'event')
            FROM arrived AS a
            GROUP BY a.tenant_id, a.model_id, a.dimensions
            ORDER BY a.tenant_id, a.model_id
            ON CONFLICT (tenant_id, model_id) DO UPDATE SET events = c.events + excluded.events, concepts = c.concepts + excluded.concepts
            RETURNING c.indexed
        )
        SELECT bool_or(c.indexed) INTO is_indexed FROM counted AS c;
        IF is_indexed THEN
            INSERT INTO cognifold.vector_tail (tenant_id, model_id, kind, node_id, dimensions, place)
            SELECT a.tenant_id, a.model_id, a.kind, a.node_id, a.dimensions, a.vector || c.signature
            FROM arrived AS a
            JOIN cognifold.vector_count AS c ON c.tenant_id = a.tenant_id AND c.model_id = a.model_id
            WHERE c.indexed;
        END IF;
    ELSIF TG_OP = 'UPDATE' THEN
        SELECT bool_or(l.indexed) INTO is_indexed
        FROM (SELECT c.indexed FROM cognifold.vector_count AS c
              WHERE EXISTS (SELECT FROM arrived AS a WHERE a.tenant_id = c.tenant_id AND a.model_id = c.model_id)
              ORDER BY c.tenant_id, c.model_id
              FOR NO KEY UPDATE) AS l;
        IF is_indexed THEN
            INSERT INTO cognifold.vector_tail AS t (tenant_id, model_id, kind, node_id, dimensions, place)
            SELECT a.tenant_id, a.model_id, a.kind, a.node_id, a.dimensions, a.vector || c.signature
            FROM arrived AS a
            JOIN cognifold.vector_count AS c ON c.tenant_id = a.tenant_id AND c.model_id = a.model_id
            WHERE c.indexed
            ON CONFLICT (tenant_id, model_id, kind, node_id) DO UPDATE SET place = excluded.place;
            IF FOUND THEN
                DELETE FROM cognifold.vector_index AS i USING arrived AS a
                WHERE i.tenant_id = a.tenant_id AND i.model_id = a.model_id AND i.kind = a.kind AND i.node_id = a.node_id;
            END IF;
        END IF;
    ELSE
        UPDATE cognifold.vector_count AS c SET events = c.events - g.events, concepts = c.concepts - g.concepts
        FROM (SELECT a.tenant_id, a.model_id, count(*) FILTER (WHERE a.kind = 'event') AS events, count(*) FILTER (WHERE a.kind <> 'event') AS concepts
              FROM gone AS a GROUP BY a.tenant_id, a.model_id) AS g
        WHERE c.tenant_id = g.tenant_id AND c.model_id = g.model_id;
        IF EXISTS (SELECT FROM gone AS a
                   JOIN cognifold.vector_count AS c ON c.tenant_id = a.tenant_id AND c.model_id = a.model_id WHERE c.indexed) THEN
            DELETE FROM cognifold.vector_tail AS t USING gone AS a
            WHERE t.tenant_id = a.tenant_id AND t.model_id = a.model_id AND t.kind = a.kind AND t.node_id = a.node_id;
            DELETE FROM cognifold.vector_index AS i USING gone AS a
            WHERE i.tenant_id = a.tenant_id AND i.model_id = a.model_id AND i.kind = a.kind AND i.node_id = a.node_id;
        END IF;
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION cognifold.note_vectors() IS
    'Trigger of embedding, once a statement: keeps vector_count, and for memories that are indexed vector_tail and vector_index. A vector that changes leaves the index for the tail.';

CREATE OR REPLACE TRIGGER note_arrived AFTER INSERT ON cognifold.embedding
    REFERENCING NEW TABLE AS arrived FOR EACH STATEMENT EXECUTE FUNCTION cognifold.note_vectors();
CREATE OR REPLACE TRIGGER note_changed AFTER UPDATE ON cognifold.embedding
    REFERENCING NEW TABLE AS arrived FOR EACH STATEMENT EXECUTE FUNCTION cognifold.note_vectors();
CREATE OR REPLACE TRIGGER note_gone AFTER DELETE ON cognifold.embedding
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION cognifold.note_vectors();
