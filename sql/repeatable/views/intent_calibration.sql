-- intent_calibration: how well each category's bar suits what people answer.
CREATE OR REPLACE VIEW cognifold.intent_calibration WITH (security_invoker = true, security_barrier = true) AS
SELECT t.tenant_id, c.category, coalesce(e.emitted, 0) AS emitted, coalesce(e.accepted, 0) AS accepted,
       coalesce(f.answers, 0) AS answers, coalesce(f.accept, 0) AS accept, coalesce(f.modify, 0) AS modify, coalesce(f.defer, 0) AS defer,
       coalesce(f.reject, 0) AS reject, (f.accept + f.modify)::double precision / NULLIF(f.answers, 0) AS acceptance_rate, a.acceptance,
       cognifold.category_weight(cognifold.current_tenant(), c.category, cognifold.now()) AS w,
       cognifold.category_theta(cognifold.current_tenant(), c.category, cognifold.now()) AS theta, f.last_answer
FROM cognifold.tenant AS t   -- a row the reader may see, or none
CROSS JOIN cognifold.intent_category AS c
JOIN cognifold.category_acceptance(cognifold.current_tenant(), cognifold.now()) AS a ON a.category = c.category
LEFT JOIN (
    SELECT f.category, count(*) AS answers, count(*) FILTER (WHERE f.answer = 'accept') AS accept, count(*) FILTER (WHERE f.answer = 'modify') AS modify,
           count(*) FILTER (WHERE f.answer = 'defer') AS defer, count(*) FILTER (WHERE f.answer = 'reject') AS reject, max(f.at) AS last_answer
    FROM cognifold.intent_feedback AS f
    WHERE f.tenant_id = cognifold.current_tenant() AND f.at <= cognifold.now()
    GROUP BY f.category
) AS f ON f.category = c.category
LEFT JOIN (
    SELECT s.category, count(*) AS emitted,
           count(*) FILTER (WHERE EXISTS (SELECT FROM cognifold.intent_feedback AS f
                                          WHERE f.tenant_id = s.tenant_id AND f.node_id = s.node_id AND f.answer IN ('accept', 'modify')
                                            AND f.at <= cognifold.now())) AS accepted
    FROM cognifold.intent_state AS s
    JOIN cognifold.node AS n ON n.tenant_id = s.tenant_id AND n.id = s.node_id AND n.occurred_at <= cognifold.now()
    WHERE s.tenant_id = cognifold.current_tenant() AND s.readiness IS NOT NULL
    GROUP BY s.category
) AS e ON e.category = c.category
WHERE t.tenant_id = cognifold.current_tenant() AND cognifold.known_at() IS NULL;
COMMENT ON VIEW cognifold.intent_calibration IS 'For each category: what was emitted, what people said, and where that has put the bar, at the memory''s clock. A bar that suits has an acceptance_rate well above none and emissions at all; one that is too low is rejected often, one too high emits nothing. Empty where cognifold.known_at is set.';
COMMENT ON COLUMN cognifold.intent_calibration.emitted IS 'Intents that the memory emitted (those a user''s plan stated are not counted).';
COMMENT ON COLUMN cognifold.intent_calibration.accepted IS 'Those of them that were accepted, also with changes, at any time.';
COMMENT ON COLUMN cognifold.intent_calibration.answers IS 'Answers of the four kinds that move the bar; an intent may have several.';
COMMENT ON COLUMN cognifold.intent_calibration.acceptance_rate IS '(accept + modify) / answers, [0, 1]; NULL before the first answer.';
COMMENT ON COLUMN cognifold.intent_calibration.acceptance IS 'The chance that the next is welcome, leaning on intent.acceptance while answers are few (see ranked_intents).';
COMMENT ON COLUMN cognifold.intent_calibration.w IS 'The moving average of the answers, relaxed to the memory''s clock (see theta).';
COMMENT ON COLUMN cognifold.intent_calibration.theta IS 'The bar, clamp(intent.theta / w).';
COMMENT ON COLUMN cognifold.intent_calibration.last_answer IS 'When the last of them was given.';
