"""Ids are uuids of version 7 on every server; on one without uuidv7() they are made here."""

from __future__ import annotations

import re
import uuid
from pathlib import Path

import pytest

from tests.conftest import Connection, value

FILE = Path(__file__).resolve().parents[2] / "sql" / "repeatable" / "graph" / "new_id.sql"
OWN = re.findall(r"AS \$\$\n(.*?)\$\$;", FILE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("query", ["SELECT cognifold.new_id()", *OWN])
def test_an_id_is_of_version_7_and_carries_the_time(admin: Connection, query: str) -> None:
    before = value(admin, "SELECT extract(epoch FROM clock_timestamp())")
    made: list[uuid.UUID] = [value(admin, query.replace("%", "%%")) for _ in range(50)]
    after = value(admin, "SELECT extract(epoch FROM clock_timestamp())")
    assert {(one.version, one.variant) for one in made} == {(7, uuid.RFC_4122)}
    assert len(set(made)) == 50
    for one in made:
        assert int(before * 1000) <= one.int >> 80 <= int(after * 1000)
    assert [one.int >> 64 for one in made] == sorted(one.int >> 64 for one in made)


def test_the_file_has_a_way_of_its_own() -> None:
    assert len(OWN) == 1
