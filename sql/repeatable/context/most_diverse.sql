-- most_diverse: picks from ranked nodes, one after the other, what is valuable and unlike everything chosen so far.
CREATE OR REPLACE FUNCTION cognifold.most_diverse(
    tenant text, candidates uuid[], worths double precision[], chosen uuid[], picks integer, weight double precision
) RETURNS TABLE (node_id uuid, gain double precision, diversity double precision)
LANGUAGE plpgsql STABLE ROWS 50
SET search_path FROM CURRENT
SET enable_nestloop = off
SET jit = off
AS $$
#variable_conflict use_variable
DECLARE
    own     cognifold.embedding_model := cognifold.tenant_model(tenant);
    vectors halfvec[];           -- of the candidates, in their order; NULL where a text has no direction
    nearest double precision[];  -- the largest cosine of each candidate to what is chosen, at least 0
    before  halfvec[];
    best    integer;
BEGIN
    -- Of the picks worthiest one is always left, and gains at least the least of their worths: what can't reach that is out.
    SELECT array_agg(c.id ORDER BY c.place), array_agg(c.worth ORDER BY c.place)
    INTO candidates, worths
    FROM unnest(candidates, worths) WITH ORDINALITY AS c (id, worth, place)
    WHERE c.worth + weight >= coalesce((SELECT w.worth FROM unnest(worths) AS w (worth)
                                        ORDER BY w.worth DESC OFFSET greatest(picks, 1) - 1 LIMIT 1), '-infinity');

    before := ARRAY(SELECT e.vector FROM cognifold.embedding AS e
                    WHERE e.tenant_id = tenant AND e.model_id = own.model_id AND e.node_id = ANY (chosen));
    SELECT array_agg(e.vector ORDER BY c.place),
           array_agg((SELECT greatest(0, max(1 - (e.vector <=> b.vector))) FROM unnest(before) AS b (vector)) ORDER BY c.place)
    INTO vectors, nearest
    FROM unnest(candidates) WITH ORDINALITY AS c (id, place)
    LEFT JOIN cognifold.embedding AS e ON e.tenant_id = tenant AND e.model_id = own.model_id AND e.node_id = c.id;

    FOR pick IN 1 .. least(picks, coalesce(cardinality(candidates), 0)) LOOP
        SELECT c.place INTO best
        FROM unnest(worths, nearest) WITH ORDINALITY AS c (worth, cosine, place)
        WHERE c.worth IS NOT NULL
        ORDER BY c.worth + weight * (1 - c.cosine) DESC, c.place
        LIMIT 1;
        node_id := candidates[best];
        diversity := 1 - nearest[best];
        gain := worths[best] + weight * diversity;
        RETURN NEXT;
        worths[best] := NULL;
        IF vectors[best] IS NOT NULL THEN
            SELECT array_agg(greatest(c.cosine, 1 - (c.vector <=> vectors[best])) ORDER BY c.place)
            INTO nearest
            FROM unnest(nearest, vectors) WITH ORDINALITY AS c (cosine, vector, place);
        END IF;
    END LOOP;
END
$$;
COMMENT ON FUNCTION cognifold.most_diverse(text, uuid[], double precision[], uuid[], integer, double precision) IS
    'Greedy choice of picks nodes: each time the one with the largest worth + weight * diversity, of equals the first given. diversity = 1 - the largest cosine to anything in chosen or picked before, cosines below 0 counting as 0, so in [0, 1]; 1 for a node without a vector. Rows in the order picked. Internal: context_window calls it.';
