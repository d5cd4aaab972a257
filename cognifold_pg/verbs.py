"""What every part of the client stands on: a verb is a statement, in a transaction scoped to one tenant."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, TypeVar

from psycopg.rows import class_row

from cognifold_pg.errors import CognifoldError
from cognifold_pg.transactions import JoinedTransactions, Statements, Transactions

Row = TypeVar("Row")


class Verbs:
    """Says verbs of ``tenant``'s memory as of ``clock``. :class:`~cognifold_pg.client.Memory` is made of such."""

    tenant: str
    clock: datetime | None
    _transactions: Transactions

    @property
    def _is_joined(self) -> bool:
        return isinstance(self._transactions, JoinedTransactions)

    def _transaction(self, *, scoped: bool = True) -> AbstractContextManager[Statements]:
        return self._transactions.begin(self.tenant if scoped else "", self.clock)

    def _rows(self, row: type[Row], query: str, parameters: Sequence[Any]) -> list[Row]:
        with self._transaction() as statements, statements.cursor(row_factory=class_row(row)) as cursor:
            return cursor.execute(query.encode(), parameters).fetchall()

    def _value(self, query: str, parameters: Sequence[Any]) -> Any:
        with self._transaction() as statements:
            row = statements.execute(query.encode(), parameters).fetchone()
        if row is None:
            raise CognifoldError(f"no row came back from {query}")
        return row[0]
