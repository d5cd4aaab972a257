"""What holds, what held until when, and what recall makes of it."""

from __future__ import annotations

from typing import Any

import pytest

from cognifold_pg.client import Memory
from tests.conftest import Connection, at, value

NOW = "2026-06-01T12:00:00+00:00"


@pytest.fixture
def admin(admin: Connection, tenant: str) -> Connection:
    """A superuser in the test's tenant: statements are no verb of their own."""
    admin.execute(
        "SELECT set_config('cognifold.tenant', %s, false), set_config('cognifold.now', %s, false)", [tenant, NOW]
    )
    return admin


def tell(connection: Connection, *said: tuple[str, str] | tuple[str, str, str]) -> None:
    """Remember (day, text[, actor]) in this order and fold after each."""
    connection.execute("SELECT set_config('cognifold.now', %s, false)", [NOW])
    for day, text, *actor in said:
        connection.execute(
            "SELECT cognifold.remember(%s, actor => %s, source => 'chat', occurred_at => %s)",
            [text, actor[0] if actor else "Ben", at(f"{day}T10:00:00+00:00")],
        )
        connection.execute("SELECT count(*) FROM cognifold.fold()")


def standing(admin: Connection, tenant: str) -> list[tuple[str, str, str | None]]:
    """(attribute, value, day it ended) of every statement, in order of event time."""
    rows = admin.execute(
        "SELECT s.attribute, s.value, s.valid_until FROM cognifold.node AS n "
        "CROSS JOIN LATERAL cognifold.standing(n.tenant_id, ARRAY[n.id], cognifold.now()) AS s "
        "WHERE n.tenant_id = %s AND n.kind = 'event' ORDER BY s.valid_from, s.value",
        [tenant],
    ).fetchall()
    return [(a, v, None if ended is None else ended.date().isoformat()) for a, v, ended in rows]


def first(connection: Connection, question: str, **arguments: Any) -> str:
    """The content of the first event recalled."""
    given = "".join(f", {name} => %s" for name in arguments)
    return str(
        value(
            connection,
            f"SELECT content FROM cognifold.recall(%s, kinds => ARRAY['event']{given})",
            question,
            *arguments.values(),
        )
    )


def test_a_newer_value_ends_the_older(connection: Connection, admin: Connection, tenant: str) -> None:
    tell(connection, ("2026-01-01", "I live in Lisbon."), ("2026-03-01", "I moved to Porto."))
    assert standing(admin, tenant) == [("residence", "lisbon", "2026-03-01"), ("residence", "porto", None)]
    assert first(connection, "Where does Ben live now?") == "I moved to Porto."
    assert first(connection, "Where does Ben live?", as_of=at("2026-02-01T00:00:00+00:00")) == "I live in Lisbon."
    assert first(connection, "Where did Ben live before?") == "I live in Lisbon."


def test_a_value_said_in_other_words_replaces_the_older(connection: Connection) -> None:
    tell(
        connection,
        ("2026-01-01", "For streaming I use Vidora."),
        ("2026-03-01", "I cancelled Vidora, my streaming service is Cinelux now."),
    )
    assert first(connection, "Which streaming service do I use?").endswith("is Cinelux now.")


def test_what_arrives_late_finds_its_place(connection: Connection, admin: Connection, tenant: str) -> None:
    tell(
        connection,
        ("2026-01-01", "I live in Lisbon."),
        ("2026-05-01", "I live in Ghent."),
        ("2026-03-01", "I moved to Porto."),
    )
    assert standing(admin, tenant) == [
        ("residence", "lisbon", "2026-03-01"),
        ("residence", "porto", "2026-05-01"),
        ("residence", "ghent", None),
    ]
    assert first(connection, "Where does Ben live now?") == "I live in Ghent."


def test_an_attribute_nobody_listed(connection: Connection, admin: Connection, tenant: str) -> None:
    tell(connection, ("2026-01-01", "my locker code is 4411"), ("2026-03-01", "New locker code: 9020"))
    assert standing(admin, tenant) == [("code locker", "4411", "2026-03-01"), ("code locker", "9020", None)]


def test_a_correction_is_of_what_it_denies(connection: Connection, admin: Connection, tenant: str) -> None:
    tell(
        connection,
        ("2026-01-01", "I live in Lisbon."),
        ("2026-01-02", "My dentist is Dr. Lee."),
        ("2026-01-03", "Actually, it's Porto, not Lisbon."),
    )
    assert standing(admin, tenant) == [
        ("residence", "lisbon", "2026-01-03"),
        ("dentist", "dr lee", None),
        ("residence", "porto", None),
    ]


def test_an_end_without_a_successor(connection: Connection, admin: Connection, tenant: str) -> None:
    tell(connection, ("2026-01-01", "I work at Acme."), ("2026-03-01", "I don't work at Acme anymore."))
    assert standing(admin, tenant)[0] == ("employer", "acme", "2026-03-01")


def test_values_that_stand_side_by_side(connection: Connection, admin: Connection, tenant: str) -> None:
    tell(
        connection,
        ("2026-01-01", "I speak Danish."),
        ("2026-02-01", "I speak Korean."),
        ("2026-03-01", "I no longer speak Danish."),
    )
    assert standing(admin, tenant)[:2] == [("language", "danish", "2026-03-01"), ("language", "korean", None)]


def test_only_the_same_subject_and_attribute_are_contradicted(
    connection: Connection, admin: Connection, tenant: str
) -> None:
    tell(
        connection,
        ("2026-01-01", "I live in Lisbon."),
        ("2026-02-01", "I live in Oslo.", "Anna"),
        ("2026-02-02", "My sister lives in Rome."),
        ("2026-02-03", "I work at the Lisbon office of Acme."),
        ("2026-02-04", "Lisbon was sunny, and Anna liked it."),
    )
    assert all(ended is None for _, _, ended in standing(admin, tenant))
    ids = value(admin, "SELECT array_agg(id) FROM cognifold.node WHERE tenant_id = %s AND kind = 'event'", tenant)
    assert value(admin, "SELECT count(*) FROM cognifold.conflicting_statements(%s, %s)", tenant, ids) == 0


def test_contradictions_are_pairs_of_old_and_new(connection: Connection, admin: Connection, tenant: str) -> None:
    tell(connection, ("2026-01-01", "I live in Lisbon."), ("2026-03-01", "I moved to Porto."))
    rows = admin.execute(
        "SELECT o.content, n.content, p.subject, p.attribute "
        "FROM (SELECT array_agg(id) AS ids FROM cognifold.node WHERE tenant_id = %(tenant)s) AS a "
        "CROSS JOIN LATERAL cognifold.conflicting_statements(%(tenant)s, a.ids) AS p "
        "JOIN cognifold.node_content AS o ON o.tenant_id = %(tenant)s AND o.node_id = p.node_id "
        "JOIN cognifold.node_content AS n ON n.tenant_id = %(tenant)s AND n.node_id = p.contradicted_by",
        {"tenant": tenant},
    ).fetchall()
    assert rows == [("I live in Lisbon.", "I moved to Porto.", "ben", "residence")]


def test_statements_derive_from_events_alone(connection: Connection, admin: Connection, tenant: str) -> None:
    tell(
        connection,
        ("2026-01-01", "I live in Lisbon."),
        ("2026-03-01", "I moved to Porto."),
        ("2026-03-02", "My locker code is 1."),
    )
    held = "SELECT array_agg(s ORDER BY s.event_id, s.place) FROM cognifold.state_statement AS s WHERE s.tenant_id = %s"
    before = value(admin, held, tenant)
    admin.execute("DELETE FROM cognifold.state_attribute WHERE tenant_id = %s", [tenant])
    assert value(connection, "SELECT cognifold.rebuild_statements()") == 3
    assert value(admin, held, tenant) == before


def test_an_attribute_goes_with_its_last_event(connection: Connection, admin: Connection, tenant: str) -> None:
    tell(connection, ("2026-01-01", "I live in Lisbon."), ("2026-03-01", "My locker code is 1."))
    admin.execute("DELETE FROM cognifold.state_statement WHERE tenant_id = %s AND attribute = 'code locker'", [tenant])
    assert value(admin, "SELECT array_agg(attribute) FROM cognifold.state_attribute WHERE tenant_id = %s", tenant) == [
        "residence"
    ]


def test_what_is_too_long_for_a_name_or_an_attribute_states_nothing(memory: Memory) -> None:
    noise = "".join(chr(0x4E00 + (i * 7919) % 20000) for i in range(1900))  # nothing that compresses
    for text in (f"My {noise} is y", f"A{noise}'s dog is Rex", f"A{noise} lives in Rome"):
        memory.remember(text, actor="Ana")
    assert memory.fold_all() == 3


def test_what_was_not_known_yet_has_replaced_nothing(connection: Connection) -> None:
    tell(connection, ("2026-03-05", "I live in Lisbon."))
    before = value(connection, "SELECT clock_timestamp()")
    tell(connection, ("2026-03-06", "I moved to Porto."))
    asked = (
        "SELECT replaced_by IS NOT NULL FROM cognifold.explain_recall('tell me of Lisbon', kinds => ARRAY['event'], "
        "known_at => %s) WHERE title = 'I live in Lisbon.'"
    )
    assert value(connection, asked, None) is True
    assert value(connection, asked, before) is False
    text = "SELECT text FROM cognifold.context('tell me of Lisbon', kinds => ARRAY['event'], known_at => %s)"
    assert "holds no longer" not in value(connection, text, before)
