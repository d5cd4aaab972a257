"""A server whose sessions do not have AGE's library loaded, as on most servers, and a memory with graphs."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from cognifold_pg.embedded import EmbeddedServer, temporary_server
from cognifold_pg.embedded.backends import find_backend
from cognifold_pg.errors import EmbeddedServerError
from cognifold_pg.graph import prepare
from cognifold_pg.install import install
from tests.conftest import Connection, make_role
from tests.graph_projection.projection import Projection

WRITER, READER, GOVERNOR = "graph_writer", "graph_reader", "graph_governor"
_numbers = itertools.count(1)


@pytest.fixture(scope="package")
def age_server() -> Iterator[EmbeddedServer]:
    """A server with AGE, not preloaded."""
    try:
        backend = find_backend()
    except EmbeddedServerError:
        pytest.skip("no embedded backend is installed")
    if "age" not in backend.preload:
        pytest.skip(f"the embedded backend {backend.name} has no Apache AGE")
    with temporary_server(settings={"shared_preload_libraries": ""}) as server:
        yield server


@pytest.fixture(scope="package")
def admin_dsn(age_server: EmbeddedServer) -> str:
    """A superuser's DSN of a database with the memory and what graphs need."""
    dsn = age_server.dsn()
    install(dsn)
    prepare(dsn)
    with psycopg.connect(dsn, autocommit=True) as connection:
        make_role(connection, WRITER, "cognifold_writer", "cognifold_multitenant", "cognifold_clock")
        make_role(connection, READER, "cognifold_reader", "cognifold_multitenant")
        make_role(connection, GOVERNOR, "cognifold_governor", "cognifold_multitenant")
    return dsn


@pytest.fixture(scope="package")
def dsn(admin_dsn: str) -> str:
    """The plain role's DSN."""
    return make_conninfo(admin_dsn, user=WRITER)


@pytest.fixture
def new_graph(admin: Connection, connect: Callable[..., Connection]) -> Iterator[Callable[..., Projection]]:
    """Makes a tenant with an empty memory, and a graph unless ``enabled`` is false; graphs are gone at the end."""
    made: list[Projection] = []

    def make(enabled: bool = True, **arguments: Any) -> Projection:
        tenant = f"graph {next(_numbers)}"
        connection = connect()
        connection.execute("SELECT cognifold.create_tenant(%s)", [tenant])
        connection.execute("SELECT set_config('cognifold.tenant', %s, false)", [tenant])
        projection = Projection(admin, connection, tenant)
        made.append(projection)
        if enabled:
            projection.enable()
        return projection

    yield make
    for projection in made:
        projection.disable()


@pytest.fixture
def graph(new_graph: Callable[..., Projection]) -> Projection:
    """A tenant with an empty memory and a graph."""
    return new_graph()
