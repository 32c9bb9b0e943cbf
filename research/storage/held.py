"""What one process may write of one report: every write locks the row that it has a lease on first."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from core.database import Database
from core.lease import Lease


@dataclass(frozen=True)
class Held:
    """A report that is worked on."""

    database: Database
    report_id: uuid.UUID
    #: On the report, or on the supervision that works on it.
    lease: Lease[Any]

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A short transaction. Raises LeaseLostError, and writes nothing, where another worker has taken over."""
        with self.database.session() as session:
            self.lease.hold(session)
            yield session

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A short transaction that changes nothing."""
        with self.database.session() as session:
            yield session
