"""On a server without Apache AGE everything works by the tables, and what needs a graph says what to do.

Checked on the server that tests/transfer/test_dump.py restores to, the one without AGE that a run of the tests has.
"""

from __future__ import annotations

from uuid import UUID

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from cognifold_pg.errors import GraphError
from cognifold_pg.graph import prepare
from cognifold_pg.install import install
from cognifold_pg.workers.metrics import collect
from tests.conftest import value
from tests.graph.plans import add_edge, apply, remember

TENANT = "plain"


def check_without_age(dsn: str, worker: str) -> None:
    """Ask and refuse, as ``worker`` and as the superuser of ``dsn``."""
    with psycopg.connect(make_conninfo(dsn, user=worker), autocommit=True) as connection:
        connection.execute("SELECT cognifold.create_tenant(%s)", [TENANT])
        connection.execute("SELECT set_config('cognifold.tenant', %s, false)", [TENANT])
        said = [remember(connection, f"The {thing} rusted") for thing in ("nail", "gate", "saw")]
        apply(connection, add_edge(said[0], "causes", said[1]), add_edge(said[1], "causes", said[2]))

        def ask(query: str, *parameters: UUID) -> list[tuple[object, ...]]:
            return connection.execute(query.encode(), parameters).fetchall()

        assert ask("SELECT nodes FROM cognifold.graph_paths(%s, %s)", said[0], said[2]) == [(said,)]
        assert ask("SELECT id FROM cognifold.graph_neighbourhood(%s, 2)", said[0]) == [(said[1],), (said[2],)]
        assert ask("SELECT nodes FROM cognifold.graph_pattern('chain', %s)", said[0]) == [(said[:2],), (said,)]
        assert ask("SELECT * FROM cognifold.graph_lag") == []
        assert "cognifold_graph_lag_seconds" in collect(make_conninfo(dsn, user=worker))
        with psycopg.connect(dsn, autocommit=True) as admin:
            refused = [
                (connection, "SELECT * FROM cognifold.graph_paths(%s, %s, engine => 'age')", said[:2]),
                (connection, "SELECT * FROM cognifold.graph_neighbourhood(%s, engine => 'age')", said[:1]),
                (connection, "SELECT * FROM cognifold.graph_pattern('chain', %s, engine => 'age')", said[:1]),
                (connection, "SELECT cognifold.graph_sync()", []),
                (connection, "SELECT cognifold.graph_rebuild()", []),
                (admin, "SELECT cognifold.graph_enable('plain')", []),
                (admin, "SELECT cognifold.graph_disable('plain')", []),
                (admin, "SELECT cognifold.graph_grant('postgres', 'plain')", []),
                (admin, "SELECT cognifold.graph_revoke('postgres', 'plain')", []),
            ]
            for who, query, parameters in refused:
                with pytest.raises(psycopg.Error) as caught:
                    who.execute(query.encode(), parameters)
                assert caught.value.sqlstate == "CF053", query
                assert "cognifold graph enable" in (caught.value.diag.message_hint or "")
            with pytest.raises(GraphError, match="no Apache AGE"):
                prepare(dsn)
            assert value(admin, "SELECT count(*) FROM cognifold.schema_migration WHERE name LIKE 'optional/%%'") == 0
            assert install(dsn).applied == []
