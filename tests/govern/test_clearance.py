"""A clearance holds wherever a role can look: every function it may call, every table and view it may select from."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from psycopg import sql

from tests.conftest import Connection, make_role, value
from tests.govern.secretive import (
    CONFIDENCE,
    FULL_ROLE,
    PUBLIC_ROLE,
    SECRET,
    SHARED_ROLE,
    WRITING_ROLE,
    Secretive,
    called,
)

ASKED = "heating coil of the kiln, the debt at the bank, the recipe with cobalt, and where does Aisha live?"


def relations(connection: Connection) -> Iterator[tuple[str, bytes | sql.Composed]]:
    """A SELECT of all that the role may read of each table and view."""
    for schema, name, columns in connection.execute(
        """
        SELECT n.nspname, c.relname, array_agg(a.attname ORDER BY a.attnum)
        FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
        JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        WHERE n.nspname ~ '^cognifold' AND c.relkind IN ('r', 'p', 'v', 'm')
          AND c.relname NOT IN ('lexicon', 'affect_word')  -- large, and of no tenant
          AND has_schema_privilege(n.oid, 'USAGE') AND has_column_privilege(c.oid, a.attnum, 'SELECT')
        GROUP BY 1, 2 ORDER BY 1, 2
        """
    ).fetchall():
        listed = sql.SQL(", ").join(map(sql.Identifier, columns))
        yield name, sql.SQL("SELECT ROW({})::text FROM {}").format(listed, sql.Identifier(schema, name))


def functions(
    connection: Connection, tenant: str, node: str, other: str, *, first: bool
) -> Iterator[tuple[str, bytes | sql.Composed]]:
    """A call of each function that the role may call, with arguments that bring up as much as can be.

    Paths lead from the node to the other. Of further nodes than the first only of those that take a node.
    """
    given = {
        "text": ASKED,
        "integer": "50",
        "bigint": "1",
        "smallint": "1",
        "boolean": "true",
        "uuid": node,
        "uuid[]": f"{{{node}}}",
        "text[]": None,
        "jsonb": json.dumps({"operations": [{"op": "UPDATE_NODE", "node": node, "title": "taken"}]}),
        "double precision": "0",
        "timestamp with time zone": "2026-05-20T12:00:00Z",
        "interval": "1 day",
        "regclass": "pg_class",
        "double precision[]": "{1}",
        "real": "0",
    }
    named = {
        "tenant": tenant,
        "name": "desk",
        "consumer": "desk",
        "action": "archive",
        "known_at": None,
        "kind": "event",
        "model": None,
        "since": None,
        "until": None,
        "minimum_score": "0",
        "moment": "2026-05-20T12:00:00Z",
        "category": "problem",
        "role_name": FULL_ROLE,
        "levels": "{private,shared,public}",
        "k": "100",
        "time_zone": "UTC",
        "job": "retention",
        "query_embedding": None,
        "privacy_level": None,
        "memory_type": None,
        "seen": None,
        "ids": None,
        "rate": "episodic",
        "rule": "FREQ=DAILY",
        "role": "document",
        "status": "pending",
        "token_budget": "5000",
        "to_id": other,
        "other_id": None,
        "shape": "triangle",
        "hops": "3",
        "max_hops": "5",
        "engine": "sql",
        "subject": SECRET,
    }
    for oid, schema, name, kind, names, types in connection.execute(
        """
        SELECT p.oid, n.nspname, p.proname, p.prokind::text,
               ARRAY(SELECT coalesce(p.proargnames[t.place], '')
                     FROM unnest(p.proargtypes) WITH ORDINALITY AS t (type, place) ORDER BY t.place),
               ARRAY(SELECT format_type(t.type, NULL)
                     FROM unnest(p.proargtypes) WITH ORDINALITY AS t (type, place) ORDER BY t.place)
        FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
        WHERE n.nspname ~ '^cognifold' AND has_schema_privilege(n.oid, 'USAGE')
          AND has_function_privilege(p.oid, 'EXECUTE')
          AND p.prokind IN ('f', 'p') AND p.prorettype <> 'trigger'::regtype
        ORDER BY 2, 3
        """
    ).fetchall():
        if not first and not {"uuid", "uuid[]", "jsonb"} & set(types):
            continue
        arguments = [
            sql.SQL("{}::{}").format(
                sql.Literal(named[argument] if argument in named else given.get(type_)), sql.SQL(type_)
            )
            for argument, type_ in zip(names, types, strict=True)
        ]
        yield (
            f"{name}/{oid}",
            sql.SQL("CALL {}({})" if kind == "p" else "SELECT * FROM {}({})").format(
                sql.Identifier(schema, name), sql.SQL(", ").join(arguments)
            ),
        )


def everything(connection: Connection, secretive: Secretive, nodes: list[str]) -> dict[str, str]:
    """What each relation and each function shows, its errors included."""
    shown = {name: called(connection, statement)[0] for name, statement in relations(connection)}
    for place, node in enumerate(nodes):
        for name, statement in functions(connection, secretive.tenant, node, nodes[-1], first=place == 0):
            shown[name] = shown.get(name, "") + called(connection, statement)[0]
    return shown


def first_of(connection: Connection, secretive: Secretive, level: str) -> list[str]:
    """An event and a concept or intent of a level, where there is one."""
    return [
        str(row[0])
        for row in connection.execute(
            "SELECT DISTINCT ON (kind) id FROM cognifold.node WHERE tenant_id = %s AND privacy_level = %s "
            "ORDER BY kind, id",
            [secretive.tenant, level],
        )
    ]


@pytest.mark.parametrize(
    ("role", "level"), [(PUBLIC_ROLE, "public"), (SHARED_ROLE, "shared"), (WRITING_ROLE, "public")]
)
def test_nothing_that_a_role_may_call_or_select_shows_what_it_is_not_cleared_for(
    as_role: Callable[..., Connection], admin: Connection, secretive: Secretive, role: str, level: str
) -> None:
    hidden = secretive.hidden_from(level)
    private, seen = first_of(admin, secretive, "private"), first_of(admin, secretive, "public")
    words = [SECRET, CONFIDENCE] if level == "public" else [SECRET]

    shown = everything(as_role(role), secretive, [*private[:1], *seen])

    assert {name for name, text in shown.items() if any(word in text for word in words)} == set()
    # Nor an id of it, but where the id was the question.
    leaked = {name for name, text in shown.items() for node in hidden if node in text and node not in private[:1]}
    assert leaked == set()


def test_the_walk_would_find_what_is_private_in_many_places(
    as_role: Callable[..., Connection], admin: Connection, secretive: Secretive
) -> None:
    shown = everything(as_role(FULL_ROLE), secretive, first_of(admin, secretive, "private"))
    found = {name.split("/")[0] for name, text in shown.items() if SECRET in text}
    assert found >= {
        "event",
        "intent",
        "node",
        "node_content",
        "plan",
        "journal",
        "posting",
        "lexeme_frequency",
        "insight",
        "work",
        "annotation",
        "state_statement",
        "recall",
        "explain_recall",
        "context",
        "context_window",
        "explain",
        "history",
        "ranked_intents",
        "graph_neighbourhood",
        "graph_paths",
        "graph_pattern",
        "export_tenant",
    }


def test_who_sees_a_part_is_shown_that_part_by_verbs_and_views(
    as_role: Callable[..., Connection], secretive: Secretive
) -> None:
    public = as_role(PUBLIC_ROLE)
    said = {row[0] for row in public.execute("SELECT content FROM cognifold.event")}
    assert "The heating coil for the kiln was ordered from Delft" in said
    assert len(said) == 7
    found = public.execute("SELECT kind, content FROM cognifold.recall('heating coil of the kiln', 5)").fetchall()
    assert found[0][0] == "event"
    assert "heating coil" in found[0][1]
    assert "heating coil" in value(public, "SELECT text FROM cognifold.context('heating coil of the kiln')")
    assert value(public, "SELECT count(*) FROM cognifold.context_window(50)") > 7  # events, and concepts of them alone
    concept = value(public, "SELECT id FROM cognifold.concept ORDER BY id LIMIT 1")
    assert value(public, "SELECT count(*) FROM cognifold.explain(%s)", concept) > 1
    assert value(as_role(SHARED_ROLE), "SELECT count(*) FROM cognifold.event") == 9
    assert value(as_role(FULL_ROLE), "SELECT count(*) FROM cognifold.event") == 16


def test_candidates_are_sought_among_what_is_seen_and_not_filtered_afterwards(
    memory_of_one_secret_topic: str, connect: Callable[..., Connection], admin: Connection
) -> None:
    # Sixty private texts answer better than the one that is public; it is found all the same.
    reader = connect(memory_of_one_secret_topic)
    reader.execute("SET cognifold.clearance = 'public'")
    rows = reader.execute("SELECT title FROM cognifold.recall('violin concert in the cathedral', 3)").fetchall()
    assert rows == [("A violin was heard somewhere",)]


@pytest.fixture
def memory_of_one_secret_topic(connect: Callable[..., Connection], tenant: str) -> str:
    writer = connect(tenant)
    for number in range(60):
        writer.execute("SELECT cognifold.remember(%s)", [f"Violin concert number {number} in the cathedral"])
    writer.execute("SELECT cognifold.remember('A violin was heard somewhere', privacy_level => 'public')")
    writer.execute("SELECT count(*) FROM cognifold.fold(100)")
    return tenant


def test_a_verb_that_works_on_all_of_it_refuses_who_sees_a_part(
    as_role: Callable[..., Connection], secretive: Secretive
) -> None:
    speaker = as_role(WRITING_ROLE)
    node = value(speaker, "SELECT id FROM cognifold.concept ORDER BY id LIMIT 1")  # which it may see
    for refused in (
        "cognifold.fold(1)",
        "cognifold.consolidate()",
        "cognifold.check()",
        "cognifold.pagerank()",
        f"cognifold.graph_neighbourhood('{node}')",
        f"cognifold.graph_paths('{node}', '{node}')",
        f"cognifold.graph_pattern('triangle', '{node}')",
        "cognifold.export_tenant()",
        f"cognifold.forget(node_ids => '{{{node}}}')",
        "cognifold.set_retention('mine', '1 day', 'forget')",
    ):
        text, went = called(speaker, f"SELECT * FROM {refused}".encode())
        assert not went
        assert 'role "govern_speaker" sees only what is public of tenant' in text
        assert "set_clearance" in text
    text, went = called(speaker, b"SELECT * FROM cognifold.recall('kiln', known_at => '2026-05-10Z')")
    assert not went
    assert "journal" in text
    speaker.execute("SET cognifold.known_at = '2026-05-10T00:00:00Z'")
    assert not called(speaker, b"SELECT * FROM cognifold.concept")[1]


def test_who_sees_what_is_public_may_still_tell_the_memory_something(
    as_role: Callable[..., Connection], secretive: Secretive
) -> None:
    speaker = as_role(WRITING_ROLE)
    with speaker.transaction(force_rollback=True):
        event = value(speaker, "SELECT cognifold.remember('The kiln is on', privacy_level => 'public')")
        mine = value(speaker, "SELECT cognifold.remember('A word to nobody')")
        assert value(speaker, "SELECT array_agg(id) FROM cognifold.event WHERE id IN (%s, %s)", event, mine) == [event]


def test_the_setting_lowers_a_clearance_and_never_lifts_it(
    as_role: Callable[..., Connection], secretive: Secretive
) -> None:
    full, public = as_role(FULL_ROLE), as_role(PUBLIC_ROLE)
    full.execute("SET cognifold.clearance = 'shared'")
    assert value(full, "SELECT cognifold.clearance()") == "shared"
    assert value(full, "SELECT count(*) FROM cognifold.event") == 9
    assert SECRET not in called(full, b"SELECT * FROM cognifold.recall('the debt at the bank', 100)")[0]
    full.execute("RESET cognifold.clearance")
    assert SECRET in called(full, b"SELECT * FROM cognifold.recall('the debt at the bank', 100)")[0]
    assert value(full, "SELECT count(*) FROM cognifold.event") == 16
    public.execute("SET cognifold.clearance = 'private'")
    assert value(public, "SELECT cognifold.clearance()") == "public"
    public.execute("SET cognifold.clearance = 'secret'")
    text, went = called(public, b"SELECT * FROM cognifold.recall('kiln')")
    assert not went
    assert "'secret' is not one of private, shared, public" in text


def test_a_session_that_lowers_itself_without_the_profile_sees_its_part_by_verbs_and_nothing_in_views(
    connection: Connection,
) -> None:
    connection.execute("SELECT cognifold.remember('The gate was painted', privacy_level => 'public')")
    connection.execute("SET cognifold.clearance = 'public'")
    assert connection.execute("SELECT title FROM cognifold.recall('gate')").fetchall() == [("The gate was painted",)]
    assert connection.execute("SELECT title FROM cognifold.event").fetchall() == []


def test_a_role_without_a_row_has_the_clearance_of_public_and_becoming_another_lifts_nothing(
    connect: Callable[..., Connection], admin: Connection, tenant: str
) -> None:
    admin.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
    make_role(admin, "govern_guest", "cognifold_reader", "cognifold_multitenant")
    admin.execute("GRANT test_writer TO govern_guest")
    writer, guest = connect(tenant), connect(tenant, user="govern_guest")
    writer.execute("SELECT cognifold.remember('Only among us')")
    assert value(guest, "SELECT count(*) FROM cognifold.event") == 1
    admin.execute(
        "SELECT cognifold.set_clearance('public', 'shared'), cognifold.set_clearance('test_writer', 'private')"
    )
    assert value(guest, "SELECT cognifold.clearance()") == "shared"
    assert value(guest, "SELECT count(*) FROM cognifold.event") == 0
    assert value(writer, "SELECT count(*) FROM cognifold.event") == 1
    guest.execute("SET ROLE test_writer")
    assert value(guest, "SELECT cognifold.clearance()") == "shared"
    admin.execute("SELECT cognifold.set_clearance('public', NULL)")
    assert value(guest, "SELECT cognifold.clearance()") == "private"
    admin.execute("DROP ROLE govern_guest")
