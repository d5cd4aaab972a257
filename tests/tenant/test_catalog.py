"""What the catalog must say of every table and function, also of those that are yet to come."""

from __future__ import annotations

import re

from tests.conftest import Connection
from tests.golden import assert_golden

ROLES = (
    "reader", "writer", "governor", "worker", "monitor", "auditor", "dispatch", "multitenant", "clock",
    "partial", "cleared",
)  # fmt: skip
# Tables with rows that are seen by a clearance that is not private; of the second only by verbs.
PARTLY_SEEN = {
    "annotation", "concept_lexeme", "concept_state", "cue_reading", "decay_clock", "embedding", "folded_event",
    "graph_edge", "intent_action_state", "intent_assessment", "intent_feedback", "intent_state", "intent_transition",
    "lexical_document", "mention", "node", "node_content", "node_rank", "node_state", "posting", "setting",
    "state_statement", "tenant", "vector_index", "vector_tail", "work",
}  # fmt: skip
READ_BY_VERBS = {
    "actor_frequency", "actor_name", "archived_content", "embedding_statistics", "lexeme_frequency",
    "lexical_statistics", "state_attribute", "vector_count",
}  # fmt: skip


def rows(connection: Connection, query: str) -> list[tuple[object, ...]]:
    return connection.execute(query.encode()).fetchall()


def test_row_level_security_is_on_and_forced_with_a_policy_on_every_table_with_a_tenant(admin: Connection) -> None:
    tables = rows(
        admin,
        """
        SELECT c.relname, c.relrowsecurity, c.relforcerowsecurity,
               ARRAY(SELECT p.polname::text FROM pg_policy AS p WHERE p.polrelid = c.oid ORDER BY 1)
        FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
        WHERE c.relnamespace = 'cognifold'::regnamespace AND c.relkind IN ('r', 'p')
        ORDER BY 1
        """,
    )
    assert len(tables) > 20
    for name, enabled, forced, policies in tables:
        expected = {
            "tenant": ["dispatch", "readers", "verbs"],
            "tenant_member": ["verbs"],
            "clearance": ["verbs"],
            "audit_read": ["auditors", "readers", "verbs"],
            "node": ["auditors", "readers", "verbs"],
            "plan": ["auditors", "readers", "verbs"],
            "work": ["dispatch", "monitor", "readers", "verbs"],
            "schedule": ["dispatch", "readers", "verbs"],
            "job_run": ["dispatch", "readers", "verbs"],
            "lexical_statistics": ["monitor", "readers", "verbs"],
            "delivery": ["dispatch", "readers", "verbs"],
            "intent_alarm": ["dispatch", "readers", "verbs"],
            "outbox_consumer": ["dispatch", "readers", "verbs"],
            "outbox_head": ["dispatch", "readers", "verbs"],
            "webhook": ["dispatch", "readers", "verbs"],
        }.get(str(name), ["readers", "verbs"])
        partly = ["cleared", "partial"] if name in PARTLY_SEEN else ["cleared"] if name in READ_BY_VERBS else []
        assert (enabled, forced, policies) == (True, True, sorted(expected + partly)), name


def test_a_policy_compares_the_tenant_and_a_readers_policy_asks_whether_the_role_may(admin: Connection) -> None:
    policies = rows(
        admin,
        """
        SELECT c.relname, p.polname, pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)
        FROM pg_policy AS p JOIN pg_class AS c ON c.oid = p.polrelid
        WHERE c.relnamespace = 'cognifold'::regnamespace AND p.polname IN ('readers', 'verbs')
          AND c.relname NOT IN ('tenant_member', 'clearance')
        """,
    )
    for table, policy, using, check in policies:
        assert "(tenant_id = cognifold.current_tenant())" in str(using), table
        assert check is None, table  # then what is written is checked by the same expression
        assert ("permitted_tenant" in str(using)) == (policy == "readers"), table


def test_every_key_foreign_key_and_index_of_a_tenants_table_begins_with_the_tenant(admin: Connection) -> None:
    wrong = rows(
        admin,
        """
        SELECT i.indexrelid::regclass::text
        FROM pg_index AS i
        JOIN pg_class AS c ON c.oid = i.indrelid AND c.relnamespace = 'cognifold'::regnamespace
        JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
        JOIN pg_class AS x ON x.oid = i.indexrelid
        JOIN pg_am AS m ON m.oid = x.relam AND m.amname <> 'hnsw'  -- there tenants lie apart otherwise
        WHERE i.indkey[0] <> a.attnum AND c.relname <> 'tenant_member'
        UNION ALL
        SELECT f.conname FROM pg_constraint AS f
        JOIN pg_attribute AS a ON a.attrelid = f.conrelid AND a.attname = 'tenant_id'
        JOIN pg_attribute AS b ON b.attrelid = f.confrelid AND b.attname = 'tenant_id'
        WHERE f.contype = 'f' AND f.connamespace = 'cognifold'::regnamespace AND f.conkey[1] <> a.attnum
        """,
    )
    assert wrong == []


def test_no_role_but_the_owner_may_write_a_table_or_own_an_object(admin: Connection) -> None:
    writable = rows(
        admin,
        """
        SELECT c.relname, g.grantee::regrole, g.privilege_type
        FROM pg_class AS c CROSS JOIN LATERAL aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) AS g
        WHERE c.relnamespace = 'cognifold'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'S')
          AND g.privilege_type <> 'SELECT' AND g.grantee <> 'cognifold_owner'::regrole
        UNION ALL
        SELECT c.relname || '.' || a.attname, g.grantee::regrole, g.privilege_type
        FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid CROSS JOIN LATERAL aclexplode(a.attacl) AS g
        WHERE c.relnamespace = 'cognifold'::regnamespace AND g.privilege_type <> 'SELECT'
          AND g.grantee <> 'cognifold_owner'::regrole
        """,
    )
    assert writable == []
    owners = rows(
        admin,
        """
        SELECT o.name, o.owner::regrole::text FROM (
            SELECT c.relname, c.relowner FROM pg_class AS c WHERE c.relnamespace = 'cognifold'::regnamespace
            UNION ALL
            SELECT p.proname, p.proowner FROM pg_proc AS p WHERE p.pronamespace = 'cognifold'::regnamespace
        ) AS o (name, owner)
        WHERE o.owner <> 'cognifold_owner'::regrole
        """,
    )
    assert sorted(owners) == [
        ("all_tenants", "cognifold_dispatch"),
        ("cleared_context", "cognifold_cleared"),
        ("cleared_context_window", "cognifold_cleared"),
        ("cleared_explain", "cognifold_cleared"),
        ("cleared_explain_recall", "cognifold_cleared"),
        ("cleared_ranked_intents", "cognifold_cleared"),
        ("cleared_recall", "cognifold_cleared"),
        ("schedules_due", "cognifold_dispatch"),
        ("schedules_missing", "cognifold_dispatch"),
        ("tenants_with_work", "cognifold_dispatch"),
        ("waiting_captures", "cognifold_dispatch"),
        ("webhooks_due", "cognifold_dispatch"),
    ]


def test_the_houses_roles_are_what_they_are_for_and_no_more(admin: Connection) -> None:
    powers = rows(
        admin,
        """
        SELECT rolname FROM pg_roles
        WHERE rolname ~ '^cognifold_'
          AND (rolcanlogin OR rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls)
        """,
    )
    assert powers == []
    memberships = rows(
        admin,
        """
        SELECT m.member::regrole::text, m.roleid::regrole::text, m.inherit_option FROM pg_auth_members AS m
        WHERE m.member::regrole::text ~ '^cognifold_' AND m.roleid::regrole::text ~ '^cognifold_' ORDER BY 1, 2
        """,
    )
    assert memberships == [
        ("cognifold_governor", "cognifold_reader", True),
        ("cognifold_owner", "cognifold_cleared", False),
        ("cognifold_owner", "cognifold_dispatch", False),
        ("cognifold_owner", "cognifold_nobody", False),
        ("cognifold_worker", "cognifold_multitenant", True),
        ("cognifold_worker", "cognifold_writer", True),
        ("cognifold_writer", "cognifold_reader", True),
    ]


def matrix(connection: Connection, heading: str, query: str) -> str:
    """A table of text: a line an object, a column a role (PUBLIC last), what it may do there."""
    found: dict[str, dict[str, str]] = {}
    for name, role, may in connection.execute(query.encode(), {"roles": list(ROLES)}):
        found.setdefault(name, {})[role] = may
    lines: list[tuple[str, ...]] = [(heading, *ROLES, "public")]
    lines += [(name, *(may.get(role, "") or "." for role in (*ROLES, "public"))) for name, may in sorted(found.items())]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )


def listing(connection: Connection, heading: str, query: str) -> str:
    """A heading and a line each, or that there is none."""
    lines = [str(row[0]) for row in connection.execute(query.encode())]
    return "\n".join([heading, *(lines or ["none"])])


def test_who_may_call_and_read_what_is_as_the_golden_file_says(admin: Connection) -> None:
    functions = matrix(
        admin,
        "function",
        """
        SELECT p.proname || '(' || (SELECT coalesce(string_agg(format_type(t.type, NULL), ', ' ORDER BY t.place), '')
                                    FROM unnest(p.proargtypes) WITH ORDINALITY AS t (type, place)) || ')',
               r.role,
               CASE WHEN has_function_privilege('cognifold_' || r.role, p.oid, 'EXECUTE') THEN 'call' ELSE '' END
        FROM pg_proc AS p CROSS JOIN unnest(%(roles)s::text[]) AS r (role)
        WHERE p.pronamespace = 'cognifold'::regnamespace
        UNION ALL
        SELECT p.proname || '(' || (SELECT coalesce(string_agg(format_type(t.type, NULL), ', ' ORDER BY t.place), '')
                                    FROM unnest(p.proargtypes) WITH ORDINALITY AS t (type, place)) || ')',
               'public', CASE WHEN EXISTS (SELECT FROM aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) AS g
                                           WHERE g.grantee = 0) THEN 'call' ELSE '' END
        FROM pg_proc AS p WHERE p.pronamespace = 'cognifold'::regnamespace
        """,
    )
    relations = matrix(
        admin,
        "table or view",
        """
        SELECT c.relname, r.role,
               CASE WHEN has_table_privilege('cognifold_' || r.role, c.oid, 'SELECT') THEN 'read'
                    WHEN has_any_column_privilege('cognifold_' || r.role, c.oid, 'SELECT') THEN 'some' ELSE '' END
        FROM pg_class AS c CROSS JOIN unnest(%(roles)s::text[]) AS r (role)
        WHERE c.relnamespace = 'cognifold'::regnamespace AND c.relkind IN ('r', 'p', 'v')
        UNION ALL
        SELECT c.relname, 'public',
               CASE WHEN EXISTS (SELECT FROM aclexplode(c.relacl) AS g WHERE g.grantee = 0) THEN 'read' ELSE '' END
        FROM pg_class AS c WHERE c.relnamespace = 'cognifold'::regnamespace AND c.relkind IN ('r', 'p', 'v')
        """,
    )
    sequences = matrix(
        admin,
        "sequence",
        """
        SELECT n.nspname || '.' || c.relname, r.role,
               concat_ws(' ', CASE WHEN has_sequence_privilege(r.name, c.oid, 'USAGE') THEN 'use' END,
                              CASE WHEN has_sequence_privilege(r.name, c.oid, 'SELECT') THEN 'read' END,
                              CASE WHEN has_sequence_privilege(r.name, c.oid, 'UPDATE') THEN 'set' END)
        FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
        CROSS JOIN (SELECT w.role, 'cognifold_' || w.role AS name FROM unnest(%(roles)s::text[]) AS w (role)) AS r
        WHERE n.nspname IN ('cognifold', 'cognifold_watch') AND c.relkind = 'S'
        UNION ALL
        SELECT n.nspname || '.' || c.relname, 'public',
               CASE WHEN EXISTS (SELECT FROM aclexplode(c.relacl) AS g WHERE g.grantee = 0) THEN 'some' ELSE '' END
        FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
        WHERE n.nspname IN ('cognifold', 'cognifold_watch') AND c.relkind = 'S'
        """,
    )
    schemas = matrix(
        admin,
        "schema",
        """
        SELECT n.nspname, r.role,
               concat_ws(' ', CASE WHEN has_schema_privilege(r.name, n.oid, 'USAGE') THEN 'use' END,
                              CASE WHEN has_schema_privilege(r.name, n.oid, 'CREATE') THEN 'create' END)
        FROM pg_namespace AS n
        CROSS JOIN (SELECT w.role, 'cognifold_' || w.role AS name FROM unnest(%(roles)s::text[]) AS w (role)) AS r
        WHERE n.nspname IN ('cognifold', 'cognifold_watch')
        UNION ALL
        SELECT n.nspname, 'public',
               coalesce((SELECT string_agg(lower(g.privilege_type), ' ') FROM aclexplode(n.nspacl) AS g
                         WHERE g.grantee = 0), '')
        FROM pg_namespace AS n WHERE n.nspname IN ('cognifold', 'cognifold_watch')
        """,
    )
    others = matrix(
        admin,
        "table of cognifold_watch",
        """
        SELECT c.relname, r.role,
               concat_ws(' ', CASE WHEN has_table_privilege(r.name, c.oid, 'SELECT') THEN 'read' END,
                              CASE WHEN has_any_column_privilege(r.name, c.oid, 'INSERT') THEN 'add' END,
                              CASE WHEN has_table_privilege(r.name, c.oid, 'UPDATE, DELETE') THEN 'change' END)
        FROM pg_class AS c
        CROSS JOIN (SELECT w.role, 'cognifold_' || w.role AS name FROM unnest(%(roles)s::text[]) AS w (role)) AS r
        WHERE c.relnamespace = 'cognifold_watch'::regnamespace AND c.relkind IN ('r', 'p', 'v')
        UNION ALL
        SELECT c.relname, 'public',
               coalesce((SELECT string_agg(DISTINCT lower(g.privilege_type), ' ') FROM aclexplode(c.relacl) AS g
                         WHERE g.grantee = 0), '')
        FROM pg_class AS c WHERE c.relnamespace = 'cognifold_watch'::regnamespace AND c.relkind IN ('r', 'p', 'v')
        """,
    )
    columns = listing(
        admin,
        "granted by column",
        """
        SELECT c.relname || '.' || a.attname || ': ' || lower(g.privilege_type) || ' to '
               || coalesce(NULLIF(g.grantee, 0)::regrole::text, 'public')
        FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
        JOIN pg_namespace AS n ON n.oid = c.relnamespace CROSS JOIN LATERAL aclexplode(a.attacl) AS g
        WHERE n.nspname IN ('cognifold', 'cognifold_watch') ORDER BY 1
        """,
    )
    defaults = listing(
        admin,
        "default privileges",
        """
        SELECT format('%s in %s, %s: %s', d.defaclrole::regrole, coalesce(n.nspname, 'any schema'), d.defaclobjtype,
                      d.defaclacl)
        FROM pg_default_acl AS d LEFT JOIN pg_namespace AS n ON n.oid = d.defaclnamespace
        WHERE d.defaclrole::regrole::text ~ '^cognifold_' OR n.nspname IN ('cognifold', 'cognifold_watch') ORDER BY 1
        """,
    )
    assert_golden(
        "privileges.txt",
        "\n\n".join((functions, relations, others, sequences, schemas, columns, defaults)) + "\n",
    )


# Names that look like calls and are none, or are part of the grammar, so that no schema can shadow them.
GRAMMAR = {
    "and", "any", "array", "as", "between", "case", "coalesce", "else", "exists", "extract", "from", "greatest", "in",
    "join", "lateral", "least", "not", "nullif", "on", "or", "over", "select", "then", "using", "values", "when",
    "where", "with",
}  # fmt: skip


def test_a_function_pins_its_search_path_or_is_a_helper_to_be_inlined_that_qualifies_what_it_calls(
    admin: Connection,
) -> None:
    unpinned = rows(
        admin,
        """
        SELECT p.oid::regprocedure::text, p.prosrc, l.lanname, p.prosecdef, p.prokind::text
        FROM pg_proc AS p JOIN pg_language AS l ON l.oid = p.prolang
        WHERE p.pronamespace = 'cognifold'::regnamespace
          AND NOT EXISTS (SELECT FROM unnest(p.proconfig) AS c
                          WHERE c ~ '^search_path=pg_catalog, cognifold, .*, pg_temp$')
        """,
    )
    loose = {}
    for name, body, language, definer, kind in unpinned:
        assert not definer, name
        if kind == "a":
            continue  # an aggregate has no body
        if str(name).startswith("cognifold.nearest_"):
            continue  # statements of near_vectors, which pins: what they call of pgvector may be in any schema
        if str(name).startswith(("cognifold.fold_all(", "cognifold.consolidate_all(", "cognifold.work(")):
            assert kind == "p"  # they commit, which PostgreSQL allows without a SET clause only
        else:
            assert language == "sql", name
        text = re.sub(r"--.*|'(?:[^']|'')*'", "", str(body))
        aliases = set(re.findall(r"\bAS (\w+) \(", text)) | set(re.findall(r"\b(\w+) \((?:[\w, ]+)\) AS ", text))
        called = {match.lower() for match in re.findall(r'(?<![\w."])([A-Za-z_]\w*)\s*\(', text)}
        if unqualified := called - GRAMMAR - {alias.lower() for alias in aliases}:
            loose[name] = unqualified
    assert loose == {}


def test_every_view_reads_with_its_readers_rights_and_is_a_barrier(admin: Connection) -> None:
    views = rows(
        admin,
        """
        SELECT c.relname FROM pg_class AS c
        CROSS JOIN LATERAL (   -- a view of nothing but a function has no rows to hide
            SELECT ARRAY['security_invoker=true'] || CASE WHEN EXISTS (
                SELECT FROM pg_depend AS d JOIN pg_rewrite AS r ON r.oid = d.objid AND r.ev_class = c.oid
                WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid <> c.oid
            ) THEN ARRAY['security_barrier=true'] ELSE '{}'::text[] END
        ) AS needed (options)
        WHERE c.relnamespace = 'cognifold'::regnamespace AND c.relkind = 'v'
          AND NOT coalesce(c.reloptions @> needed.options, false)
          AND NOT (c.relname = 'node_text' AND c.reloptions = '{security_invoker=true}')  -- hides no row of its tables
        """,
    )
    assert views == []
