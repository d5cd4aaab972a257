-- asked_attributes: the attributes of some subjects that a question's words ask for, best first: those whose words it shares, or
-- whose vector is near its words.
CREATE OR REPLACE FUNCTION cognifold.asked_attributes(tenant text, spoken text[], asked text[], subjects text[], of_person boolean, settings jsonb)
RETURNS TABLE (subject text, attribute text, words text[], is_multiple boolean, strength double precision)
LANGUAGE plpgsql STABLE ROWS 5
SET search_path FROM CURRENT
-- Each statement looks a few rows up by their keys, whoever the tenant is: one plan, made once.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_variable
DECLARE
    share    double precision := settings -> 'state.weight_overlap';
    thing    double precision := settings -> 'state.thing_share';
    minimum  double precision := settings -> 'state.minimum_strength';
    nearness double precision := settings -> 'state.near_best';
    most     integer := settings -> 'state.attributes';
    depth    integer := settings -> 'state.depth';
    question halfvec := cognifold.embed(array_to_string(ARRAY(SELECT w.word FROM unnest(spoken) WITH ORDINALITY AS w (word, place)
                                                             WHERE ts_lexize('pg_catalog.english_stem', w.word) <> '{}' ORDER BY w.place), ' '))::halfvec;
BEGIN
    RETURN QUERY
    WITH attribute AS MATERIALIZED (
        SELECT a.subject, a.attribute, a.words, a.is_multiple, a.vector
        FROM cognifold.state_attribute AS a
        WHERE a.tenant_id = tenant AND a.subject = ANY (subjects)
        LIMIT most
    ), fit AS MATERIALIZED (
        SELECT a.subject, a.attribute, a.words, a.is_multiple,
               -- Two signs of one thing: it fits unless both are wrong.
               -- A word of the attribute that the question lacks makes it another ("my aunt's number").
               (1 - (1 - share * (o.common / cardinality(a.words)) ^ 2) * (1 - greatest(coalesce(-(a.vector <#> question), 0), 0)))
               -- So does what is no attribute of a person, or was read from a verb that nobody listed.
               * CASE WHEN a.subject = '*' AND of_person OR a.is_multiple AND NOT EXISTS (SELECT FROM cognifold.state_slot AS l WHERE l.slot = ANY (a.words)) THEN thing ELSE 1 END
               -- Of attributes that fit alike, the one that takes up more of the question.
               * CASE WHEN o.common > 0 THEN sqrt(o.common / cardinality(a.words)) * (0.9 + 0.1 * o.common / least(cardinality(asked), 5)) ELSE 0.9 END AS strength
        FROM attribute AS a
        CROSS JOIN LATERAL (
            SELECT CASE WHEN a.words && asked THEN (SELECT count(*) FROM unnest(a.words) AS w (word) WHERE w.word = ANY (asked)) ELSE 0 END::double precision AS common
        ) AS o
    )
    SELECT f.subject, f.attribute, f.words, f.is_multiple, f.strength
    FROM fit AS f
    WHERE f.strength >= minimum AND f.strength >= nearness * (SELECT max(b.strength) FROM fit AS b)
    ORDER BY f.strength DESC, f.subject, f.attribute
    LIMIT depth;
END
$$;
COMMENT ON FUNCTION cognifold.asked_attributes(text, text[], text[], text[], boolean, jsonb) IS
    'The attributes (state_attribute) of the subjects that the spoken words, and asked, what attribute_words makes of them, ask for, with strength in [0, 1]: how well each fits. Internal: asked_state calls it.';
