"""The right of one process to write one report: every write locks the report's row under its lease first."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.database import Database
from core.errors import LeaseLostError
from core.models import Report


@dataclass(frozen=True)
class Held:
    """A report that is worked on."""

    database: Database
    report_id: uuid.UUID
    lease_owner: str

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A short transaction. Raises LeaseLostError, and writes nothing, where another worker has taken over."""
        with self.database.session() as session:
            held = session.scalar(
                select(Report.id)
                .where(Report.id == self.report_id, Report.lease_owner == self.lease_owner)
                .with_for_update(key_share=True)
            )
            if held is None:
                raise LeaseLostError(str(self.report_id))
            yield session

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A short transaction that changes nothing."""
        with self.database.session() as session:
            yield session
