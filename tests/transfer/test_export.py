"""One tenant's memory as lines of JSON, and back: whole and exact, or refused with the line that is wrong."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import itertools
import json
import lzma
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from psycopg.conninfo import make_conninfo
from psycopg.types.json import Jsonb

from cognifold_pg.cli import app
from cognifold_pg.client import Memory
from cognifold_pg.errors import (
    EmbeddingModelMismatchError,
    FileNotWholeError,
    InvalidValueError,
    NewerFormatError,
    TenantNotPermittedError,
    UnknownTenantError,
)
from cognifold_pg.transfer import Imported, export_tenant, import_tenant
from tests.conftest import WRITER, Connection, make_role, value
from tests.transfer.conftest import TENANT, connected
from tests.transfer.sample import FORGOTTEN_KEY, answers, count, rows_of, tables

Lines = list[bytes]
_names = itertools.count(1)

# What an import makes anew is the same, but for what is counted here or lies elsewhere.
DIFFERENT = {
    "consolidation_run": ["holder", "leased_until", "state"],
    "work": ["fence", "lease_until", "worker"],
    "delivery": ["fence", "lease_until", "worker"],
    "outbox": ["written_by"],
    "archived_content": ["pack_id"],
    "node_content": ["pack_id"],
    "embedding_statistics": ["vector_sum"],  # a sum of floats in another order
}
# Settled ranks are compared as ranks; the others stay behind.
APART = {
    "tenant", "node_rank", "rank_arc", "rank_dirty", "webhook", "job_run", "watch_count", "audit_read", "clearance",
}  # fmt: skip


@pytest.fixture(scope="module")
def importer(source: str) -> str:
    """The DSN of a plain role that may import: a member of cognifold_owner, and no superuser."""
    with psycopg.connect(source, autocommit=True) as admin:
        make_role(admin, "test_importer", "cognifold_owner")
    return make_conninfo(source, user="test_importer")


@pytest.fixture
def owner(source: str) -> Iterator[Connection]:
    with psycopg.connect(source, autocommit=True) as connection:
        yield connection


def exported(dsn: str, tenant: str = TENANT, *, embeddings: bool = False) -> Lines:
    file = io.BytesIO()
    export_tenant(dsn, tenant, file, embeddings=embeddings)
    return file.getvalue().splitlines(keepends=True)


@pytest.fixture(scope="module")
def lines(source: str) -> Lines:
    """The filled tenant's export, as the plain role writes it."""
    return exported(make_conninfo(source, user=WRITER))


def imported(dsn: str, lines: Lines, tenant: str | None = None, **more: Any) -> Imported:
    return import_tenant(dsn, io.BytesIO(b"".join(lines)), tenant=tenant or f"copy {next(_names)}", **more)


def signed(lines: Lines) -> Lines:
    """The lines with an end that fits them, as somebody would write it who knows how."""
    digest = b""
    for line in lines[:-1]:
        digest = hashlib.sha256(digest + line.rstrip(b"\n")).digest()
    end = {"type": "end", "lines": len(lines) - 1, "sha256": digest.hex()}
    return [*lines[:-1], json.dumps(end).encode() + b"\n"]


def place_of(lines: Lines, table: str, number: int = 0) -> int:
    return [place for place, line in enumerate(lines) if line.startswith(f'{{"type": "{table}"'.encode())][number]


# ------------------------------------------------------------------------------------------------ round trips


@pytest.mark.parametrize("embeddings", [False, True])
def test_every_row_comes_back_as_it_was_and_what_is_made_anew_is_the_same(
    source: str, importer: str, owner: Connection, embeddings: bool
) -> None:
    lines = exported(make_conninfo(source, user=WRITER), embeddings=embeddings)
    done = imported(importer, lines)
    assert done.vectors == ("imported" if embeddings else "made anew")
    assert done.left_out == {"webhook": 1, "audit_read": 1, "clearance": 1, "inbox": 1}
    different = {}
    for table in tables(owner):
        if table in APART:
            continue
        without = DIFFERENT.get(table, [])
        if rows_of(owner, table, TENANT, without) != rows_of(owner, table, done.tenant, without):
            different[table] = done.tenant
    assert different == {}
    with connected(source, WRITER) as there, connected(source, WRITER, done.tenant) as here:
        assert answers(here) == answers(there)
        window = "SELECT tier, node_id, round(score::numeric, 9) FROM cognifold.context_window(20, '2025-06-01Z')"
        assert here.execute(window).fetchall() == there.execute(window).fetchall()
        assert here.execute("SELECT * FROM cognifold.check()").fetchall() == []


def test_nothing_of_the_sample_is_empty_that_could_be_lost(lines: Lines) -> None:
    counts = json.loads(lines[0])["counts"]
    assert {table for table, number in counts.items() if number == 0} <= {"intent_hold", "embedding"}
    assert sum(counts.values()) == len(lines) - 2


def test_what_was_in_somebodys_hands_is_in_nobodys_in_the_copy(importer: str, owner: Connection, lines: Lines) -> None:
    copy = imported(importer, lines).tenant
    assert count(owner, "delivery", copy) > 0
    for table in ("work", "delivery"):
        held = f"SELECT count(*) FROM cognifold.{table} WHERE tenant_id = %s AND lease_until IS NOT NULL"
        assert value(owner, held, TENANT) > 0
        assert value(owner, held, copy) == 0
    assert value(
        owner, "SELECT bool_or(state = 'running') FROM cognifold.consolidation_run WHERE tenant_id = %s", TENANT
    )
    assert not value(
        owner, "SELECT bool_or(state = 'running') FROM cognifold.consolidation_run WHERE tenant_id = %s", copy
    )


def test_the_copy_lives_on_and_its_plans_can_be_taken_back(source: str, importer: str, lines: Lines) -> None:
    copy = imported(importer, lines).tenant
    with connected(source, WRITER, copy) as connection:
        waiting = value(connection, "SELECT count(*) FROM cognifold.work WHERE state <> 'dead'")
        assert value(connection, "SELECT count(*) FROM cognifold.fold(10)") == waiting > 0
        plan = value(connection, "SELECT plan_id FROM cognifold.plan ORDER BY version LIMIT 1")
        connection.execute("SELECT cognifold.undo_plan(%s, true)", [plan])
        connection.execute("SELECT cognifold.consolidate(NULL)")
        assert connection.execute("SELECT * FROM cognifold.check()").fetchall() == []


def test_what_was_forgotten_is_not_taken_in_by_a_copy_of_another_name(
    source: str, importer: str, owner: Connection, lines: Lines
) -> None:
    copy = imported(importer, lines).tenant
    id_it_had = value(owner, "SELECT node_id FROM cognifold.forgotten_key WHERE tenant_id = %s", TENANT)
    with connected(source, WRITER, copy) as connection:
        events = value(connection, "SELECT count(*) FROM cognifold.event")
        again = value(connection, "SELECT cognifold.remember('Never mind', idempotency_key => %s)", FORGOTTEN_KEY)
        assert again == id_it_had
        assert value(connection, "SELECT count(*) FROM cognifold.event") == events


def test_a_copy_of_a_copy_is_the_same_file(source: str, importer: str, lines: Lines) -> None:
    """But for the header, and for what the first copy let go of."""
    once = exported(source, imported(importer, lines).tenant)
    twice = exported(source, imported(importer, once).tenant)
    assert once[1:-1] == twice[1:-1]
    moved = {json.loads(line)["type"] for line in set(lines[1:-1]) ^ set(once[1:-1])}
    assert moved <= {"consolidation_run"}


@settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    events=st.lists(
        st.tuples(
            st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), min_size=1).filter(str.strip),
            st.recursive(
                st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
                | st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"])),
                lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab\"\\\n"), inner, max_size=3),
                max_leaves=6,
            ),
            st.floats(-1, 1, width=32),
        ),
        min_size=1, max_size=4,
    )
)  # fmt: skip
def test_whatever_was_said_comes_back(source: str, importer: str, owner: Connection, events: list[Any]) -> None:
    tenant = f"said {next(_names)}"
    owner.execute("SELECT cognifold.create_tenant(%s)", [tenant])
    for content, payload, weight in events:
        owner.execute(
            "SELECT cognifold.remember(%s, payload => %s, emotional_weight => %s, tenant => %s)",
            [content, Jsonb(payload), weight, tenant],
        )
    copy = imported(importer, exported(source, tenant)).tenant
    for table in ("node", "node_content", "work"):
        assert rows_of(owner, table, copy, []) == rows_of(owner, table, tenant, [])


# ------------------------------------------------------------------------------------------------ refused


def cut(lines: Lines) -> Lines:
    return lines[: len(lines) // 2]


def cut_within(lines: Lines) -> Lines:
    return [*lines[:40], lines[40][:30]]


def changed(lines: Lines) -> Lines:
    place = place_of(lines, "node_content")
    return [*lines[:place], lines[place].replace(b"kiln", b"oven"), *lines[place + 1 :]]


def without_one(lines: Lines) -> Lines:
    return lines[:50] + lines[51:]


def out_of_order(lines: Lines) -> Lines:
    return signed([lines[0], *reversed(lines[1:-1]), lines[-1]])


def foreign(lines: Lines) -> Lines:
    return signed([lines[0], b'{"type": "tenant_member", "values": {"role_name": "eve"}}\n', *lines[1:]])


def of_nobody(lines: Lines) -> Lines:
    place = place_of(lines, "node")
    row = json.loads(lines[place])
    row["values"]["tenant_id"] = "another"
    return signed([*lines[:place], json.dumps(row).encode() + b"\n", *lines[place + 1 :]])


def dangling(lines: Lines) -> Lines:
    place = place_of(lines, "node_content", 3)
    row = json.loads(lines[place])
    row["values"]["node_id"] = "00000000-0000-0000-0000-000000000000"
    return signed([*lines[:place], json.dumps(row).encode() + b"\n", *lines[place + 1 :]])


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (cut, "is not whole: the end that says how many lines there were is missing"),
        (cut_within, "line 41 cannot be imported"),
        (changed, "are not those that were written: their sha256 differs"),
        (without_one, "the file was written with"),
        (out_of_order, "come before those of"),
        (foreign, 'line 2 cannot be imported: this version has no table "tenant_member"'),
        (of_nobody, 'this version knows no such value: {"tenant_id": "another"}'),
        (dangling, 'cannot be imported into node_content: insert or update on table "node_content" violates'),
        (lambda lines: lines[1:], "line 1 cannot be imported: it is no header of an export"),
        (lambda lines: [], "line 1 cannot be imported: the file is empty"),
        (lambda lines: [*lines, b"{}\n"], "it comes after the end"),
        (lambda lines: [lines[0], b"\xff\xfe\n", *lines[1:]], "line 2 cannot be imported: invalid byte sequence"),
        (lambda lines: [lines[0], b"\n", *lines[1:]], "line 2 cannot be imported: it is no line of an export"),
    ],
)
def test_a_file_that_is_not_what_was_written_is_refused_with_its_line(
    importer: str, owner: Connection, lines: Lines, spoil: Callable[[Lines], Lines], told: str
) -> None:
    before = {table: value(owner, f"SELECT count(*) FROM cognifold.{table}") for table in ("tenant", "node", "plan")}
    with pytest.raises(FileNotWholeError, match="Nothing was written") as refused:
        imported(importer, spoil(lines))
    assert told in str(refused.value)
    after = {table: value(owner, f"SELECT count(*) FROM cognifold.{table}") for table in ("tenant", "node", "plan")}
    assert after == before


def test_the_line_that_refers_to_nothing_is_the_one_that_is_named(importer: str, lines: Lines) -> None:
    place = place_of(lines, "node_content", 3)
    with pytest.raises(FileNotWholeError, match=rf"^line {place + 1} cannot"):
        imported(importer, dangling(lines))


def test_a_format_of_a_later_version_is_refused(importer: str, lines: Lines) -> None:
    header = json.loads(lines[0]) | {"format": 2, "version": "9.1"}
    with pytest.raises(NewerFormatError, match=r"format 2, written by version 9\.1, and this version reads format 1"):
        imported(importer, [b'{"type": "header", ' + json.dumps(header).encode()[1:] + b"\n", *lines[1:]])


def test_a_file_of_an_earlier_version_that_knew_fewer_columns_is_read(
    importer: str, owner: Connection, lines: Lines
) -> None:
    place = place_of(lines, "node")
    row = json.loads(lines[place])
    for column in ("occurred_precision", "privacy_level", "asks", "valence"):
        row["values"].pop(column, None)
    old = signed([*lines[:place], json.dumps(row).encode() + b"\n", *lines[place + 1 :]])
    copy = imported(importer, old).tenant
    read = owner.execute(
        "SELECT occurred_precision, privacy_level, asks, valence FROM cognifold.node WHERE tenant_id = %s AND id = %s",
        [copy, row["values"]["id"]],
    ).fetchone()
    assert read == ("instant", "private", False, None)


def test_a_tenant_that_is_not_empty_is_not_written_over_and_an_empty_one_is_filled(
    source: str, importer: str, owner: Connection, lines: Lines
) -> None:
    with pytest.raises(InvalidValueError, match=r"is there and not empty\. Nothing was written"):
        import_tenant(importer, io.BytesIO(b"".join(lines)))  # its own name
    owner.execute("SELECT cognifold.create_tenant('empty', 'nobody', 'UTC')")
    owner.execute("SELECT cognifold.set_setting('fold.related', 9, tenant => 'empty')")
    assert imported(importer, lines, "empty").tenant == "empty"
    assert rows_of(owner, "tenant", "empty", []) == rows_of(owner, "tenant", TENANT, [])
    assert rows_of(owner, "setting", "empty", []) == rows_of(owner, "setting", TENANT, [])


@pytest.mark.parametrize("name", ["x\"'); DROP TABLE cognifold.node; --", "a %s {b} \\ c $1"])
def test_a_name_is_a_name(source: str, importer: str, lines: Lines, name: str) -> None:
    assert imported(importer, lines, name).tenant == name
    with connected(source, WRITER, name) as connection:
        assert connection.execute("SELECT * FROM cognifold.check()").fetchall() == []


# ------------------------------------------------------------------------------------------------ who may


def test_a_role_exports_its_own_tenant_only_and_imports_none(source: str, owner: Connection, lines: Lines) -> None:
    make_role(owner, "test_bound_reader", "cognifold_reader")
    owner.execute("SELECT cognifold.create_tenant('its own')")
    owner.execute("SELECT cognifold.bind_role('test_bound_reader', 'its own')")
    reader = make_conninfo(source, user="test_bound_reader")
    assert [json.loads(line)["type"] for line in exported(reader, "its own")] == [
        "header", "decay_clock", "decay_clock", "end",
    ]  # fmt: skip
    with pytest.raises(TenantNotPermittedError):
        exported(reader)
    with pytest.raises(UnknownTenantError):
        exported(source, "no such tenant")
    for role in ("test_bound_reader", WRITER):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            imported(make_conninfo(source, user=role), lines)


def test_an_export_holds_nothing_of_another_tenant_nor_of_the_installation(owner: Connection, lines: Lines) -> None:
    whole = b"".join(lines[1:])
    assert b"example.com" not in whole and b"tenant_id" not in whole and b"said " not in whole
    assert b"their own" not in whole


# ------------------------------------------------------------------------------------------------ embedders


def test_vectors_of_an_outside_model_come_along_or_are_awaited(source: str, importer: str, owner: Connection) -> None:
    owner.execute("SELECT cognifold.register_model('bench', 'external', 3) WHERE NOT EXISTS "
                  "(SELECT FROM cognifold.embedding_model WHERE name = 'bench')")  # fmt: skip
    tenant = f"outside {next(_names)}"
    with Memory(source, tenant=tenant) as memory:
        memory.create_tenant(model="bench")
        for number, said in enumerate(("The tap drips", "The tap drips again", "Tea at four")):
            event = memory.remember(said, actor="Ana")
            memory.rows("SELECT cognifold.store_embedding(%s, %s::vector, 'bench')", [event, f"[1,{number // 2},0]"])
        memory.fold_all()
    with_vectors = imported(importer, exported(source, tenant, embeddings=True))
    assert with_vectors.vectors == "imported"
    assert rows_of(owner, "embedding", with_vectors.tenant, []) == rows_of(owner, "embedding", tenant, [])
    without = imported(importer, exported(source, tenant))
    assert without.vectors == "awaited"
    assert count(owner, "embedding", without.tenant) == 0
    with Memory(source, tenant=without.tenant) as memory:
        assert memory.check() == []
        waiting = memory.rows("SELECT event_id FROM cognifold.awaiting_reembedding(10)")
        assert len(waiting) == 3
        vectors = dict(
            owner.execute(
                "SELECT node_id, vector::text FROM cognifold.embedding WHERE tenant_id = %s AND kind = 'event'",
                [tenant],
            ).fetchall()
        )
        for row in waiting:
            memory.rows(
                "SELECT cognifold.store_reembedded(ARRAY[%s]::uuid[], ARRAY[%s::vector], 'bench')",
                [row["event_id"], vectors[row["event_id"]]],
            )
        assert memory.check() == []
    assert rows_of(owner, "embedding", without.tenant, []) == rows_of(owner, "embedding", tenant, [])


def test_another_embedder_makes_its_own_vectors_and_an_unknown_one_is_named(
    source: str, importer: str, owner: Connection, lines: Lines
) -> None:
    header = json.loads(lines[0])
    header["model"] |= {"name": "text-of-elsewhere", "provider": "external", "dimensions": 7}
    other = signed([b'{"type": "header", ' + json.dumps(header).encode()[1:] + b"\n", *lines[1:]])
    with pytest.raises(EmbeddingModelMismatchError, match="'text-of-elsewhere' is not registered"):
        imported(importer, other)
    done = imported(importer, other, model="lexicon")
    assert (done.model, done.vectors) == ("lexicon", "made anew")
    with connected(source, WRITER) as there, connected(source, WRITER, done.tenant) as here:
        assert answers(here) == answers(there)


# ------------------------------------------------------------------------------------------------ tables and files


def test_every_table_with_a_tenant_is_in_the_list_once_and_says_why(owner: Connection) -> None:
    """A new table fails here until somebody has decided whether a tenant takes it along."""
    listed = owner.execute(
        "SELECT relation, treatment, reason FROM cognifold.transfer_tables() "
        "WHERE relation <> 'graph_projection' OR to_regclass('cognifold.graph_projection') IS NOT NULL ORDER BY 1"
    ).fetchall()
    assert [name for name, _, _ in listed] == tables(owner)
    assert {treatment for _, treatment, _ in listed} == {"exported", "vectors", "rebuilt", "left"}
    assert all(reason for _, _, reason in listed)


def test_what_a_row_refers_to_is_written_before_it(owner: Connection) -> None:
    backwards = owner.execute(
        """
        SELECT f.conrelid::regclass::text, f.confrelid::regclass::text
        FROM pg_constraint AS f
        JOIN cognifold.transfer_tables() AS t ON f.conrelid = to_regclass('cognifold.' || t.relation)
        JOIN cognifold.transfer_tables() AS r ON f.confrelid = to_regclass('cognifold.' || r.relation)
        WHERE f.contype = 'f' AND r.place > t.place
          AND t.treatment IN ('exported', 'vectors') AND r.treatment IN ('exported', 'vectors')
        """
    ).fetchall()
    assert backwards == []


def test_a_file_is_packed_as_its_name_says_and_read_as_it_is(source: str, importer: str, tmp_path: Path) -> None:
    for ending, opener in ((".jsonl", open), (".gz", gzip.open), (".bz2", bz2.open), (".xz", lzma.open)):
        file = tmp_path / f"memory{ending}"
        export_tenant(source, TENANT, file)
        with opener(file, "rb") as packed:
            assert packed.read().splitlines()[-1].startswith(b'{"type": "end"')
    assert len(list(tmp_path.iterdir())) == 4
    unnamed = file.rename(tmp_path / "memory")
    assert import_tenant(importer, unnamed, tenant=f"copy {next(_names)}").vectors == "made anew"


def test_a_packed_file_that_was_cut_is_refused(importer: str, lines: Lines) -> None:
    packed = gzip.compress(b"".join(lines))
    with pytest.raises(FileNotWholeError, match="cannot be unpacked to its end"):
        import_tenant(importer, io.BytesIO(packed[: len(packed) // 2]), tenant="cut")


def test_the_commands_say_what_they_did(
    source: str, importer: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "potter.jsonl.gz"
    app(["export", TENANT, "--output", str(file), "--dsn", source], standalone_mode=False)
    told = capsys.readouterr().err
    assert f"tenant {TENANT}:" in told and "left out: 1 of the webhooks" in told
    app(["import", str(file), "--tenant", "by command", "--dsn", importer], standalone_mode=False)
    assert "tenant by command:" in capsys.readouterr().out
