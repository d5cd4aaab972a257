"""Every verb as one call, for tests that ask all of them the same question."""

from __future__ import annotations

# Each succeeds where %(event)s is the id of an event of the tenant; {} takes the tenant argument.
CALLS = {
    "remember": "SELECT cognifold.remember('the kiln was fired'{})",
    "remember_many": """SELECT cognifold.remember_many('[{{"content": "the kiln cooled"}}]'{})""",
    "fold": "SELECT * FROM cognifold.fold(1{})",
    "fold_all": "CALL cognifold.fold_all(NULL{})",
    "propose": "SELECT cognifold.propose(%(event)s{})",
    "apply_plan": """SELECT cognifold.apply_plan('{{"operations": []}}'{})""",
    "retry": "SELECT cognifold.retry(NULL{})",
    "awaiting_embedding": "SELECT * FROM cognifold.awaiting_embedding(1{})",
    "store_embedding": "SELECT cognifold.store_embedding(%(event)s, cognifold.embed('kiln'), 'lexicon'{})",
    "fold_without_embedding": "SELECT cognifold.fold_without_embedding(%(event)s{})",
    "recall": "SELECT * FROM cognifold.recall('kiln'{})",
    "consolidate": "SELECT cognifold.consolidate(NULL{})",
    "context_window": "SELECT * FROM cognifold.context_window(10, NULL{})",
    "pagerank": "SELECT * FROM cognifold.pagerank(NULL{})",
    "explain": "SELECT * FROM cognifold.explain(%(event)s, NULL{})",
    "check": "SELECT * FROM cognifold.check({})",
    "set_setting": "SELECT cognifold.set_setting('fold.related', 2{})",
    "set_decay": "SELECT cognifold.set_decay('episodic', 0.01, pg_catalog.clock_timestamp() + interval '99 years'{})",
}
VERBS = sorted(CALLS)

# These take a tenant and are no verbs: create_tenant makes one; the others are parts of verbs and views that read under
# the caller's own row-level security, and so know of the tenant that is set or of none.
HELPERS = {"create_tenant", "setting", "settings", "decay_integral", "tenant_permitted", "query_terms", "embed"}


def call(verb: str, *, with_tenant: bool = False) -> bytes:
    """The statement that calls a verb; with the parameter ``tenant`` as its argument, or without."""
    further = "tenant => %(tenant)s" if with_tenant else ""
    return CALLS[verb].format(f", {further}" if further and verb != "check" else further).encode()
