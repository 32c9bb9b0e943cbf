"""Transactions on one report under a lease: every write first locks the leased row."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Executable, Select
from sqlalchemy.dialects.postgresql import Insert, insert
from sqlalchemy.orm import Session

from core.database import Database
from core.lease import Lease
from core.models.base import Base

T = TypeVar("T")


def insert_of(*rows: Base) -> Insert:
    """Return the statement that inserts rows of one table; existing ones are kept."""
    values = [{name: value for name, value in vars(row).items() if not name.startswith("_")} for row in rows]
    return insert(type(rows[0])).values(values).on_conflict_do_nothing()


@dataclass(frozen=True)
class Held:
    """A report that this process holds a lease for."""

    database: Database
    report_id: uuid.UUID
    #: Lease on the report, or on the supervision that revises it.
    lease: Lease[Any]

    @property
    def supervision_id(self) -> uuid.UUID | None:
        """The supervision that the lease is on; None for the report itself."""
        return None if self.lease.key == self.report_id else self.lease.key

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """Open a short transaction. Raises LeaseLostError before any write if another worker holds the lease."""
        with self.database.session() as session:
            self.lease.hold(session)
            yield session

    def write(self, *statements: Executable) -> None:
        """Execute the statements in one transaction. Raises LeaseLostError as `writing` does."""
        with self.writing() as session:
            for statement in statements:
                session.execute(statement)

    def value(self, query: Select[T]) -> T | None:
        """Return the first column of the first row; None without a row."""
        with self.database.session() as session:
            return session.scalar(query)

    def values(self, query: Select[T]) -> list[T]:
        """Return the first column of every row."""
        with self.database.session() as session:
            return list(session.scalars(query))
