-- node_text: what every node says, wherever it lies: the one way to read texts, payloads and media.
--
-- CASE: where a text is hot, which it is but for archived events, nothing but node_content is looked at. (No security barrier:
-- it would keep the planner from looking up single nodes; those who may read it read under row-level security.)
CREATE OR REPLACE VIEW cognifold.node_text WITH (security_invoker = true) AS
SELECT c.tenant_id, c.node_id,
       CASE WHEN c.pack_id IS NULL THEN c.content
            ELSE (SELECT a.contents[c.pack_place] FROM cognifold.archived_content AS a WHERE a.tenant_id = c.tenant_id AND a.pack_id = c.pack_id) END AS content,
       CASE WHEN c.pack_id IS NULL THEN c.payload
            ELSE (SELECT a.payloads[c.pack_place] FROM cognifold.archived_content AS a WHERE a.tenant_id = c.tenant_id AND a.pack_id = c.pack_id) END AS payload,
       CASE WHEN c.pack_id IS NULL THEN c.media
            ELSE (SELECT a.media[c.pack_place] FROM cognifold.archived_content AS a WHERE a.tenant_id = c.tenant_id AND a.pack_id = c.pack_id) END AS media
FROM cognifold.node_content AS c;
COMMENT ON VIEW cognifold.node_text IS 'The text, payload and media of every node, verbatim, whether they lie in node_content or, of an archived event, in archived_content.';
