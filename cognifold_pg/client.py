"""The Python client: the memory's verbs, one to one, typed.

Every verb is a SQL function of schema ``cognifold``; this class names it, scopes it to one tenant and gives errors
their classes. Nothing is decided here.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar
from uuid import UUID

import psycopg
from psycopg.rows import class_row, dict_row
from psycopg.types.json import Jsonb

from cognifold_pg.embedding.provider import EmbeddingProvider
from cognifold_pg.errors import CognifoldError, InvalidValueError, UnknownTenantError, ZeroVectorError
from cognifold_pg.experience import Experience
from cognifold_pg.transactions import JoinedTransactions, PooledTransactions, Statements, Transactions, told

if TYPE_CHECKING:
    from cognifold_pg.transactions import Joinable

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
class ContextNode:
    """One row of ``context_window``: a memory to have in mind, its tier, and why it is there.

    ``tier`` is immediate, working, background or priority, and ``tier_score`` what that tier goes by.
    ``score = (.4 pagerank + .4 recency + .2 access) * urgency`` (CogniFold, Eq. 1): the first three in [0, 1],
    ``urgency`` in [1, 2]. ``diversity`` in [0, 1] is there in the background tier only.
    """

    tier: str
    node_id: UUID
    kind: str
    title: str
    score: float
    pagerank: float
    recency: float
    access: float
    urgency: float
    diversity: float | None
    tier_score: float
    occurred_at: datetime
    content: str


@dataclass(frozen=True, slots=True)
class NodeRank:
    """One row of ``pagerank``: ``rank`` in (0, 1], 1 for the tenant's highest."""

    node_id: UUID
    rank: float


@dataclass(frozen=True, slots=True)
class Stats:
    """The row of ``stats``: how large the memory is and how its work stands. Times are of the wall clock.

    ``edges_live`` weigh at least ``edge.fade`` at the memory's clock; ``folds_failed`` will be tried again,
    ``folds_dead`` will not. ``oldest_pending`` is when the longest waiting event was stored.
    """

    tenant_id: str
    events: int
    concepts: int
    intents: int
    times: int
    edges_live: int
    edges_faded: int
    folds_pending: int
    folds_failed: int
    folds_dead: int
    oldest_pending: datetime | None
    last_event: datetime | None
    last_fold: datetime | None
    last_consolidation: datetime | None
    embedding_model: str


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """One row of ``health``: what was checked, whether it holds, and what was seen."""

    name: str
    ok: bool
    detail: str


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


@dataclass(frozen=True, slots=True)
class Intent:
    """One row of ``emit_intents``: a goal nobody asked for, and why it is there.

    ``readiness``, made of ``density`` and ``pressure`` (all in [0, 1]), reached ``theta`` of its ``category``.
    ``reason`` quotes who said what; ``evidence`` holds the events it rests on, in order of event time;
    ``deadline`` is the earliest they name that is still ahead.
    """

    intent_id: UUID
    title: str
    category: str
    density: float
    theta: float
    reason: str
    deadline: datetime | None
    evidence: Sequence[UUID]
    pressure: float
    readiness: float


@dataclass(frozen=True, slots=True)
class Consolidation:
    """What a pass of ``consolidate`` did.

    ``run_id`` is ``None`` where there was nothing to do; ``plans`` are the plans it wrote, in order. ``merges_left``
    counts pairs beyond the cap of a pass (setting ``consolidate.merge_share``), which the next one goes on with.
    """

    run_id: UUID | None
    as_of: datetime
    plans: tuple[UUID, ...]
    concepts_changed: int
    edges_faded: int
    concepts_merged: int
    merges_left: int
    concepts_completed: int
    edges_inferred: int
    events_replayed: int
    events_consolidating: int
    events_consolidated: int
    events_archived: int


class Memory:
    """One tenant's memory in a PostgreSQL database.

    ``dsn`` is anything libpq understands. Each call is a transaction of its own (:meth:`joined` works within one of
    yours). ``clock`` moves the memory's clock (an aware datetime; the role must be a member of ``cognifold_clock``),
    ``None`` is the present. ``embedder`` is for a tenant whose vectors an outside model makes; its ``name`` must be
    that of the tenant's model (else :class:`~cognifold_pg.errors.EmbeddingModelMismatchError`); no transaction is open
    while it works. ``pool_size`` is how many connections may be open at once, for threads that share the object; the
    first is made by the first call, which raises :class:`~cognifold_pg.errors.UnreachableError` where that fails.

    Errors the memory raises on purpose have classes (:mod:`cognifold_pg.errors`); whatever else goes wrong in the
    database is raised as psycopg's own.
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
        _check_int("pool_size", pool_size)
        if pool_size < 1:
            raise InvalidValueError(f"pool_size = {pool_size} is less than 1. Give how many connections may be open.")
        self._begin_with(PooledTransactions(dsn, pool_size), tenant, clock, embedder)

    @classmethod
    def joined(
        cls,
        connection: Joinable,
        *,
        tenant: str,
        clock: datetime | None = None,
        embedder: EmbeddingProvider | None = None,
    ) -> Self:
        """A memory that works within the caller's transaction: what it stores is committed or rolled back with it.

        ``connection`` is a psycopg ``Connection``, or a SQLAlchemy ``Connection`` or ``Session`` on
        ``postgresql+psycopg``; a :class:`TypeError` says so of anything else. Each call is a savepoint: one that
        raises takes back its own work only, and the transaction goes on. Nothing here commits (a connection in
        autocommit mode commits each call itself), and the settings ``cognifold.tenant`` and ``cognifold.now`` are
        afterwards as they were; with ``clock=None`` the connection's own clock holds. An ``embedder`` works while the
        transaction is open. Not for several threads at once: a connection is not.
        """
        memory = cls.__new__(cls)
        memory._begin_with(JoinedTransactions(connection), tenant, clock, embedder)
        return memory

    def _begin_with(
        self, transactions: Transactions, tenant: str, clock: datetime | None, embedder: EmbeddingProvider | None
    ) -> None:
        _check_aware("clock", clock)
        _check_tenant(tenant)
        self.tenant = tenant
        self.clock = clock
        self.embedder = embedder
        self._transactions = transactions

    def __enter__(self) -> Self:
        self._transactions.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give all connections back to the server; a joined memory has none of its own."""
        self._transactions.close()

    # -------------------------------------------------------------------------------------------- verbs

    def create_tenant(self, *, display_name: str | None = None, time_zone: str = "UTC", model: str = "lexicon") -> bool:
        """Make this memory's tenant; False if it was there."""
        with self._transaction(scoped=False) as statements:
            row = statements.execute(
                "SELECT cognifold.create_tenant(%s, %s, %s, %s)", [self.tenant, display_name, time_zone, model]
            ).fetchone()
        return bool(row and row[0])

    def remember(self, experience: Experience | str, **fields_: Any) -> UUID:
        """Store an event and queue it to be folded; the id of the event, new or known.

        Takes an :class:`Experience`, or its ``content`` and other fields by name. Raises
        :class:`InvalidValueError` for a naive datetime or a value out of range or of another type; then nothing is
        stored.
        """
        if isinstance(experience, str):
            experience = Experience(experience, **fields_)
        elif fields_:
            raise TypeError("give an Experience, or its fields by name, not both")
        return self._remember_records(iter([_record(experience)])).ids[0]

    def remember_many(self, experiences: Iterable[Experience]) -> Stored:
        """Store many events in one transaction: all of them or, if one is refused, none.

        ``experiences`` is read as it is sent, a batch at a time, so it may be longer than memory holds. Raises
        :class:`InvalidValueError` with the place of the refused event, from 0.
        """
        return self._remember_records(_records(experiences))

    def _remember_records(self, records: Iterator[str]) -> Stored:
        # COPY into a staging table was measured against this: 10,000 events in 3.1 instead of 3.7 s. Nearly all of
        # either is `store_event`, the one writer of events: COPY would buy little, and want a table the role may make.
        batches = _batches(records)
        if (batch := next(batches, None)) is None:
            return Stored(0, 0, ())
        ids: list[UUID] = []
        new = 0
        with self._transaction() as statements:
            while batch is not None:
                try:
                    rows = statements.execute(_REMEMBER_MANY, [f"[{','.join(batch)}]"]).fetchall()
                except psycopg.Error as error:
                    # Within the block, so that only what the database says of a batch is renumbered.
                    if error.sqlstate != InvalidValueError.sqlstate:
                        raise
                    raise InvalidValueError(_counted(len(ids), len(batch), told(error))) from error
                ids.extend(event_id for event_id, _ in rows)
                new += sum(is_new for _, is_new in rows)
                batch = next(batches, None)
        return Stored(new, len(ids) - new, tuple(ids))

    def fold(self, max_events: int = 50) -> list[Folded]:
        """Fold up to ``max_events`` waiting events in one transaction."""
        _check_int("max_events", max_events)
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
        _check_int("max_events", max_events)
        if self.embedder is None:
            return 0
        with self._transaction() as statements:
            waiting = statements.execute("SELECT * FROM cognifold.awaiting_embedding(%s)", [max_events]).fetchall()
        vectors = self._vectors([text for _, text in waiting])
        with self._transaction() as statements:
            for (event_id, _), vector in zip(waiting, vectors, strict=True):
                if vector is None:
                    statements.execute("SELECT cognifold.fold_without_embedding(%s)", [event_id])
                else:
                    statements.execute(
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

    def propose(self, event_id: UUID | str) -> dict[str, Any]:
        """The UpdatePlan the SQL planner proposes for an event; changes nothing."""
        plan: dict[str, Any] = self._value("SELECT cognifold.propose(%s)", [_uuid("event_id", event_id)])
        return plan

    def apply_plan(self, plan: dict[str, Any]) -> dict[str, Any]:
        """Apply an UpdatePlan whole or not at all: ``{"plan_id", "counts", "refs"}``.

        Ids may be :class:`~uuid.UUID` or text. Raises :class:`~cognifold_pg.errors.InvalidPlanError` with the faulty
        operation's index and reason, :class:`InvalidValueError` for what JSON does not have.
        """
        result: dict[str, Any] = self._value("SELECT cognifold.apply_plan(%s)", [Jsonb(_as_json("plan", plan))])
        return result

    def consolidate(self, *, as_of: datetime | None = None) -> Consolidation:
        """One sleep pass over what changed since the last, as of the clock or of ``as_of``.

        Edges that have faded leave the live graph, concepts that are alike become one, orphans are tied in, events
        are replayed. Atomic; raises :class:`InvalidValueError` for a moment that is naive.
        """
        _check_aware("as_of", as_of)
        report: dict[str, Any] = self._value("SELECT cognifold.consolidate(%s)", [as_of])
        return Consolidation(
            run_id=report["run_id"] and UUID(report["run_id"]),
            as_of=datetime.fromisoformat(report["as_of"]),
            plans=tuple(UUID(plan) for plan in report["plans"]),
            **report["counts"],
        )

    def emit_intents(self, *, as_of: datetime | None = None) -> list[Intent]:
        """Let what is wanted surface: the new intents; those whose need has been met are closed.

        Looks only at what has changed since the last call; called again at the same moment it returns nothing.
        """
        _check_aware("as_of", as_of)
        return self._rows(Intent, "SELECT * FROM cognifold.emit_intents(%s)", [as_of])

    def answer_intent(
        self, intent_id: UUID | str, answer: str, note: str | None = None, *, wake_at: datetime | None = None
    ) -> UUID:
        """Say what becomes of an intent: accept, modify, defer, reject or resolve; the event the answer became.

        ``note`` is kept in your words. A deferred intent is pending again from ``wake_at`` on (by default a day
        later). Raises :class:`~cognifold_pg.errors.IllegalTransitionError` for one that is closed or expired,
        :class:`~cognifold_pg.errors.UnknownNodeError` for an id that is no intent.
        """
        _check_aware("wake_at", wake_at)
        event: UUID = self._value(
            "SELECT cognifold.answer_intent(%s, %s, %s, %s)",
            [
                _uuid("intent_id", intent_id),
                _text("answer", answer),
                None if note is None else _text("note", note),
                wake_at,
            ],
        )
        return event

    def density(self, concept: UUID | str, *, as_of: datetime | None = None) -> float:
        """How much evidence a concept and its neighbours hold, and how closely it hangs together, in [0, 1]."""
        _check_aware("as_of", as_of)
        density: float = self._value("SELECT cognifold.density(%s, %s)", [_uuid("concept", concept), as_of])
        return density

    def theta(self, category: str, *, as_of: datetime | None = None) -> float:
        """The readiness an intent of ``category`` must reach, as answers have moved it."""
        _check_aware("as_of", as_of)
        theta: float = self._value("SELECT cognifold.theta(%s, %s)", [category, as_of])
        return theta

    def recall(
        self,
        query: str,
        k: int = 10,
        *,
        kinds: Iterable[str] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        actors: Iterable[str] | None = None,
        sources: Iterable[str] | None = None,
        minimum_score: float = 0,
        as_of: datetime | None = None,
    ) -> list[Recollection]:
        """The ``k`` memories that answer ``query`` best, best first; arguments as in SQL.

        Raises :class:`InvalidValueError` for a naive moment, a ``k`` that is no number or out of range, and a text
        where a list of texts is meant.
        """
        _check_int("k", k)
        query = _text("query", query)
        for name, moment in (("since", since), ("until", until), ("as_of", as_of)):
            _check_aware(name, moment)
        vector, model = self._asked(query)
        return self._rows(
            Recollection,
            "SELECT * FROM cognifold.recall(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
            [query, k, _texts("kinds", kinds), since, until, _texts("actors", actors), _texts("sources", sources),
             _number("minimum_score", minimum_score), as_of, vector, model],
        )  # fmt: skip

    def _asked(self, query: str) -> tuple[str | None, str | None]:
        """The question's vector and its model, where an outside model makes it; the names in it left out."""
        if self.embedder is None:
            return None, None
        words = self._value("SELECT words FROM cognifold.query_terms(cognifold.required_tenant(), %s)", [query])
        return _notation(self.embedder.embed([words], "query")[0]), self.embedder.name

    def explain(self, node_id: UUID | str, *, as_of: datetime | None = None) -> list[Evidence]:
        """What a memory rests on: itself first, then its evidence down to verbatim events.

        Raises :class:`InvalidValueError` for a text that is no uuid, :class:`~cognifold_pg.errors.UnknownNodeError`
        for an id that no node has.
        """
        _check_aware("as_of", as_of)
        return self._rows(Evidence, "SELECT * FROM cognifold.explain(%s, %s)", [_uuid("node_id", node_id), as_of])

    def check(self) -> list[Violation]:
        """Every invariant of the tenant's memory that does not hold; empty in a sound memory."""
        return self._rows(Violation, "SELECT * FROM cognifold.check()", [])

    def pagerank(self, *, as_of: datetime | None = None) -> list[NodeRank]:
        """How much of the memory points at each node (weighted PageRank over the live graph), highest first."""
        _check_aware("as_of", as_of)
        return self._rows(NodeRank, "SELECT * FROM cognifold.pagerank(%s)", [as_of])

    def context_window(self, max_nodes: int = 100, *, as_of: datetime | None = None) -> list[ContextNode]:
        """Up to ``max_nodes`` (1 to 10,000) memories to have in mind, from the immediate to the background tier.

        As of the memory's clock, or of ``as_of``. Raises :class:`InvalidValueError` for a number out of range.
        """
        _check_aware("as_of", as_of)
        _check_int("max_nodes", max_nodes)
        return self._rows(ContextNode, "SELECT * FROM cognifold.context_window(%s, %s)", [max_nodes, as_of])

    def stats(self) -> Stats:
        """How large the memory is and how its work stands, in numbers.

        Raises :class:`~cognifold_pg.errors.UnknownTenantError` for a tenant that is not there, or not this role's.
        """
        rows = self._rows(Stats, "SELECT * FROM cognifold.stats WHERE tenant_id = %s", [self.tenant])
        if not rows:
            raise UnknownTenantError(
                f'tenant "{self.tenant}" does not exist, or this role may not see it. create_tenant() makes it.'
            )
        return rows[0]

    def health(self) -> list[HealthCheck]:
        """Whether the database's memory works: checks, and a round trip of two events that leaves nothing.

        Tells of the installation, not of this tenant. Works before the tenant is made.
        """
        with self._transaction(scoped=False) as statements:
            cursor = statements.cursor(row_factory=class_row(HealthCheck))
            return cursor.execute("SELECT * FROM cognifold.health").fetchall()

    def rows(self, query: str, parameters: Sequence[Any] = ()) -> list[dict[str, Any]]:
        """Rows of a query over the views (``event``, ``concept``, ``edge``, ...), scoped to the tenant, as dicts."""
        with self._transaction() as statements, statements.cursor(row_factory=dict_row) as cursor:
            return cursor.execute(query.encode(), parameters).fetchall()

    # -------------------------------------------------------------------------------------------- inside

    def _transaction(self, *, scoped: bool = True) -> AbstractContextManager[Statements]:
        return self._transactions.begin(self.tenant if scoped else "", self.clock)

    def _rows(self, row: type[_Row], query: str, parameters: Sequence[Any]) -> list[_Row]:
        with self._transaction() as statements, statements.cursor(row_factory=class_row(row)) as cursor:
            return cursor.execute(query.encode(), parameters).fetchall()

    def _value(self, query: str, parameters: Sequence[Any]) -> Any:
        with self._transaction() as statements:
            row = statements.execute(query.encode(), parameters).fetchone()
        if row is None:
            raise CognifoldError(f"no row came back from {query}")
        return row[0]


def _notation(vector: Iterable[float]) -> str:
    return "[" + ",".join(f"{number:.8g}" for number in vector) + "]"


def clean(text: str) -> str:
    """The text as PostgreSQL can hold it: NUL and lone surrogates become U+FFFD, the replacement character."""
    # By way of UTF-16, in which a pair of surrogates is one character and a lone one is the error it is.
    return text.replace("\x00", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _as_json(name: str, value: Any) -> Any:
    """The value as JSON can hold it; ``name`` is where it stands, for the error."""
    try:
        return _clean_json(name, value)
    except RecursionError:
        raise InvalidValueError(f"{name} is nested too deeply, or contains itself. Give a tree of JSON.") from None


def _clean_json(name: str, value: Any) -> Any:
    """The value as JSON can hold it; ``name`` is where it stands, for the error."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, dict):
        return {clean(str(key)): _clean_json(f"{name}.{key}", item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_clean_json(f"{name}[{place}]", item) for place, item in enumerate(value)]
    if isinstance(value, float) and not math.isfinite(value):
        raise InvalidValueError(f"{name} = {value} is not a number of JSON. Give a finite number, or leave it out.")
    if not isinstance(value, int | float | None):
        raise InvalidValueError(
            f"{name} = {value!r} is of type {type(value).__name__}, which JSON does not have. "
            "Write it as text or number."
        )
    return value


def _check_tenant(tenant: str) -> None:
    if tenant != _text("tenant", tenant):
        raise InvalidValueError(f"tenant = {tenant!r} holds a character PostgreSQL can't store. Leave it out.")


def _text(name: str, value: str) -> str:
    """The text, cleaned; raises InvalidValueError for anything else."""
    if not isinstance(value, str):
        raise InvalidValueError(f"{name} = {value!r} is of type {type(value).__name__}, not a text. Give a str.")
    return clean(value)


def _texts(name: str, values: Iterable[str] | None) -> list[str] | None:
    """A filter's texts; one text is refused, whose letters it would be taken for."""
    if values is None:
        return None
    if isinstance(values, str):
        raise InvalidValueError(f"{name} = {values!r} is one text, not a list of them. Write {name}=[{values!r}].")
    if not isinstance(values, Iterable):
        raise InvalidValueError(f"{name} = {values!r} is not a list of texts. Write {name}=['...'].")
    return [_text(f"{name}[{place}]", value) for place, value in enumerate(values)]


def _check_int(name: str, value: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) >= 2**31:
        raise InvalidValueError(f"{name} = {value!r} is not a whole number the database can count with. Give an int.")


def _number(name: str, value: float) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise InvalidValueError(f"{name} = {value!r} is of type {type(value).__name__}. Give a number.")
    return value


def _uuid(name: str, value: UUID | str) -> UUID:
    """A node's id, from text too."""
    try:
        return value if isinstance(value, UUID) else UUID(value)
    except (ValueError, AttributeError, TypeError):
        raise InvalidValueError(f"{name} = {value!r} is not a uuid. Give one, as a UUID or as text.") from None


def _check_aware(name: str, moment: datetime | None) -> None:
    if moment is not None and not isinstance(moment, datetime):
        raise InvalidValueError(
            f"{name} = {str(moment)!r} is of type {type(moment).__name__}. Give an aware datetime, for instance "
            "datetime(2026, 6, 1, 9, tzinfo=ZoneInfo('Europe/Amsterdam'))."
        )
    if moment is not None and moment.utcoffset() is None:
        raise InvalidValueError(
            f"{name} = {moment.isoformat()} has no time zone. Give an aware datetime, for instance "
            "datetime(2026, 6, 1, 9, tzinfo=ZoneInfo('Europe/Amsterdam'))."
        )


def _record(experience: Experience) -> str:
    """The experience as JSON for the database: cleaned text, aware times in ISO 8601."""
    if not isinstance(experience, Experience):
        raise InvalidValueError(
            f"{experience!r:.80} is of type {type(experience).__name__}, not an Experience. "
            "Give Experience('what happened', ...)."
        )
    _check_aware("occurred_at", experience.occurred_at)
    _check_aware("ended_at", experience.ended_at)
    record: dict[str, Any] = {}
    for item in fields(experience):
        value = getattr(experience, item.name)
        if isinstance(value, datetime):
            record[item.name] = value.isoformat()
        elif value is not None:
            record[item.name] = _as_json(item.name, value)
    return json.dumps(record)


def _records(experiences: Iterable[Experience]) -> Iterator[str]:
    """The experiences' JSON, in order; one that is refused is named by its place."""
    if isinstance(experiences, str | bytes | Mapping | Experience) or not isinstance(experiences, Iterable):
        raise InvalidValueError(
            f"experiences is of type {type(experiences).__name__}. Give a list, or another iterable, of Experience."
        )
    return (_numbered(place, experience) for place, experience in enumerate(experiences))


def _numbered(place: int, experience: Experience) -> str:
    try:
        return _record(experience)
    except InvalidValueError as error:
        raise InvalidValueError(f"event {place}: {error}") from None


# One statement carries so many events, or so many characters: far below the 256 MB that end a JSON value.
_BATCH_EVENTS = 1000
_BATCH_CHARACTERS = 4_000_000


def _batches(records: Iterable[str]) -> Iterator[list[str]]:
    """The records in batches, in order."""
    batch: list[str] = []
    characters = 0
    for record in records:
        batch.append(record)
        characters += len(record)
        if len(batch) == _BATCH_EVENTS or characters >= _BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def _counted(sent: int, size: int, message: str) -> str:
    """The message with an event's place in its batch made its place among all that were given; of one, no place."""
    found = re.match(r"event (\d+)", message)
    if found is None:
        return message
    if sent == 0 and size == 1:
        return message[found.end() :].removeprefix(": ")
    return f"event {int(found[1]) + sent}{message[found.end() :]}"


# One statement for a whole batch: the verb is called once a record, in the order given.
_REMEMBER_MANY = """
SELECT stored.event_id, stored.is_new FROM cognifold.remember_many(%s::jsonb) AS stored ORDER BY stored.position
"""
