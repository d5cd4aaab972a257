"""The Python client: the memory's verbs, one to one, typed.

Every verb is a SQL function of schema ``cognifold``; this class names it, scopes it to one tenant and gives errors
their classes. Nothing is decided here.
"""

from __future__ import annotations

import math
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, Unpack
from uuid import UUID

import psycopg
from psycopg.rows import class_row, dict_row
from psycopg.types.json import Jsonb

from cognifold_pg.arguments import (
    Narrowing,
    WatchOptions,
    as_json,
    as_record,
    as_records,
    batches,
    check_aware,
    check_int,
    check_tenant,
    checked_narrowing,
    checked_text,
    checked_uuid,
    checked_uuids,
    clean,
    counted,
    vector_notation,
)
from cognifold_pg.delivery import Deliveries
from cognifold_pg.embedding.provider import EmbeddingProvider
from cognifold_pg.errors import (
    CognifoldError,
    ConsolidationBusyError,
    InlineFoldWarning,
    InvalidValueError,
    UnknownTenantError,
    ZeroVectorError,
    told,
)
from cognifold_pg.experience import Experience
from cognifold_pg.folding import PlannedFold, is_away
from cognifold_pg.governing import GovernanceVerbs
from cognifold_pg.intents import IntentVerbs
from cognifold_pg.learning import RecallNotes
from cognifold_pg.results import (
    Affect,
    Backfilled,
    Change,
    Claimed,
    Consolidation,
    ConsolidationStep,
    Context,
    ContextNode,
    DatePhrase,
    Evidence,
    Failed,
    Folded,
    Forgotten,
    HealthCheck,
    Intent,
    NodeRank,
    RanksSettled,
    RecallExplanation,
    RecallsCounted,
    Recollection,
    Stats,
    Stored,
    Undone,
    Violation,
    Watched,
    WatchFault,
)
from cognifold_pg.transactions import JoinedTransactions, PooledTransactions, Transactions
from cognifold_pg.verbs import Row

if TYPE_CHECKING:
    from cognifold_pg.planner.request import Planner
    from cognifold_pg.transactions import Joinable


class Memory(IntentVerbs, Deliveries, GovernanceVerbs):
    """One tenant's memory in a PostgreSQL database.

    ``dsn`` is anything libpq understands. Each call is a transaction of its own (:meth:`joined` works within one of
    yours). ``clock`` moves the memory's clock (an aware datetime; the role must be a member of ``cognifold_clock``),
    ``None`` is the present. ``embedder`` is for a tenant whose vectors an outside model makes; its ``name`` must be
    that of the tenant's model (else :class:`~cognifold_pg.errors.EmbeddingModelMismatchError`); no transaction is open
    while it works. ``pool_size`` is how many connections may be open at once, for threads that share the object; the
    first is made by the first call, which raises :class:`~cognifold_pg.errors.UnreachableError` where that fails.
    ``learn`` says whether what is recalled is noted for the memory to learn from (:meth:`recall`).

    Errors the memory raises on purpose have classes (:mod:`cognifold_pg.errors`); whatever else goes wrong in the
    database is raised as psycopg's own.
    """

    _notes: RecallNotes | None

    def __init__(
        self,
        dsn: str,
        *,
        tenant: str,
        clock: datetime | None = None,
        embedder: EmbeddingProvider | None = None,
        pool_size: int = 4,
        learn: bool = True,
    ) -> None:
        check_int("pool_size", pool_size)
        if pool_size < 1:
            raise InvalidValueError(f"pool_size = {pool_size} is less than 1. Give how many connections may be open.")
        self._begin_with(PooledTransactions(dsn, pool_size), tenant, clock, embedder)
        self.learn = learn
        transactions = self._transactions
        self._notes = RecallNotes(lambda clock: transactions.begin(tenant, clock))

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
        check_aware("clock", clock)
        check_tenant(tenant)
        self.tenant = tenant
        self.clock = clock
        self.embedder = embedder
        self.learn = False
        self._notes = None
        self._transactions = transactions

    def __enter__(self) -> Self:
        self._transactions.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Note what was recalled and give all connections back to the server; a joined memory has none of its own."""
        if self._notes is not None:
            self._notes.close()
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
        return self._remember_records(iter([as_record(experience)])).ids[0]

    def remember_many(self, experiences: Iterable[Experience]) -> Stored:
        """Store many events in one transaction: all of them or, if one is refused, none.

        ``experiences`` is read as it is sent, a batch at a time, so it may be longer than memory holds. Raises
        :class:`InvalidValueError` with the place of the refused event, from 0.
        """
        return self._remember_records(as_records(experiences))

    def _remember_records(self, records: Iterator[str]) -> Stored:
        # COPY into a staging table was measured against this: 10,000 events in 3.1 instead of 3.7 s. Nearly all of
        # either is `store_event`, the one writer of events: COPY would buy little, and want a table the role may make.
        waiting = batches(records)
        if (batch := next(waiting, None)) is None:
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
                    raise InvalidValueError(counted(len(ids), len(batch), told(error))) from error
                ids.extend(event_id for event_id, _ in rows)
                new += sum(is_new for _, is_new in rows)
                batch = next(waiting, None)
        return Stored(new, len(ids) - new, tuple(ids))

    def fold(
        self,
        max_events: int = 50,
        *,
        planner: Planner | None = None,
        connection: Joinable | None = None,
        inline: bool = False,
    ) -> list[Folded]:
        """Fold up to ``max_events`` waiting events; what became of each.

        Without a ``planner`` the SQL planner folds them in one transaction. With one (a model) no transaction is open
        while it thinks: the events are claimed, the planner is asked, and each plan is applied in a transaction of
        its own that checks the claim; what it has no good plan for the SQL planner folds (setting ``fold.fallback``).

        ``connection`` is the caller's, with its open transaction: the fold is committed or rolled back with it, as
        all that a :meth:`joined` memory does. A planner is refused there, for locks and a snapshot would be held while
        a model thinks, unless ``inline=True`` says that this is wanted; then it has ``fold.inline_timeout`` seconds,
        and an :class:`~cognifold_pg.errors.InlineFoldWarning` is given.
        """
        check_int("max_events", max_events)
        memory = self
        if connection is not None:
            memory = Memory.joined(connection, tenant=self.tenant, clock=self.clock, embedder=self.embedder)
        if inline and (planner is None or not memory._is_joined):
            raise InvalidValueError(
                "inline = True is for a planner within your own transaction. Leave it out, or give the connection too."
            )
        if memory._is_joined and planner is not None and not inline:
            raise InvalidValueError(
                "A planner would keep your transaction open while it thinks, with its locks and its snapshot. Commit "
                "first and fold with a memory of its own, or say inline=True if row and memory must commit together."
            )
        memory.embed_waiting(max_events)
        if planner is None:
            return memory._rows(Folded, "SELECT * FROM cognifold.fold(%s)", [max_events])
        if max_events < 1:
            raise InvalidValueError(
                f"max_events = {max_events} is not a positive number. Say how many to fold at most."
            )
        patience = None
        if inline:
            patience = memory.setting("fold.inline_timeout")
            warnings.warn(
                f"Folding inline keeps your transaction open while a model thinks, up to {patience:g} s a batch: the "
                "events stay locked and no vacuum removes what has died since. Fold after the commit where you can.",
                InlineFoldWarning,
                stacklevel=2,
            )
        return PlannedFold(memory, planner, patience=patience).fold(max_events)

    def fold_all(
        self, *, batch: int = 1, planner: Planner | None = None, progress: Callable[[int], None] | None = None
    ) -> int:
        """Fold until nothing waits, committing after each ``batch`` events; how many were folded.

        ``planner`` as of :meth:`fold`; ends where its service is away. ``progress`` is called with the running total.
        A crash loses and repeats nothing.
        """
        total = 0
        while rows := self.fold(batch, planner=planner):
            total += sum(1 for row in rows if row.outcome == "folded")
            if progress is not None:
                progress(total)
            if is_away(rows[-1]):
                break
        return total

    def claim_folds(
        self, max_events: int = 1, *, lease: timedelta | None = None, worker: str | None = None
    ) -> list[Claimed]:
        """Take waiting events in hand, so that nobody else folds them before ``lease`` has passed.

        At most ``fold.batch`` of them, oldest event time first, under one fence. Raises :class:`InvalidValueError` for
        a number or lease out of range.
        """
        check_int("max_events", max_events)
        return self._rows(
            Claimed, "SELECT * FROM cognifold.claim_folds(%s, %s, %s)", [max_events, lease, worker and clean(worker)]
        )

    def fold_request(self, event_ids: Sequence[UUID | str]) -> dict[str, Any]:
        """What a planner is told of these events and of what lies near them, all of one moment."""
        with self._transactions.begin(self.tenant, self.clock, snapshot=True) as statements:
            row = statements.execute("SELECT cognifold.fold_request(%s)", [checked_uuids(event_ids)]).fetchone()
        assert row is not None
        request: dict[str, Any] = row[0]
        return request

    def apply_claimed(
        self,
        event_ids: Sequence[UUID | str],
        fence: int,
        plan: dict[str, Any],
        *,
        read_version: int | None = None,
        model: str | None = None,
    ) -> dict[str, Any]:
        """Apply a plan as the fold of claimed events: ``{"plan_id", "counts", "refs"}``; ``model`` is whose plan it is.

        Raises :class:`~cognifold_pg.errors.LostClaimError`, :class:`~cognifold_pg.errors.ConflictError` where a node
        that the plan names has changed after ``read_version``, :class:`~cognifold_pg.errors.InvalidPlanError`; then
        nothing has changed.
        """
        result: dict[str, Any] = self._value(
            "SELECT cognifold.apply_claimed(%s::uuid[], %s::bigint, %s, %s::bigint, %s)",
            [checked_uuids(event_ids), fence, Jsonb(as_json("plan", plan)), read_version, model and clean(model)],
        )
        return result

    def fold_claimed(self, event_id: UUID | str, fence: int, reason: str | None = None) -> dict[str, Any]:
        """Fold a claimed event with the SQL planner; ``reason`` says why not with a model."""
        result: dict[str, Any] = self._value(
            "SELECT cognifold.fold_claimed(%s, %s::bigint, %s)",
            [checked_uuid("event_id", event_id), fence, reason and clean(reason)],
        )
        return result

    def fail_claimed(
        self,
        event_ids: Sequence[UUID | str],
        fence: int,
        state: str,
        error_state: str,
        error: str,
        *,
        retry_after: float | None = None,
    ) -> list[Failed]:
        """Say why claimed events could not be folded: ``state`` failed, rate_limited or dead; where each stands now.

        ``retry_after`` is in seconds. Events that are not under this fence any more are left alone.
        """
        return self._rows(
            Failed,
            "SELECT * FROM cognifold.fail_claimed(%s::uuid[], %s::bigint, %s, %s, %s, %s)",
            [checked_uuids(event_ids), fence, state, clean(error_state), clean(error), _pause(retry_after)],
        )

    def release_claimed(self, event_ids: Sequence[UUID | str], fence: int) -> int:
        """Give claimed events back as if they had not been claimed; how many were still under this fence."""
        number: int = self._value(
            "SELECT cognifold.release_claimed(%s::uuid[], %s::bigint)", [checked_uuids(event_ids), fence]
        )
        return number

    def retry(self, event_id: UUID | str | None = None) -> int:
        """Queue again what failed, was turned away or is dead: all of it, or one event; how many.

        Of one event also a fold that was undone. Raises :class:`~cognifold_pg.errors.UnknownNodeError`.
        """
        number: int = self._value(
            "SELECT cognifold.retry(%s)", [None if event_id is None else checked_uuid("event_id", event_id)]
        )
        return number

    def setting(self, name: str) -> float:
        """A constant as it holds for this tenant; raises :class:`InvalidValueError` for a name that is none."""
        number: float | None = self._value("SELECT cognifold.setting(%s)", [checked_text("name", name)])
        if number is None:
            raise InvalidValueError(f"There is no setting {name!r}. The table cognifold.setting_default lists them.")
        return number

    def embed_waiting(self, max_events: int = 100) -> int:
        """Give waiting events their vectors by the outside model; how many. Nothing to do for the lexicon."""
        check_int("max_events", max_events)
        if self.embedder is None:
            return 0
        with self._transaction() as statements:
            waiting = statements.execute("SELECT * FROM cognifold.awaiting_embedding(%s)", [max_events]).fetchall()
        vectors = self._vectors([text for _, text in waiting], self.embedder)
        with self._transaction() as statements:
            for (event_id, _), vector in zip(waiting, vectors, strict=True):
                if vector is None:
                    statements.execute("SELECT cognifold.fold_without_embedding(%s)", [event_id])
                else:
                    statements.execute(
                        "SELECT cognifold.store_embedding(%s, %s, %s)", [event_id, vector, self.embedder.name]
                    )
        return len(waiting)

    def index_vectors(self, max_rows: int = 1000) -> int:
        """Move vectors of a large memory into its index, at most ``max_rows``; how many: call it until 0.

        Nothing waits for it: what is not in the index yet is found all the same, a little slower.
        """
        check_int("max_rows", max_rows)
        number: int = self._value("SELECT cognifold.index_vectors(%s)", [max_rows])
        return number

    def reembed(self, embedder: EmbeddingProvider | None = None, *, max_rows: int = 200) -> int:
        """Move this tenant to the model of ``embedder``, by default the lexicon; how many vectors were made.

        Every vector is made anew from its stored text, ``max_rows`` at a time, each batch in its own transaction:
        stopped or killed, it is called again and goes on. Until all are made everything goes on with the old model;
        then the tenant and this client change over, and the old vectors are dropped. Raises
        :class:`~cognifold_pg.errors.EmbeddingModelMismatchError` for a model that is not registered and
        :class:`~cognifold_pg.errors.ReembeddingError` while the tenant moves to another.
        """
        check_int("max_rows", max_rows)
        self._value("SELECT cognifold.reembed(%s)", ["lexicon" if embedder is None else embedder.name])
        made = 0
        while True:
            stored = 0 if embedder is None else self.store_reembedded_batch(embedder, max_rows)
            with self._transaction() as statements:
                state = statements.execute("SELECT state FROM cognifold.reembedding_progress").fetchone()
                done = statements.execute("SELECT cognifold.reembed_batch(%s)", [max_rows]).fetchone()
                left = statements.execute("SELECT state FROM cognifold.reembedding_progress").fetchone()
            assert done is not None
            if left is None or left[0] == "switched":
                self.embedder = embedder
            elif embedder is None and state == left:
                made += done[0]
            made += stored
            if not done[0] and not stored:
                return made

    def abandon_reembedding(self) -> bool:
        """Stay with the model there is, and drop what :meth:`reembed` has made; False if it was not under way."""
        done: bool = self._value("SELECT cognifold.abandon_reembedding()", [])
        while self._value("SELECT cognifold.reembed_batch()", []):
            pass
        return done

    def store_reembedded_batch(self, embedder: EmbeddingProvider, max_rows: int) -> int:
        """One batch of :meth:`reembed`: vectors by ``embedder``, which the tenant moves to; how many."""
        with self._transaction() as statements:
            waiting = statements.execute("SELECT * FROM cognifold.awaiting_reembedding(%s)", [max_rows]).fetchall()
        if not waiting:
            return 0
        vectors = self._vectors([text for _, text in waiting], embedder)
        number: int = self._value(
            "SELECT cognifold.store_reembedded(%s::uuid[], %s::text[]::vector[], %s)",
            [[event_id for event_id, _ in waiting], vectors, embedder.name],
        )
        return number

    def _vectors(self, texts: list[str], embedder: EmbeddingProvider) -> list[str | None]:
        """pgvector's notation for each text's vector; None for a text without direction."""
        if not texts:
            return []
        try:
            return [vector_notation(vector) for vector in embedder.embed(texts, "document")]
        except ZeroVectorError:
            if len(texts) == 1:
                return [None]
            return [vector for text in texts for vector in self._vectors([text], embedder)]

    def propose(self, event_id: UUID | str) -> dict[str, Any]:
        """The UpdatePlan the SQL planner proposes for an event; changes nothing."""
        plan: dict[str, Any] = self._value("SELECT cognifold.propose(%s)", [checked_uuid("event_id", event_id)])
        return plan

    def apply_plan(self, plan: dict[str, Any]) -> dict[str, Any]:
        """Apply an UpdatePlan whole or not at all: ``{"plan_id", "counts", "refs"}``.

        Ids may be :class:`~uuid.UUID` or text. Raises :class:`~cognifold_pg.errors.InvalidPlanError` with the faulty
        operation's index and reason, :class:`InvalidValueError` for what JSON does not have.
        """
        result: dict[str, Any] = self._value("SELECT cognifold.apply_plan(%s)", [Jsonb(as_json("plan", plan))])
        return result

    def undo_plan(self, plan_id: UUID | str, *, cascade: bool = False) -> Undone:
        """Take a plan back, exactly; with ``cascade`` the later plans that build on it first.

        Raises :class:`~cognifold_pg.errors.DependentPlansError`, which lists those plans, without ``cascade``;
        :class:`~cognifold_pg.errors.UnknownNodeError` for a plan this tenant has not. An undo is a plan itself:
        undo it to have the plan back.
        """
        result: dict[str, Any] = self._value(
            "SELECT cognifold.undo_plan(%s, %s)", [checked_uuid("plan_id", plan_id), cascade]
        )
        return Undone(
            plan_id=UUID(result["plan_id"]),
            undone=tuple(UUID(plan) for plan in result["undone"]),
            rows_restored=result["counts"]["rows_restored"],
        )

    def forget(
        self,
        *,
        node_ids: Iterable[UUID | str] | None = None,
        idempotency_key: str | None = None,
        source: str | None = None,
        source_key: str | None = None,
        actor: str | None = None,
        subject: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        dry_run: bool = False,
    ) -> Forgotten:
        """Forget what meets all conditions given, for good: it, what was made of it, and the record of that.

        ``subject`` is a name that anything stored of an event may hold, ``source_key`` a key within ``source`` (of a
        watched table the primary key); the others are exactly the arguments of ``remember``. Concepts and intents
        that other evidence holds up stay, with the words which that evidence gives them. ``dry_run`` only counts.

        Raises :class:`~cognifold_pg.errors.ForgetConditionError` without a condition: nothing is never everything.
        Needs the role ``cognifold_governor``.
        """
        check_aware("since", since)
        check_aware("until", until)
        texts = {
            "idempotency_key": idempotency_key,
            "source": source,
            "source_key": source_key,
            "actor": actor,
            "subject": subject,
        }
        given: dict[str, Any] = {name: checked_text(name, text) for name, text in texts.items() if text is not None}
        if node_ids is not None:
            given["node_ids"] = checked_uuids(node_ids, "node_ids")
        given |= {name: moment for name, moment in (("since", since), ("until", until)) if moment is not None}
        named = "".join(f"{name} => %s, " for name in given)
        report = self._value(f"SELECT cognifold.forget({named}dry_run => %s)", [*given.values(), bool(dry_run)])
        return Forgotten(
            forget_id=UUID(report["forget_id"]) if report["forget_id"] else None,
            plan_id=UUID(report["plan_id"]) if report["plan_id"] else None,
            dry_run=report["dry_run"],
            counts=report["counts"],
        )

    def history(self, node_id: UUID | str) -> list[Change]:
        """What was done to a node, its edges and its evidence, plan by plan, oldest first; also once it is gone."""
        return self._rows(Change, "SELECT * FROM cognifold.history(%s)", [checked_uuid("node_id", node_id)])

    def plan(self, plan_id: UUID | str) -> dict[str, Any]:
        """The whole record of a plan: operations and reasons, result, and the rows it changed as they were before."""
        record: dict[str, Any] = self._value("SELECT cognifold.plan(%s)", [checked_uuid("plan_id", plan_id)])
        return record

    def consolidate(
        self,
        *,
        as_of: datetime | None = None,
        time_budget: timedelta | None = None,
        row_budget: int | None = None,
        wait: bool = True,
        progress: Callable[[ConsolidationStep], object] | None = None,
    ) -> Consolidation:
        """One sleep pass over what changed since the last, as of the clock or of ``as_of``.

        Edges that have faded leave the live graph, concepts that are alike become one, orphans are tied in, events
        are replayed. It is made in short steps, each its own transaction, so that folding goes on meanwhile;
        ``progress`` is told of each. Killed at any moment it leaves whole steps, and the next pass goes on. A joined
        memory makes the whole pass within the caller's transaction. ``time_budget`` and ``row_budget`` (recalls,
        edges, concepts and events dealt with) end it early. A pass that is running elsewhere is waited for; without
        ``wait`` it raises :class:`~cognifold_pg.errors.ConsolidationBusyError`.

        Raises :class:`InvalidValueError` for a moment that is naive and a budget that is none.
        """
        check_aware("as_of", as_of)
        if row_budget is not None:
            check_int("row_budget", row_budget)
        if isinstance(self._transactions, JoinedTransactions):
            report: dict[str, Any] = self._value(
                "SELECT cognifold.consolidate(%s, time_budget => %s, row_budget => %s, wait => %s)",
                [as_of, time_budget, row_budget, wait],
            )
            return _consolidation(report)
        return self._consolidate_in_steps(as_of, time_budget, row_budget, wait, progress)

    def _consolidate_in_steps(
        self,
        as_of: datetime | None,
        time_budget: timedelta | None,
        row_budget: int | None,
        wait: bool,
        progress: Callable[[ConsolidationStep], object] | None,
    ) -> Consolidation:
        query = "SELECT cognifold.consolidate_step(%s, %s, time_budget => %s, row_budget => %s)"
        waits = "SELECT cognifold.consolidation_pause(%s)"
        counts: Counter[str] = Counter()
        plans: list[str] = []
        step: dict[str, Any] = {"run_id": None, "running": True}
        try:
            while step["running"]:
                try:
                    step = self._value(query, [step["run_id"], as_of, time_budget, row_budget])
                except ConsolidationBusyError:
                    if step["run_id"] is not None or not wait:
                        raise
                    time.sleep(_LOOK_AGAIN)
                    continue
                counts.update(step["counts"])
                plans += step["plans"]
                if progress is not None and step["run_id"] is not None:
                    progress(
                        ConsolidationStep(
                            UUID(step["run_id"]), step["phase"], step["steps"], step["settled"], step["counts"]
                        )
                    )
                while step["running"] and (pause := self._value(waits, [step["run_id"]])):
                    time.sleep(pause)  # folds wait
        finally:
            if step["running"] and step["run_id"] is not None:  # no one else need wait till its lease runs out
                with suppress(CognifoldError, psycopg.Error):
                    self._value("SELECT cognifold.consolidate_step(%s, finish => true)", [step["run_id"]])
        return _consolidation(step | {"plans": plans, "counts": counts})

    def set_schedule(
        self,
        job: str,
        *,
        every: timedelta | None = None,
        after_folds: int | None = None,
        enabled: bool | None = None,
    ) -> None:
        """When workers do a job for this tenant; what is left out is as the job says (table ``cognifold.job``).

        Raises :class:`InvalidValueError` for a job there is not and for a value out of range.
        """
        if after_folds is not None:
            check_int("after_folds", after_folds)
        self._value("SELECT cognifold.set_schedule(%s, %s, %s, %s)", [job, every, after_folds, enabled])

    def ask_job(self, job: str) -> None:
        """Have a worker do a job for this tenant as soon as one is free, once, whenever it is due next."""
        self._value("SELECT cognifold.ask_job(%s)", [job])

    def refresh_ranks(self, *, whole: bool = False) -> RanksSettled:
        """Bring the PageRank that ``context_window`` reads up to date with every plan so far.

        Folding and sleeping do so themselves; a plan alone leaves it till enough has changed. ``whole`` computes all
        of it anew, for edges that came otherwise than by a plan.
        """
        return RanksSettled(**self._value("SELECT cognifold.refresh_ranks(%s)", [bool(whole)]))

    def rebuild_statements(self) -> int:
        """Read anew what this tenant's events state, as after a change of ``state_cue``: how many statements."""
        number: int = self._value("SELECT cognifold.rebuild_statements()", [])
        return number

    def emit_intents(self, *, as_of: datetime | None = None) -> list[Intent]:
        """Let what is wanted surface: the new intents; those whose need has been met are closed.

        Looks only at what has changed since the last call; called again at the same moment it returns nothing.
        """
        check_aware("as_of", as_of)
        return self._rows(Intent, "SELECT * FROM cognifold.emit_intents(%s)", [as_of])

    def answer_intent(
        self, intent_id: UUID | str, answer: str, note: str | None = None, *, wake_at: datetime | None = None
    ) -> UUID:
        """Say what becomes of an intent: accept, modify, defer, reject, resolve or reopen; the event it became.

        ``note`` is kept in your words. A deferred intent is pending again from ``wake_at`` on (by default a day
        later). Raises :class:`~cognifold_pg.errors.IllegalTransitionError` for one that is closed or expired (it can
        only be reopened), :class:`~cognifold_pg.errors.RivalIntentError` where another of its concept is open,
        :class:`~cognifold_pg.errors.UnknownNodeError` for an id that is no intent.
        """
        check_aware("wake_at", wake_at)
        event: UUID = self._value(
            "SELECT cognifold.answer_intent(%s, %s, %s, %s)",
            [
                checked_uuid("intent_id", intent_id),
                checked_text("answer", answer),
                None if note is None else checked_text("note", note),
                wake_at,
            ],
        )
        return event

    def density(self, concept: UUID | str, *, as_of: datetime | None = None) -> float:
        """How much evidence a concept and its neighbours hold, and how closely it hangs together, in [0, 1]."""
        check_aware("as_of", as_of)
        density: float = self._value("SELECT cognifold.density(%s, %s)", [checked_uuid("concept", concept), as_of])
        return density

    def theta(self, category: str, *, as_of: datetime | None = None) -> float:
        """The readiness an intent of ``category`` must reach, as answers have moved it."""
        check_aware("as_of", as_of)
        theta: float = self._value("SELECT cognifold.theta(%s, %s)", [category, as_of])
        return theta

    def affect(self, content: str) -> Affect:
        """How an English text feels: what ``remember`` stores where the caller says nothing about it."""
        return self._rows(Affect, "SELECT * FROM cognifold.affect(%s)", [checked_text("content", content)])[0]

    def dates(self, content: str, occurred_at: datetime, *, time_zone: str | None = None) -> list[DatePhrase]:
        """The dates and times an English text speaks of, in order, as meant by somebody who said it at
        ``occurred_at`` in ``time_zone`` (an IANA name; the tenant's where none is given).

        Raises :class:`InvalidValueError` for a naive ``occurred_at``.
        """
        check_aware("occurred_at", occurred_at)
        return self._rows(
            DatePhrase,
            "SELECT * FROM cognifold.dates(%s, %s, %s)",
            [checked_text("content", content), occurred_at, time_zone],
        )

    def recall(
        self, query: str, k: int = 10, *, learn: bool | None = None, **narrowing: Unpack[Narrowing]
    ) -> list[Recollection]:
        """The ``k`` memories that answer ``query`` best, best first.

        Narrowed by ``kinds``, ``since`` and ``until``, ``actors``, ``sources``, ``memory_types``, ``privacy_levels``,
        ``minimum_score``; asked ``as_of`` a moment of event time and as it was ``known_at`` one of transaction time;
        without what was ``seen`` (:class:`~cognifold_pg.arguments.Narrowing`, docs/recall.md).

        What comes back is noted in the background for the memory to learn from (:meth:`note_recall`), where it can
        be written to; ``learn`` says otherwise for this one call. In a :meth:`joined` memory it is noted within your
        transaction, and only if ``learn=True``.

        Raises :class:`InvalidValueError` for a naive moment, a ``k`` that is no number or out of range, a text where a
        list of texts is meant, a kind, type or level that there is not.
        """
        found = self._recalled(Recollection, "recall", query, checked_narrowing(narrowing), k=k)
        self._learn([row.node_id for row in found], learn)
        return found

    def recall_pages(
        self, query: str, page_size: int = 10, *, learn: bool | None = None, **narrowing: Unpack[Narrowing]
    ) -> Iterator[list[Recollection]]:
        """The memories that answer ``query``, page after page, until none is left; arguments as of :meth:`recall`.

        Each page holds the best of what has not been shown: nothing comes twice, and nothing that still ranks is left
        out, whatever is remembered in between. Each is asked for when it is wanted, in a transaction of its own.
        """
        check_int("page_size", page_size)
        seen = checked_uuids(narrowing.get("seen") or (), "seen")
        while True:
            narrowing["seen"] = seen
            page = self.recall(query, page_size, learn=learn, **narrowing)
            if not page:
                return
            yield page
            seen = [*seen, *(row.node_id for row in page)]

    def explain_recall(self, query: str, k: int = 10, **narrowing: Unpack[Narrowing]) -> list[RecallExplanation]:
        """What :meth:`recall` would return, and why: the signals each score is made of and the path that brought it.

        Nothing is noted. Arguments and errors as of :meth:`recall`.
        """
        return self._recalled(RecallExplanation, "explain_recall", query, checked_narrowing(narrowing), k=k)

    def context(
        self, query: str, token_budget: int = 1000, *, learn: bool | None = None, **narrowing: Unpack[Narrowing]
    ) -> Context:
        """What a prompt needs to know to answer ``query``: a text within ``token_budget``, each line with its source.

        ``text`` goes into the prompt as it stands; ``source_ids[n - 1]`` is the memory marked ``[n]`` in it. Other
        arguments and errors as of :meth:`recall`, whose noting holds for what stands in the text. Not to be confused
        with :meth:`context_window`, which asks no question.
        """
        check_int("token_budget", token_budget)
        (found,) = self._recalled(Context, "context", query, checked_narrowing(narrowing), token_budget=token_budget)
        self._learn(found.source_ids, learn)
        return found

    def note_recall(self, node_ids: Iterable[UUID | str]) -> int:
        """Note that these memories were recalled, best first; how many were noted.

        :meth:`recall` does so itself, unless ``learn=False``. They count once :meth:`count_recalls` or
        :meth:`consolidate` has been called.
        """
        number: int = self._value("SELECT cognifold.note_recall(%s::uuid[])", [checked_uuids(node_ids, "node_ids")])
        return number

    def flush_recalls(self) -> tuple[int, int]:
        """Note now what waits to be noted; how many recalls were noted, and how many could not be, since the start."""
        if self._notes is None:
            return 0, 0
        self._notes.flush()
        return self._notes.noted, self._notes.missed

    def count_recalls(self, max_rows: int | None = None) -> RecallsCounted:
        """Count recalls that were noted, each once: uses add up, what sleeps wakes, what comes up together is tied."""
        if max_rows is not None:
            check_int("max_rows", max_rows)
        report: dict[str, Any] = self._value("SELECT cognifold.count_recalls(%s)", [max_rows])
        return RecallsCounted(**{**report, "plans": tuple(UUID(plan) for plan in report["plans"])})

    def _learn(self, node_ids: Sequence[UUID], learn: bool | None) -> None:
        if not node_ids or not (self.learn if learn is None else learn):
            return
        if self._notes is None:
            self.note_recall(node_ids)
        else:
            self._notes.add(self.clock, node_ids)

    def _recalled(self, row: type[Row], verb: str, query: str, given: dict[str, Any], **more: Any) -> list[Row]:
        """Rows of a verb that recalls."""
        query = checked_text("query", query)
        for name, number in more.items():
            check_int(name, number)
        vector, model = self._asked(query)
        arguments = {"query": query, **more, **given}
        if model is not None:
            arguments |= {"query_embedding": vector, "model": model}
        named = ", ".join(f"{name} => %s{_CASTS.get(name, '')}" for name in arguments)
        return self._rows(row, f"SELECT * FROM cognifold.{verb}({named})", list(arguments.values()))

    def _asked(self, query: str) -> tuple[str | None, str | None]:
        """The question's vector and its model, where an outside model makes it; the names in it left out."""
        if self.embedder is None:
            return None, None
        words = self._value("SELECT words FROM cognifold.query_terms(cognifold.required_tenant(), %s)", [query])
        return vector_notation(self.embedder.embed([words], "query")[0]), self.embedder.name

    def explain(
        self, node_id: UUID | str, *, as_of: datetime | None = None, known_at: datetime | None = None
    ) -> list[Evidence]:
        """What a memory rests on: itself first, then its evidence down to verbatim events.

        Weighed as of a moment of event time; as it was known at a moment of transaction time, also what has been
        merged or removed since.

        Raises :class:`InvalidValueError` for a text that is no uuid, :class:`~cognifold_pg.errors.UnknownNodeError`
        for an id that no node has.
        """
        check_aware("as_of", as_of)
        check_aware("known_at", known_at)
        return self._rows(
            Evidence, "SELECT * FROM cognifold.explain(%s, %s, %s)", [checked_uuid("node_id", node_id), as_of, known_at]
        )

    def check(self) -> list[Violation]:
        """Every invariant of the tenant's memory that does not hold; empty in a sound memory."""
        return self._rows(Violation, "SELECT * FROM cognifold.check()", [])

    def pagerank(self, *, as_of: datetime | None = None) -> list[NodeRank]:
        """How much of the memory points at each node (weighted PageRank over the live graph), highest first."""
        check_aware("as_of", as_of)
        return self._rows(NodeRank, "SELECT * FROM cognifold.pagerank(%s)", [as_of])

    def context_window(self, max_nodes: int = 100, *, as_of: datetime | None = None) -> list[ContextNode]:
        """Up to ``max_nodes`` (1 to 10,000) memories to have in mind, from the immediate to the background tier.

        As of the memory's clock, or of ``as_of``. Raises :class:`InvalidValueError` for a number out of range.
        """
        check_aware("as_of", as_of)
        check_int("max_nodes", max_nodes)
        return self._rows(ContextNode, "SELECT * FROM cognifold.context_window(%s, %s)", [max_nodes, as_of])

    def watch(self, relation: str, content: str, **options: Unpack[WatchOptions]) -> str:
        """From now on rows written to the table ``relation`` become events; the name of the watch.

        ``content`` and most ``options`` are templates: ``Order {id}: {old.status}, now {= upper(status)}``. The rows
        are this tenant's, unless ``tenants`` says whose. Raises :class:`~cognifold_pg.errors.InvalidWatchError`,
        :class:`~cognifold_pg.errors.UnwatchableError`, :class:`~cognifold_pg.errors.WatchExistsError`.
        """
        if unknown := options.keys() - WatchOptions.__annotations__.keys():
            raise TypeError(f"there is no argument {min(unknown)!r}; use {', '.join(WatchOptions.__annotations__)}")
        given = {name: value for name, value in options.items() if value is not None}
        named = "".join(f", {name} => %s" for name in given)
        return str(
            self._value(f"SELECT cognifold.watch(%s::regclass, %s{named})", [relation, content, *given.values()])
        )

    def unwatch(self, name: str) -> int:
        """End the watch of that name, or of that table; how many rows it captured before still become events."""
        return int(self._value("SELECT cognifold.unwatch(%s)", [name]))

    def watched(self) -> list[Watched]:
        """The watches that this role made or on whose tables it has a say, how each stands and what came of it."""
        columns = "name, relation, status, detail, operations, waiting, coalesce(events, 0) AS events, "
        columns += "coalesce(repeated, 0) AS repeated, coalesce(refused, 0) AS refused, faults, last_fault, "
        columns += "last_fault_state, last_fault_message, backfilled, backfilled_at"
        return self._rows(Watched, f"SELECT {columns} FROM cognifold.watched", [])

    def watch_errors(self, name: str | None = None) -> list[WatchFault]:
        """Why rows of watched tables made no events, the latest first; of one watch or of all."""
        return self._rows(
            WatchFault, "SELECT * FROM cognifold.watch_error WHERE name = coalesce(%s::text, name)", [name]
        )

    def backfill(self, name: str, batch: int = 1000, *, restart: bool = False) -> Backfilled:
        """Capture up to ``batch`` rows that were there before the watch; call it until it is ``done``.

        Goes on where the last call ended. Raises :class:`~cognifold_pg.errors.UnknownWatchError`,
        :class:`~cognifold_pg.errors.BackfillError`.
        """
        check_int("batch", batch)
        return self._rows(Backfilled, "SELECT * FROM cognifold.backfill(%s, %s, %s)", [name, batch, restart])[0]

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


def _consolidation(report: dict[str, Any]) -> Consolidation:
    return Consolidation(
        run_id=report["run_id"] and UUID(report["run_id"]),
        as_of=datetime.fromisoformat(report["as_of"]),
        plans=tuple(UUID(plan) for plan in report["plans"]),
        more=report["more"],
        steps=report["steps"],
        **report["counts"],
    )


def _pause(seconds: float | None) -> timedelta | None:
    """At most a day, which is what the database makes of more: a service may ask for anything."""
    return None if seconds is None or math.isnan(seconds) else timedelta(seconds=min(max(seconds, 0), 86400))


# Seconds until a pass that waits for another looks again.
_LOOK_AGAIN = 0.2

# A list of ids is taken for a list of texts where nothing says otherwise.
_CASTS = {"seen": "::uuid[]"}

# One statement for a whole batch: the verb is called once a record, in the order given.
_REMEMBER_MANY = """
SELECT stored.event_id, stored.is_new FROM cognifold.remember_many(%s::jsonb) AS stored ORDER BY stored.position
"""
