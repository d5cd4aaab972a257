"""The Python client: the memory's verbs, one to one, typed.

Every verb is a SQL function of schema ``cognifold``; this class names it, scopes it to one tenant and gives errors
their classes. Nothing is decided here.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self, TypeVar
from uuid import UUID

import psycopg
from psycopg.abc import Buffer
from psycopg.rows import class_row, dict_row
from psycopg.types.datetime import TimestamptzLoader
from psycopg.types.json import Jsonb
from psycopg_pool import ConnectionPool

from cognifold_pg.embedding.provider import EmbeddingProvider
from cognifold_pg.errors import CognifoldError, InvalidValueError, ZeroVectorError, from_sqlstate
from cognifold_pg.experience import Experience

_Row = TypeVar("_Row")


@dataclass(frozen=True, slots=True)
class Recollection:
    """One row of ``recall``: a memory, its score, and the parts the score is made of.

    ``score = relevance * modulation``. ``cosine`` in [-1, 1] and ``keyword`` (BM25, unbounded) are raw and
    ``None`` where the signal did not find the memory; ``neighbours`` is what it received from the events just
    before and after it.
    """

    node_id: UUID
    kind: str
    title: str
    content: str
    occurred_at: datetime
    score: float
    actor: str | None
    source: str | None
    cosine: float | None
    keyword: float | None
    names_actor: bool
    neighbours: float
    relevance: float
    modulation: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """One row of ``explain``: the node itself (``depth`` 0) or something it rests on.

    ``relation`` is the type of the edge to ``supports``, ``weight`` in [0, 1] its weight as of the moment asked
    for; ``stated`` is False where the edge was inferred.
    """

    depth: int
    id: UUID
    kind: str
    title: str
    content: str
    occurred_at: datetime
    actor: str | None
    source: str | None
    relation: str | None
    supports: UUID | None
    weight: float | None
    stated: bool | None
    reasoning: str | None


@dataclass(frozen=True, slots=True)
class Folded:
    """One row of ``fold``: what became of an event. ``outcome``: folded, failed (tried again later) or dead."""

    event_id: UUID
    plan_id: UUID | None
    outcome: str
    operations: int


@dataclass(frozen=True, slots=True)
class Violation:
    """One row of ``check``: an invariant that does not hold, where, and how."""

    invariant: str
    subject: str
    detail: str


@dataclass(frozen=True, slots=True)
class Stored:
    """What ``remember_many`` did: how many events are new, how many were known; ``ids`` in the order given."""

    new: int
    known: int
    ids: tuple[UUID, ...]


class Memory:
    """One tenant's memory in a PostgreSQL database.

    ``dsn`` is anything libpq understands. Each call is a transaction of its own. ``clock`` moves the memory's
    clock (an aware datetime; the role must be a member of ``cognifold_clock``), ``None`` is the present.
    ``embedder`` is for a tenant whose vectors an outside model makes; its ``name`` must be that of the tenant's
    model (else :class:`~cognifold_pg.errors.EmbeddingModelMismatchError`). No transaction is open while it works.
    """

    def __init__(
        self,
        dsn: str,
        *,
        tenant: str,
        clock: datetime | None = None,
        embedder: EmbeddingProvider | None = None,
        pool_size: int = 4,
    ) -> None:
        _check_aware("clock", clock)
        self.tenant = tenant
        self.clock = clock
        self.embedder = embedder
        self._dsn = dsn
        self._pool = ConnectionPool(
            dsn,
            min_size=0,
            max_size=pool_size,
            open=False,
            kwargs={"autocommit": True, "prepare_threshold": None},
            configure=_read_any_time,
            # A connection that the server has ended since its last use is replaced, not handed out.
            check=ConnectionPool.check_connection,
        )

    def __enter__(self) -> Self:
        self._pool.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give all connections back to the server."""
        self._pool.close()

    # -------------------------------------------------------------------------------------------- verbs

    def create_tenant(self, *, display_name: str | None = None, time_zone: str = "UTC", model: str = "lexicon") -> bool:
        """Make this memory's tenant; False if it was there."""
        with self._transaction(scoped=False) as connection:
            row = connection.execute(
                "SELECT cognifold.create_tenant(%s, %s, %s, %s)", [self.tenant, display_name, time_zone, model]
            ).fetchone()
        return bool(row and row[0])

    def remember(self, experience: Experience | str, **fields_: Any) -> UUID:
        """Store an event and queue it to be folded; the id of the event, new or known.

        Takes an :class:`Experience`, or its ``content`` and other fields by name. Raises
        :class:`InvalidValueError` for a naive datetime or a value out of range; then nothing is stored.
        """
        if isinstance(experience, str):
            experience = Experience(experience, **fields_)
        elif fields_:
            raise TypeError("give an Experience, or its fields by name, not both")
        return self.remember_many([experience]).ids[0]

    def remember_many(self, experiences: Iterable[Experience]) -> Stored:
        """Store many events in one transaction: all of them or, if one is refused, none."""
        records = [_arguments(experience) for experience in experiences]
        if not records:
            return Stored(0, 0, ())
        with self._transaction() as connection:
            rows = connection.execute(_REMEMBER_MANY, [json.dumps(records)]).fetchall()
        new = sum(1 for _, is_new in rows if is_new)
        return Stored(new, len(rows) - new, tuple(event_id for event_id, _ in rows))

    def fold(self, max_events: int = 50) -> list[Folded]:
        """Fold up to ``max_events`` waiting events in one transaction."""
        self.embed_waiting(max_events)
        return self._rows(Folded, "SELECT * FROM cognifold.fold(%s)", [max_events])

    def fold_all(self, *, batch: int = 1, progress: Callable[[int], None] | None = None) -> int:
        """Fold until nothing waits, committing after each ``batch`` events; how many were folded.

        ``progress`` is called with the running total. A crash loses and repeats nothing.
        """
        total = 0
        while rows := self.fold(batch):
            total += sum(1 for row in rows if row.outcome == "folded")
            if progress is not None:
                progress(total)
        return total

    def embed_waiting(self, max_events: int = 100) -> int:
        """Give waiting events their vectors by the outside model; how many. Nothing to do for the lexicon."""
        if self.embedder is None:
            return 0
        with self._transaction() as connection:
            waiting = connection.execute("SELECT * FROM cognifold.awaiting_embedding(%s)", [max_events]).fetchall()
        vectors = self._vectors([text for _, text in waiting])
        with self._transaction() as connection:
            for (event_id, _), vector in zip(waiting, vectors, strict=True):
                if vector is None:
                    connection.execute("SELECT cognifold.fold_without_embedding(%s)", [event_id])
                else:
                    connection.execute(
                        "SELECT cognifold.store_embedding(%s, %s, %s)", [event_id, vector, self.embedder.name]
                    )
        return len(waiting)

    def _vectors(self, texts: list[str]) -> list[str | None]:
        """pgvector's notation for each text's vector; None for a text without direction."""
        assert self.embedder is not None
        if not texts:
            return []
        try:
            return [_notation(vector) for vector in self.embedder.embed(texts, "document")]
        except ZeroVectorError:
            if len(texts) == 1:
                return [None]
            return [vector for text in texts for vector in self._vectors([text])]

    def propose(self, event_id: UUID) -> dict[str, Any]:
        """The UpdatePlan the SQL planner proposes for an event; changes nothing."""
        plan: dict[str, Any] = self._value("SELECT cognifold.propose(%s)", [event_id])
        return plan

    def apply_plan(self, plan: dict[str, Any]) -> dict[str, Any]:
        """Apply an UpdatePlan whole or not at all: ``{"plan_id", "counts", "refs"}``.

        Raises :class:`~cognifold_pg.errors.InvalidPlanError` with the faulty operation's index and reason.
        """
        result: dict[str, Any] = self._value("SELECT cognifold.apply_plan(%s)", [Jsonb(plan)])
        return result

    def recall(
        self,
        query: str,
        k: int = 10,
        *,
        kinds: Sequence[str] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        actors: Sequence[str] | None = None,
        sources: Sequence[str] | None = None,
        minimum_score: float = 0,
        as_of: datetime | None = None,
    ) -> list[Recollection]:
        """The ``k`` memories that answer ``query`` best, best first; arguments as in SQL."""
        for name, moment in (("since", since), ("until", until), ("as_of", as_of)):
            _check_aware(name, moment)
        vector, model = self._asked(query)
        return self._rows(
            Recollection,
            "SELECT * FROM cognifold.recall(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
            [clean(query), k, kinds and list(kinds), since, until, actors and list(actors), sources and list(sources),
             minimum_score, as_of, vector, model],
        )  # fmt: skip

    def _asked(self, query: str) -> tuple[str | None, str | None]:
        """The question's vector and its model, where an outside model makes it; the names in it left out."""
        if self.embedder is None:
            return None, None
        words = self._value("SELECT words FROM cognifold.query_terms(cognifold.required_tenant(), %s)", [clean(query)])
        return _notation(self.embedder.embed([words], "query")[0]), self.embedder.name

    def explain(self, node_id: UUID, *, as_of: datetime | None = None) -> list[Evidence]:
        """What a memory rests on: itself first, then its evidence down to verbatim events."""
        _check_aware("as_of", as_of)
        return self._rows(Evidence, "SELECT * FROM cognifold.explain(%s, %s)", [node_id, as_of])

    def check(self) -> list[Violation]:
        """Every invariant of the tenant's memory that does not hold; empty in a sound memory."""
        return self._rows(Violation, "SELECT * FROM cognifold.check()", [])

    def rows(self, query: str, parameters: Sequence[Any] = ()) -> list[dict[str, Any]]:
        """Rows of a query over the views (``event``, ``concept``, ``intent``, ``edge``), scoped to the tenant."""
        with self._transaction() as connection, connection.cursor(row_factory=dict_row) as cursor:
            return cursor.execute(query.encode(), parameters).fetchall()

    # -------------------------------------------------------------------------------------------- inside

    @contextmanager
    def _transaction(self, *, scoped: bool = True) -> Iterator[psycopg.Connection[Any]]:
        if self._pool.closed:
            self._pool.open()
        try:
            with self._pool.connection() as connection, connection.transaction():
                connection.execute(
                    "SELECT set_config('cognifold.tenant', %s, true), set_config('cognifold.now', %s, true)",
                    [self.tenant if scoped else "", self.clock.isoformat() if self.clock else ""],
                )
                yield connection
        except psycopg.Error as error:
            if (error.sqlstate or "").startswith("CF"):
                hint = error.diag.message_hint
                message = f"{error.diag.message_primary}. {hint}" if hint else str(error.diag.message_primary)
                raise from_sqlstate(error.sqlstate, message) from error
            raise

    def _rows(self, row: type[_Row], query: str, parameters: Sequence[Any]) -> list[_Row]:
        with self._transaction() as connection, connection.cursor(row_factory=class_row(row)) as cursor:
            return cursor.execute(query.encode(), parameters).fetchall()

    def _value(self, query: str, parameters: Sequence[Any]) -> Any:
        with self._transaction() as connection:
            row = connection.execute(query.encode(), parameters).fetchone()
        if row is None:
            raise CognifoldError(f"no row came back from {query}")
        return row[0]


def _notation(vector: Iterable[float]) -> str:
    return "[" + ",".join(f"{number:.8g}" for number in vector) + "]"


def clean(text: str) -> str:
    """The text as PostgreSQL can hold it: NUL and lone surrogates become U+FFFD, the replacement character."""
    # By way of UTF-16, in which a pair of surrogates is one character and a lone one is the error it is.
    return text.replace("\x00", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _clean_json(name: str, value: Any) -> Any:
    """The value as JSON can hold it; ``name`` is where it stands, for the error."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {clean(str(key)): _clean_json(f"{name}.{key}", item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_clean_json(f"{name}[{place}]", item) for place, item in enumerate(value)]
    if isinstance(value, float) and not math.isfinite(value):
        raise InvalidValueError(f"{name} = {value} is not a number of JSON. Give a finite number, or leave it out.")
    if not isinstance(value, int | float | None):
        raise InvalidValueError(
            f"{name} = {value!r} is of type {type(value).__name__}, which JSON does not have. Write it as text or number."
        )
    return value


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


def _read_any_time(connection: psycopg.Connection[Any]) -> None:
    connection.adapters.register_loader("timestamptz", _AnyTimeLoader)


def _check_aware(name: str, moment: datetime | None) -> None:
    if moment is not None and moment.utcoffset() is None:
        raise InvalidValueError(
            f"{name} = {moment.isoformat()} has no time zone. Give an aware datetime, for instance "
            "datetime(2026, 6, 1, 9, tzinfo=ZoneInfo('Europe/Amsterdam'))."
        )


def _arguments(experience: Experience) -> dict[str, Any]:
    """The experience as JSON for the database: cleaned text, aware times in ISO 8601."""
    _check_aware("occurred_at", experience.occurred_at)
    _check_aware("ended_at", experience.ended_at)
    record: dict[str, Any] = {}
    for item in fields(experience):
        value = getattr(experience, item.name)
        if isinstance(value, datetime):
            record[item.name] = value.isoformat()
        elif value is not None:
            record[item.name] = _clean_json(item.name, value)
    return record


# One statement for a whole batch: the verb is called once a record, in the order given.
_REMEMBER_MANY = """
SELECT stored.event_id, stored.is_new FROM cognifold.remember_many(%s::jsonb) AS stored ORDER BY stored.position
"""
