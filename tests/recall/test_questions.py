"""Questions of every kind: strange, empty, long; in every zone; and never a write."""

from __future__ import annotations

from collections.abc import Callable

import psycopg
import pytest

from tests.conftest import Connection, at, make_role, value
from tests.graph.plans import fold, make_concept, remember, snapshot
from tests.recall.conftest import CLOCK, TENANT
from tests.recall.model import Library, recalled

STRANGE = [
    "it's", '"quoted" \'words\'', "100%", "a_b%c", "\\", "\\d+ \\m.*\\M (", "[[:alpha:]", "a|b|", "*", "+?", "{1,",
    "^$",
    "C++ (dev)", "what did (dev) do?", "dev)(", "Billing (Dept.)", "O'Neill''s", "'; DROP TABLE cognifold.node; --",
    "$1 $$ $body$", "%s %(x)s", "ticket_for_two", "\u202eright to left", "emoji 🐕 dog", "ﬁnd the ﬂood",
    "ΣΊΣΥΦΟΣ", "東京",
    "the\tdog\nand\rthe cat", "İstanbul", "a" * 3000, "& | ! <-> :*", "!", "—",
]  # fmt: skip


@pytest.mark.parametrize("question", STRANGE)
def test_no_question_is_too_strange(reader: Connection, library: Library, question: str) -> None:
    for row in recalled(reader, question, 50):
        assert row["score"] > 0


def test_a_name_with_signs_in_it_is_heard(reader: Connection, library: Library) -> None:
    rows = recalled(reader, "What did C++ (dev) find in the cache?", 1)
    assert (rows[0]["content"], rows[0]["names_actor"]) == ("The leak was in the image cache", True)


@pytest.mark.parametrize("question", ["", " ", "\n\t  ", "\u3000", None])
def test_an_empty_question_is_refused(reader: Connection, library: Library, question: str | None) -> None:
    with pytest.raises(psycopg.Error, match="query is empty") as refused:
        recalled(reader, question)  # type: ignore[arg-type]
    assert refused.value.sqlstate == "CF010"


@pytest.mark.parametrize("k", [0, -1, 10001, None])
def test_a_number_of_rows_out_of_range_is_refused(reader: Connection, library: Library, k: int | None) -> None:
    with pytest.raises(psycopg.Error, match="k = ") as refused:
        recalled(reader, "dog", k)  # type: ignore[arg-type]
    assert refused.value.sqlstate == "CF010"


def test_an_unknown_kind_is_refused(reader: Connection, library: Library) -> None:
    with pytest.raises(psycopg.Error, match="unknown kind") as refused:
        recalled(reader, "dog", kinds=["event", "idea"])
    assert refused.value.sqlstate == "CF010"


def test_a_question_without_a_word_finds_nothing(reader: Connection, library: Library) -> None:
    assert recalled(reader, "??? !!!") == []


def test_an_empty_memory_finds_nothing(connection: Connection) -> None:
    assert recalled(connection, "anything at all, Tom?") == []


def test_a_very_long_question_is_answered(reader: Connection, library: Library) -> None:
    rows = recalled(reader, "beagle " + "filler words without end " * 20_000 + "concert", 3)
    assert "beagle" in rows[0]["content"]
    assert recalled(reader, " ".join(f"word{n}" for n in range(100_000)) + " beagle") is not None


def test_the_answer_is_the_same_in_every_time_zone(reader: Connection, library: Library) -> None:
    question, moment = "dog and concert on Saturday", at("2026-05-09T14:00:00+02:00")
    answers = []
    for zone in ("UTC", "America/Los_Angeles", "Asia/Kathmandu", "Europe/Amsterdam"):
        reader.execute("SELECT set_config('TimeZone', %s, false)", [zone])
        answers.append(recalled(reader, question, as_of=moment, since="2026-03-29T03:30:00+02:00"))
    assert answers[0] and all(answer == answers[0] for answer in answers)


def test_recall_reads_only(reader: Connection, library: Library) -> None:
    before = snapshot(library.admin, TENANT)
    with reader.transaction():
        reader.execute("SET TRANSACTION READ ONLY")
        assert recalled(reader, "dog")
    assert snapshot(library.admin, TENANT) == before


def test_a_reader_may_recall_and_leaves_no_tenant_behind(
    admin: Connection, library: Library, connect: Callable[..., Connection]
) -> None:
    make_role(admin, "test_reader", "cognifold_reader", "cognifold_multitenant")
    reader = connect(user="test_reader")
    with reader.transaction():
        reader.execute("SET TRANSACTION READ ONLY")
        assert recalled(reader, "dog", 3, tenant=TENANT, as_of=CLOCK)
        assert value(reader, "SELECT cognifold.current_tenant()") is None
    with pytest.raises(psycopg.Error) as refused:
        recalled(reader, "dog")
    assert refused.value.sqlstate == "CF001"


def test_another_tenants_memories_do_not_exist(connection: Connection, library: Library, reader: Connection) -> None:
    remember(connection, "Our own dog")
    fold(connection)
    assert [row["content"] for row in recalled(connection, "dog concert Maria")] == ["Our own dog"]
    for tenant, code in ((TENANT, "CF004"), ("nobody's", "CF004")):
        with pytest.raises(psycopg.Error) as refused:
            recalled(connection, "dog", tenant=tenant)
        assert refused.value.sqlstate == code


def test_an_event_at_no_finite_time_is_found(connection: Connection) -> None:
    for moment in ("infinity", "-infinity"):
        remember(connection, f"A lighthouse at {moment}", moment, source="sea")
    remember(connection, "A lighthouse of today", source="sea")
    fold(connection)
    found = connection.execute("SELECT content, score FROM cognifold.recall('lighthouse', 10, '{event}')").fetchall()
    assert len(found) == 3 and all(0 < score < 10 for _, score in found)


def test_a_merged_concept_is_not_found_beside_its_survivor(
    connection: Connection, admin: Connection, tenant: str
) -> None:
    event = remember(connection, "The kettle whistled")
    survivor, gone = make_concept(connection, "Kettle", event), make_concept(connection, "Whistling", event)
    admin.execute("UPDATE cognifold.node SET merged_into = %s WHERE id = %s", [survivor, gone])
    assert {row["node_id"] for row in recalled(connection, "kettle whistling", kinds=["concept"])} == {survivor}


@pytest.fixture
def outside(admin: Connection, new_tenant: Callable[..., str], connect: Callable[..., Connection]) -> Connection:
    """A tenant whose vectors are made outside the database, with three events on three axes."""
    admin.execute("SELECT cognifold.register_model('three numbers', 'external', 3)")
    connection = connect(new_tenant(model="three numbers"), now="2026-03-02T09:00:00+00:00")
    for place, text in enumerate(("red fox", "green frog", "blue whale")):
        event = remember(connection, text, "2026-03-02T09:00:00+00:00", source=text)
        vector = [float(axis == place) for axis in range(3)]
        connection.execute("SELECT cognifold.store_embedding(%s, %s::real[]::vector, 'three numbers')", [event, vector])
    fold(connection)
    return connection


def ask(
    connection: Connection, vector: list[float] | None, model: str | None, text: str = "animal"
) -> list[tuple[str, float]]:
    return connection.execute(
        "SELECT content, cosine FROM cognifold.recall(%s, kinds => '{event}', "
        "query_embedding => %s::real[]::vector, model => %s)",
        [text, vector, model],
    ).fetchall()


def test_a_question_to_an_outside_model_brings_its_vector(outside: Connection) -> None:
    found = ask(outside, [0.0, 30.0, 40.0], "three numbers")
    assert [text for text, _ in found] == ["blue whale", "green frog"]
    assert [cosine for _, cosine in found] == pytest.approx([0.8, 0.6], abs=1e-3)
    found = ask(outside, [0.0, 1.0, 0.0], "three numbers", "fox")  # words count as well
    assert [text for text, _ in found] == ["red fox", "green frog"]


@pytest.mark.parametrize(
    ("vector", "model", "code", "named"),
    [
        (None, None, "CF012", ["three numbers"]),
        ([1.0, 0.0, 0.0], "lexicon", "CF012", ["lexicon", "three numbers"]),
        ([1.0, 0.0, 0.0], None, "CF012", ["three numbers"]),
        ([1.0, 0.0], "three numbers", "CF013", ["2", "3", "three numbers"]),
        (None, "three numbers", "CF013", ["three numbers"]),
        ([0.0, 0.0, 0.0], "three numbers", "CF011", []),
    ],
)
def test_a_vector_that_does_not_belong_is_refused_by_name(
    outside: Connection, vector: list[float] | None, model: str | None, code: str, named: list[str]
) -> None:
    with pytest.raises(psycopg.Error) as refused:
        ask(outside, vector, model)
    assert refused.value.sqlstate == code
    assert all(name in str(refused.value) for name in named)


def test_a_foreign_vector_is_refused_by_a_tenant_of_the_lexicon(reader: Connection, library: Library) -> None:
    with pytest.raises(psycopg.Error) as refused:
        ask(reader, [1.0, 0.0, 0.0], "text-embedding-3-small", "dog")
    assert refused.value.sqlstate == "CF012"
    assert "text-embedding-3-small" in str(refused.value) and "lexicon" in str(refused.value)
    with pytest.raises(psycopg.Error) as refused:
        ask(reader, [1.0, 0.0, 0.0], "lexicon", "dog")
    assert refused.value.sqlstate == "CF013"
