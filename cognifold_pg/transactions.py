"""Where the client's statements run: in transactions of its own from a pool, or within one of the caller's.

Either way a call is scoped to one tenant by settings that end with it, errors of class CF become exceptions, and rows
come as the client reads them, whatever a caller has set up on the connection.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, LiteralString, Protocol, Self, TypeVar
from weakref import WeakSet

import psycopg
from psycopg.abc import Buffer
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import RowFactory, tuple_row
from psycopg.types.datetime import TimestamptzLoader
from psycopg_pool import ConnectionPool, PoolTimeout

from cognifold_pg.errors import ClosedMemoryError, UnreachableError, errors_by_class
from cognifold_pg.handshake import MISSING, check_schema, outdated
from cognifold_pg.version import VERSION

if TYPE_CHECKING:
    from sqlalchemy import Connection as AlchemyConnection
    from sqlalchemy.orm import Session, scoped_session

    Joinable = psycopg.Connection[Any] | AlchemyConnection | Session | scoped_session[Session]

_Row = TypeVar("_Row")


class _Cursor(psycopg.Cursor[_Row]):
    """A cursor that never prepares a statement: a plan made for one tenant must not serve another."""

    def execute(
        self, query: Any, params: Any = None, *, prepare: bool | None = None, binary: bool | None = None
    ) -> Self:
        return super().execute(query, params, prepare=False, binary=binary)


class Statements:
    """Runs statements on a connection by this package's rules, not by those of the connection's owner."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection

    def execute(self, query: LiteralString | bytes, parameters: Sequence[Any] = ()) -> psycopg.Cursor[tuple[Any, ...]]:
        """Run a statement; its rows come as tuples."""
        return self.cursor(row_factory=tuple_row).execute(query, parameters)

    def cursor(self, *, row_factory: RowFactory[_Row]) -> psycopg.Cursor[_Row]:
        """A cursor whose rows ``row_factory`` makes."""
        cursor = _Cursor(self._connection, row_factory=row_factory)
        cursor.adapters.register_loader("timestamptz", _AnyTimeLoader)
        return cursor


class Transactions(Protocol):
    """Gives out transactions scoped to a tenant."""

    def begin(
        self, tenant: str, clock: datetime | None, *, snapshot: bool = False
    ) -> AbstractContextManager[Statements]:
        """A transaction, or a part of one, that is kept if the block ends and taken back if it raises.

        ``tenant`` is set within it (``""``: none), and the memory's clock where ``clock`` is given. A ``snapshot``
        reads only, and sees one moment throughout, where the transaction is not the caller's.
        """

    def open(self) -> None:
        """Get ready; may be called again."""

    def close(self) -> None:
        """Give back what is held."""


class _Pool:
    """psycopg's pool of up to ``size`` connections, made when needed, with errors that say what is wrong.

    The pool connects in threads of its own, and would keep trying for half a minute where there is no server. So the
    first connection is tried here, and once more where the pool has none to give.
    """

    def __init__(self, dsn: str, size: int) -> None:
        self._dsn = dsn
        self._options: dict[str, Any] = {"autocommit": True, "prepare_threshold": None}
        if "connect_timeout" not in conninfo_to_dict(dsn) and not os.environ.get("PGCONNECT_TIMEOUT"):
            self._options["connect_timeout"] = _CONNECT_SECONDS
        self._reached = False
        self.closed = False
        self._pool = ConnectionPool(
            dsn,
            min_size=0,
            max_size=size,
            open=False,
            check=ConnectionPool.check_connection,  # one the server has ended is not handed out
            kwargs=self._options,
        )

    def check_open(self) -> None:
        if self.closed:
            raise ClosedMemoryError("This memory is closed. Make another Memory(...), or work within its with block.")

    def close(self) -> None:
        self.closed = True
        self._pool.close()

    @contextmanager
    def connection(self) -> Iterator[psycopg.Connection[Any]]:
        """A connection nobody else has."""
        self.check_open()
        if not self._reached:
            self._reach()
            self._pool.open()
            self._reached = True
        connection = self._get()
        try:
            yield connection
        finally:
            self._pool.putconn(connection)

    def _get(self) -> psycopg.Connection[Any]:
        for _ in range(_TURN_SECONDS):
            try:
                return self._pool.getconn(timeout=1)
            except PoolTimeout:
                self._reach()  # no server, or only no turn?
        raise UnreachableError(
            f"All connections of this memory were in use for {_TURN_SECONDS} s. Give Memory a larger pool_size."
        )

    def _reach(self) -> None:
        """Connect and hang up, for the error that libpq has to tell."""
        try:
            psycopg.connect(self._dsn, **self._options).close()
        except psycopg.OperationalError as error:
            raise UnreachableError(f"Cannot connect to the database: {str(error).strip()}") from error


# How long a server that does not answer at all is waited for, where neither the DSN nor the environment says.
_CONNECT_SECONDS = 10
# How long a call waits while other threads use all connections; for ever would hide a call made within another.
_TURN_SECONDS = 30


class PooledTransactions:
    """Each in a transaction of its own, on a connection of a pool."""

    def __init__(self, dsn: str, size: int) -> None:
        self._pool = _Pool(dsn, size)
        self._met: WeakSet[psycopg.Connection[Any]] = WeakSet()

    def open(self) -> None:
        """Nothing to do but to say so if the pool is closed: it connects when it must."""
        self._pool.check_open()

    def close(self) -> None:
        """Give all connections back to the server."""
        self._pool.close()

    @contextmanager
    def begin(self, tenant: str, clock: datetime | None, *, snapshot: bool = False) -> Iterator[Statements]:
        """A transaction: committed if the block ends, rolled back if it raises."""
        with (
            errors_by_class(),
            self._pool.connection() as connection,
            _told_what_is_missing(connection),
            connection.transaction(),
        ):
            statements = Statements(connection)
            if snapshot:
                statements.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            scope = [tenant, clock.isoformat() if clock else ""]
            if connection in self._met:
                statements.execute(_SET, scope)
            else:
                _meet(connection, statements, scope)
                self._met.add(connection)
            yield statements


class JoinedTransactions:
    """Each a savepoint in the caller's transaction, which nothing here commits or rolls back."""

    def __init__(self, connection: Joinable) -> None:
        self._current = _driver_of(connection)
        self._met = False

    def open(self) -> None:
        """Nothing to do: the connection is the caller's."""

    def close(self) -> None:
        """Nothing to do: the connection is the caller's."""

    @contextmanager
    def begin(self, tenant: str, clock: datetime | None, *, snapshot: bool = False) -> Iterator[Statements]:
        """A savepoint: released if the block ends, rolled back to if it raises; the settings are then as before."""
        connection = self._current()
        statements = Statements(connection)
        with errors_by_class():
            # Also begins the caller's transaction where none has begun: else the block below would be one, and commit.
            before = [value for (value,) in statements.execute(_GET)]
            with _told_what_is_missing(connection), connection.transaction():
                scope = [tenant, clock.isoformat() if clock else before[1]]
                if self._met:
                    statements.execute(_SET, scope)
                else:
                    _meet(connection, statements, scope)
                    self._met = True
                yield statements
                statements.execute(_SET, before)


_GET = "SELECT coalesce(current_setting(n, true), '') FROM unnest(ARRAY['cognifold.tenant', 'cognifold.now']) AS n"
_SET = "SELECT set_config('cognifold.tenant', %s, true), set_config('cognifold.now', %s, true)"
_MEET = f"{_SET}, cognifold.require_client(%s)"


def _meet(connection: psycopg.Connection[Any], statements: Statements, scope: Sequence[str]) -> None:
    """Set the scope, and ask on the same way whether this program and the schema go together."""
    row = statements.execute(_MEET, [*scope, VERSION]).fetchone()
    assert row is not None
    check_schema(connection, row[2])


@contextmanager
def _told_what_is_missing(connection: psycopg.Connection[Any]) -> Iterator[None]:
    """Where a call fails for what an older schema does not have, say that it is older; around the transaction."""
    try:
        yield
    except MISSING as error:
        if (told := outdated(connection)) is not None:
            raise told from error
        raise


def _driver_of(connection: Joinable) -> Callable[[], psycopg.Connection[Any]]:
    """Finds the psycopg connection beneath, each time anew: a Session takes another one for its next transaction."""
    if isinstance(connection, psycopg.Connection):
        return lambda: connection
    if "sqlalchemy" in sys.modules:  # or the object can't be one of its
        from sqlalchemy import Connection as AlchemyConnection
        from sqlalchemy.orm import Session, scoped_session

        if isinstance(connection, Session | scoped_session):
            return lambda: _driver_beneath(connection.connection())
        if isinstance(connection, AlchemyConnection):
            return lambda: _driver_beneath(connection)
    raise TypeError(
        f"{type(connection).__name__} is no connection to join. Give a psycopg.Connection, or a SQLAlchemy "
        "Connection or Session on postgresql+psycopg; none of them asynchronous."
    )


def _driver_beneath(connection: AlchemyConnection) -> psycopg.Connection[Any]:
    if not connection.in_transaction():
        connection.begin()  # as its own first statement would: it does not see ours
    driver = connection.connection.driver_connection
    if not isinstance(driver, psycopg.Connection):
        raise TypeError(
            f"The SQLAlchemy engine speaks through {type(driver).__module__}. Make it with "
            "create_engine('postgresql+psycopg://...'), so that psycopg 3 is beneath."
        )
    return driver


class _AnyTimeLoader(TimestamptzLoader):
    """Reads a time that Python's datetime can't hold (infinity, beyond year 9999) as its first or last moment."""

    def load(self, data: Buffer) -> datetime:
        try:
            return super().load(data)
        except psycopg.DataError:
            text = bytes(data)
            if text == b"-infinity" or text.endswith(b"BC"):
                return datetime.min.replace(tzinfo=UTC)
            if text == b"infinity" or len(text.partition(b"-")[0]) > 4:
                return datetime.max.replace(tzinfo=UTC)
            raise
