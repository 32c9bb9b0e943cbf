"""Leases on rows: the exclusive right to write a row for a time. Conditional updates by the database's clock.

A lease has expired when it has no end or its end is not later than `now()`. Only an expired lease can be taken by
another holder, and only an unexpired one permits writing. A lease is lost when another holder has taken it or it
was ended; an expired lease that was not taken can still be prolonged by its holder.
"""

from __future__ import annotations

import os
import socket
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from sqlalchemy import ColumnElement, and_, func, or_, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import InstrumentedAttribute, Session

from core.errors import LeaseLostError
from core.tracing.log import get_logger

if TYPE_CHECKING:
    from core.database import Database

Row = TypeVar("Row")
log = get_logger(__name__)


class LeaseHolder(NamedTuple):
    """The holder of a row and the time at which the lease expires unless prolonged."""

    holder: Any
    until: datetime


@dataclass(frozen=True)
class Leases(Generic[Row]):
    """The leases on the rows of one table; names the columns that store them."""

    row: type[Row]
    key: InstrumentedAttribute[Any]
    #: A process (see `process_name`) or a person's id.
    owner: InstrumentedAttribute[Any]
    until: InstrumentedAttribute[datetime | None]
    #: Of rows that people hold: who has decided, and since when the holder has the row, where that is measured.
    decided_by: InstrumentedAttribute[Any] | None = None
    since: InstrumentedAttribute[Any] | None = None

    def expired(self) -> ColumnElement[bool]:
        """Condition: the lease has expired, so that any holder may take the row."""
        return or_(self.until.is_(None), self.until <= func.now())

    def unexpired(self) -> ColumnElement[bool]:
        """Condition: a holder has the row."""
        return self.until > func.now()

    def free_for(self, holder: object) -> ColumnElement[bool]:
        """Condition: this holder may take the row, or has it already. With None: any holder may take it."""
        return self.expired() if holder is None else or_(self.expired(), self.owner == holder)

    def take(
        self,
        session: Session,
        key: object,
        holder: object,
        lasting: timedelta,
        *where: ColumnElement[bool],
        **values: Any,
    ) -> Lease[Row] | None:
        """Take or prolong the lease on a row that meets `where`, and set `values` with it.

        Returns None when the row does not exist, does not meet `where`, or is held by another holder.
        """
        taken = session.execute(
            update(self.row)
            .where(self.key == key, self.free_for(holder), *where)
            .values({self.owner: holder, self.until: func.now() + lasting, **values})
            .returning(self.key)
        ).first()
        return None if taken is None else self.held_by(key, holder)

    def current(self, session: Session, key: object) -> LeaseHolder | None:
        """Return the holder of the row, None when it is free."""
        row = session.execute(select(self.owner, self.until).where(self.key == key, self.unexpired())).first()
        return None if row is None else LeaseHolder(*row)

    def lock_expired(self, session: Session, key: object, *where: ColumnElement[bool]) -> Row | None:
        """Lock a free row that meets `where` until the transaction ends; None when there is no such row."""
        return session.scalar(
            select(self.row)
            .where(self.key == key, self.expired(), *where)
            .with_for_update(of=self.row, key_share=True)
            .execution_options(populate_existing=True)
        )

    def held_by(self, key: object, holder: object) -> Lease[Row]:
        """Return the lease that this holder has, or had, on a row."""
        return Lease(self, key, holder)

    @property
    def ended(self) -> dict[str, None]:
        """Values for an UPDATE that ends the lease, whoever holds it."""
        return {self.owner.key: None, self.until.key: None}

    def end(self, row: Row) -> None:
        """End the lease on a loaded row, whoever holds it; written with the row."""
        for name, value in self.ended.items():
            setattr(row, name, value)


@dataclass(frozen=True)
class Lease(Generic[Row]):
    """The right of one holder to write one row."""

    leases: Leases[Row]
    key: Any
    holder: Any

    def is_mine(self) -> ColumnElement[bool]:
        """Condition: it is this row, and this holder may write it."""
        return and_(self.leases.key == self.key, self.leases.owner == self.holder, self.leases.unexpired())

    def hold(self, session: Session) -> Row:
        """Lock the row until the transaction ends, so that the lease cannot be taken between check and write.

        Raises LeaseLostError where the lease is lost or expired.
        """
        row = session.scalar(
            select(self.leases.row)
            .where(self.is_mine())
            # NO KEY: rows that refer to this one lock its key, also those of other transactions.
            .with_for_update(of=self.leases.row, key_share=True)
            .execution_options(populate_existing=True)
        )
        if row is None:
            raise LeaseLostError(f"{self}")
        return row

    def prolong(self, session: Session, lasting: timedelta) -> bool:
        """Set the lease to end `lasting` from now; False when it is lost."""
        kept = session.execute(
            update(self.leases.row)
            .where(self.leases.key == self.key, self.leases.owner == self.holder)
            .values({self.leases.until: func.now() + lasting})
            .returning(self.leases.key)
        ).first()
        return kept is not None

    def release(self, session: Session) -> None:
        """End the lease; no effect when it is lost."""
        session.execute(
            update(self.leases.row)
            .where(self.leases.key == self.key, self.leases.owner == self.holder)
            .values(**self.leases.ended)
        )

    def __str__(self) -> str:
        return f"{self.leases.owner.class_.__tablename__} {self.key} by {self.holder}"


def process_name(pid: int | None = None) -> str:
    """Return a unique name of a process, `host:pid:random`; of this process unless `pid` is given."""
    return f"{socket.gethostname()}:{pid or os.getpid()}:{uuid.uuid4().hex[:8]}"


@contextmanager
def kept(database: Database, lease: Lease[Any], lasting: timedelta) -> Iterator[None]:
    """Prolong the lease in the background for as long as the block runs, then release it."""

    def prolong() -> bool:
        try:
            with database.session() as session:
                is_kept = lease.prolong(session, lasting)
                other = None if is_kept else lease.leases.current(session, lease.key)
        except SQLAlchemyError as error:
            # The database may answer again before the lease expires.
            log.warning("lease_not_prolonged", lease=str(lease), kind=type(error).__name__)
            return True
        # What the holder writes last ends its lease, and keeps the row locked meanwhile: nothing is lost then.
        if other is not None:
            log.warning("lease_lost", lease=str(lease))
        return is_kept

    try:
        with _repeating(lasting.total_seconds() / 3, prolong):
            yield
    finally:
        with database.session() as session:
            lease.release(session)


@contextmanager
def _repeating(seconds: float, do: Callable[[], bool]) -> Iterator[None]:
    """Call `do` in a thread every `seconds` until the block ends or `do` returns False."""
    stop = threading.Event()

    def repeat() -> None:
        while not stop.wait(seconds):
            if not do():
                return

    thread = threading.Thread(target=repeat, name="lease-heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
