"""Every verb as a call, for tests that ask all of them the same question."""

from __future__ import annotations

from dataclasses import dataclass

from tests.conftest import Connection

# These take a tenant and are no verbs: create_tenant makes one; the others are parts of verbs and views that read under
# the caller's own row-level security, and so know of the tenant that is set or of none.
HELPERS = {
    "create_tenant", "setting", "settings", "decay_integral", "tenant_permitted", "query_terms", "embed",
    "images_since", "edges_at", "nodes_at", "concepts_at", "intents_at", "insights_at", "actions_at",
    "clearance", "is_cleared", "category_theta", "category_weight", "category_acceptance",
}  # fmt: skip


@dataclass(frozen=True)
class Verb:
    """A verb of the catalog, as a call with NULL for whatever it needs: enough to be refused for its tenant."""

    name: str
    bare: bytes  # the tenant that is set
    scoped: bytes  # the tenant of the parameter ``tenant``


def verbs(connection: Connection) -> list[Verb]:
    """All that a writer may call and that takes a tenant, but for the helpers: also those yet to be written."""
    rows = connection.execute(
        """
        SELECT p.proname, CASE p.prokind WHEN 'p' THEN 'CALL ' ELSE 'SELECT * FROM ' END,
               ARRAY(SELECT 'NULL::' || format_type(t.type, NULL)
                     FROM unnest(p.proargtypes) WITH ORDINALITY AS t (type, place)
                     WHERE t.place <= p.pronargs - p.pronargdefaults ORDER BY t.place)
        FROM pg_proc AS p
        WHERE p.pronamespace = 'cognifold'::regnamespace AND 'tenant' = ANY (p.proargnames)
          AND has_function_privilege('cognifold_writer', p.oid, 'EXECUTE') AND p.proname <> ALL (%s)
        ORDER BY 1
        """,
        [list(HELPERS)],
    ).fetchall()
    return [
        Verb(
            name,
            f"{keyword}cognifold.{name}({', '.join(needed)})".encode(),
            f"{keyword}cognifold.{name}({', '.join([*needed, 'tenant => %(tenant)s'])})".encode(),
        )
        for name, keyword, needed in rows
    ]


# Verbs that succeed where %(event)s is the id of an event of the tenant that waits to be folded, %(plan)s a plan of it;
# {} takes the tenant.
CALLS = {
    "remember": "SELECT cognifold.remember('the kiln was fired'{})",
    "remember_many": """SELECT cognifold.remember_many('[{{"content": "the kiln cooled"}}]'{})""",
    "fold": "SELECT * FROM cognifold.fold(1{})",
    "fold_all": "CALL cognifold.fold_all(NULL{})",
    "propose": "SELECT cognifold.propose(%(event)s{})",
    "apply_plan": """SELECT cognifold.apply_plan('{{"operations": []}}'{})""",
    "undo_plan": "SELECT cognifold.undo_plan(%(plan)s, false{})",
    "history": "SELECT * FROM cognifold.history(%(event)s{})",
    "plan": "SELECT cognifold.plan(%(plan)s{})",
    "retry": "SELECT cognifold.retry(NULL{})",
    "claim_folds": "SELECT * FROM cognifold.claim_folds(1, NULL, NULL{})",
    "fold_request": "SELECT cognifold.fold_request(ARRAY[%(event)s]::uuid[]{})",
    "apply_claimed": """SELECT cognifold.apply_claimed(ARRAY[c.event_id], c.fence, '{{"operations": []}}', NULL{0})
                        FROM cognifold.claim_folds(1{0}) AS c""",
    "fold_claimed": "SELECT cognifold.fold_claimed(c.event_id, c.fence, NULL{0}) FROM cognifold.claim_folds(1{0}) AS c",
    "fail_claimed": "SELECT cognifold.fail_claimed(ARRAY[%(event)s]::uuid[], 1, 'failed', 'X', 'x', NULL{})",
    "release_claimed": "SELECT cognifold.release_claimed(ARRAY[%(event)s]::uuid[], 1{})",
    "awaiting_embedding": "SELECT * FROM cognifold.awaiting_embedding(1{})",
    "store_embedding": "SELECT cognifold.store_embedding(%(event)s, cognifold.embed('kiln'), 'lexicon'{})",
    "fold_without_embedding": "SELECT cognifold.fold_without_embedding(%(event)s{})",
    "index_vectors": "SELECT cognifold.index_vectors(10{})",
    "reembed": "SELECT cognifold.reembed('all-MiniLM-L6-v2'{})",
    "awaiting_reembedding": "SELECT * FROM cognifold.awaiting_reembedding(1{})",
    "store_reembedded": """SELECT cognifold.store_reembedded('{{}}', '{{}}', 'all-MiniLM-L6-v2'{0})
                           FROM cognifold.reembed('all-MiniLM-L6-v2'{0})""",
    "reembed_batch": "SELECT cognifold.reembed_batch(10{})",
    "abandon_reembedding": "SELECT cognifold.abandon_reembedding({})",
    "recall": "SELECT * FROM cognifold.recall('kiln'{})",
    "note_recall": "SELECT cognifold.note_recall(ARRAY[%(event)s]::uuid[]{})",
    "count_recalls": "SELECT cognifold.count_recalls(NULL{})",
    "explain_recall": "SELECT * FROM cognifold.explain_recall('kiln'{})",
    "context": "SELECT * FROM cognifold.context('kiln'{})",
    "consolidate": "SELECT cognifold.consolidate(NULL{})",
    "consolidate_step": "SELECT cognifold.consolidate_step(NULL{})",
    "consolidate_all": "CALL cognifold.consolidate_all(NULL{})",
    "context_window": "SELECT * FROM cognifold.context_window(10, NULL{})",
    "emit_intents": "SELECT * FROM cognifold.emit_intents(NULL{})",
    "create_consumer": "SELECT cognifold.create_consumer('app'{})",
    "take_deliveries": """SELECT t.* FROM cognifold.create_consumer('app'{0}) AS c
                          CROSS JOIN LATERAL
                              cognifold.take_deliveries(CASE WHEN c IS NOT NULL THEN 'app' END{0}) AS t""",
    "drop_consumer": "SELECT cognifold.drop_consumer('app'{})",
    "note_alarms": "SELECT cognifold.note_alarms({})",
    "purge_outbox": "SELECT cognifold.purge_outbox(NULL{})",
    "ranked_intents": "SELECT * FROM cognifold.ranked_intents(10, NULL{})",
    "refresh_ranks": "SELECT cognifold.refresh_ranks(false{})",
    "pagerank": "SELECT * FROM cognifold.pagerank(NULL{})",
    "graph_paths": "SELECT * FROM cognifold.graph_paths(%(event)s, %(event)s{})",
    "graph_neighbourhood": "SELECT * FROM cognifold.graph_neighbourhood(%(event)s{})",
    "graph_pattern": "SELECT * FROM cognifold.graph_pattern('chain', %(event)s{})",
    "explain": "SELECT * FROM cognifold.explain(%(event)s, NULL{})",
    "check": "SELECT * FROM cognifold.check({})",
    "set_setting": "SELECT cognifold.set_setting('fold.related', 2{})",
    "set_decay": "SELECT cognifold.set_decay('episodic', 0.01, pg_catalog.clock_timestamp() + interval '99 years'{})",
}


# Procedures that commit: no transaction can be around them.
COMMITTING = {"fold_all", "consolidate_all"}


def call(verb: str, *, with_tenant: bool = False) -> bytes:
    """The statement that calls a verb; with the parameter ``tenant`` as its argument, or without."""
    further = "tenant => %(tenant)s" if with_tenant else ""
    return (
        CALLS[verb]
        .format(f", {further}" if further and verb not in ("check", "abandon_reembedding", "note_alarms") else further)
        .encode()
    )
