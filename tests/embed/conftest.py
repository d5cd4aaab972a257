"""A database with the memory installed, and a tenant whose word statistics the tests set by hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import psycopg
import pytest

from cognifold_pg.embedded import temporary_server
from cognifold_pg.embedding import LexiconEmbedder
from cognifold_pg.install import install
from cognifold_pg.lexicon import Lexicon, read_lexicon

Connection = psycopg.Connection[Any]
Vector = npt.NDArray[np.float64]


@pytest.fixture(scope="session")
def installed() -> Iterator[str]:
    """Where a server of its own holds the memory, as its superuser sees it."""
    with temporary_server() as server:
        install(server.dsn())
        yield server.dsn()


@pytest.fixture
def connection(installed: str) -> Iterator[Connection]:
    """A connection with the tenant *words* set; what the test does is undone."""
    with psycopg.connect(installed) as connection:
        connection.execute("SELECT cognifold.create_tenant('words')")
        connection.execute("SET cognifold.tenant = 'words'")
        yield connection
        connection.rollback()


@pytest.fixture(scope="session")
def lexicon() -> Lexicon:
    return read_lexicon()


@pytest.fixture(scope="session")
def embedder(lexicon: Lexicon) -> LexiconEmbedder:
    return LexiconEmbedder(lexicon)


def embed(connection: Connection, text: str, role: str = "document") -> Vector | None:
    """What SQL makes of a text."""
    row = connection.execute("SELECT cognifold.embed(%s, %s)::real[]", [text, role]).fetchone()
    assert row is not None
    return None if row[0] is None else np.array(row[0], dtype=np.float64)


def embedded(connection: Connection, text: str, role: str = "document") -> Vector:
    """The same for a text that has words."""
    vector = embed(connection, text, role)
    assert vector is not None
    return vector
