"""Leases on a real table: who may take, write, prolong and release a row, by the database's clock."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import psycopg
import pytest
from sqlalchemy import event, func, select, text, update
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs

from core.database import Database
from core.errors import LeaseLostError
from core.lease import Lease, LeaseHolder, kept, process_name
from core.models import Run
from core.models.leases import RUN_LEASES
from tests.support.embedded import wait_until
from tests.support.reading.orchestration import insert_run

LONG = timedelta(minutes=10)
PAST = func.now() - timedelta(seconds=1)


@pytest.fixture
def run_id(database: Database) -> str:
    """A row that nobody holds."""
    run_id = insert_run(database)
    change(database, run_id, lease_owner=None, lease_until=None)
    return run_id


def change(database: Database, run_id: str, **values: object) -> None:
    database.execute(update(Run).where(Run.run_id == run_id).values(**values))


def taken(database: Database, run_id: str, holder: str) -> Lease[Run] | None:
    with database.session() as session:
        return RUN_LEASES.take(session, run_id, holder, LONG)


def current(database: Database, run_id: str) -> LeaseHolder | None:
    with database.session() as session:
        return RUN_LEASES.current(session, run_id)


def may_write(database: Database, lease: Lease[Run]) -> bool:
    with database.session() as session:
        try:
            return lease.hold(session).run_id == lease.key
        except LeaseLostError:
            return False


def prolonged(database: Database, lease: Lease[Run]) -> bool:
    with database.session() as session:
        return lease.prolong(session, LONG)


def test_one_holder_at_a_time(database: Database, run_id: str) -> None:
    first = taken(database, run_id, "one")
    assert first is not None and may_write(database, first)
    assert taken(database, run_id, "two") is None
    assert taken(database, run_id, "one") == first, "taken again, it is prolonged"
    assert current(database, run_id)[:1] == ("one",)  # type: ignore[index]


def test_of_many_that_take_at_once_one_has_it(database: Database, run_id: str) -> None:
    gate = threading.Barrier(6)

    def take(holder: int) -> Lease[Run] | None:
        gate.wait()
        return taken(database, run_id, f"holder {holder}")

    with ThreadPoolExecutor(6) as threads:
        found = [lease for lease in threads.map(take, range(6)) if lease is not None]
    assert len(found) == 1
    assert current(database, run_id)[:1] == (found[0].holder,)  # type: ignore[index]


def test_an_expired_lease_goes_to_the_next(database: Database, run_id: str) -> None:
    first = taken(database, run_id, "one")
    change(database, run_id, lease_until=PAST)
    second = taken(database, run_id, "two")
    assert first and second and may_write(database, second)
    assert not may_write(database, first)
    assert not prolonged(database, first)
    with database.session() as session:
        first.release(session)
    assert may_write(database, second), "what is lost cannot be released"


def test_an_expired_lease_allows_nothing_until_it_is_prolonged(database: Database, run_id: str) -> None:
    lease = taken(database, run_id, "one")
    assert lease is not None
    change(database, run_id, lease_until=PAST)
    assert current(database, run_id) is None
    assert not may_write(database, lease)
    assert prolonged(database, lease)
    assert may_write(database, lease)


def test_taking_depends_on_the_row_and_changes_it(database: Database, run_id: str) -> None:
    with database.session() as session:
        assert RUN_LEASES.take(session, run_id, "one", LONG, Run.status == "failed") is None
        assert RUN_LEASES.take(session, run_id, "one", LONG, Run.status == "running", attempts=Run.attempts + 1)
    assert database.get_one(Run, run_id).attempts == 1


def test_an_ended_lease_is_lost(database: Database, run_id: str) -> None:
    lease = taken(database, run_id, "one")
    assert lease is not None
    with database.session() as session:
        RUN_LEASES.end(session.get_one(Run, run_id))
    assert not may_write(database, lease) and not prolonged(database, lease)


def test_only_what_nobody_holds_is_locked_without_a_lease(database: Database, run_id: str) -> None:
    with database.session() as session:
        assert RUN_LEASES.lock_expired(session, run_id, Run.status == "running") is not None
        assert RUN_LEASES.lock_expired(session, run_id, Run.status == "failed") is None
    taken(database, run_id, "one")
    with database.session() as session:
        assert RUN_LEASES.lock_expired(session, run_id) is None


def test_it_is_prolonged_while_the_work_lasts_and_released_after(database: Database, run_id: str) -> None:
    lease = taken(database, run_id, "one")
    assert lease is not None
    with pytest.raises(RuntimeError), kept(database, lease, timedelta(seconds=3)):
        ends = set()
        while len(ends) < 3:
            ends.add(until(database, run_id))
        raise RuntimeError
    assert until(database, run_id) is None


def test_it_is_prolonged_after_the_database_was_away(database: Database, run_id: str) -> None:
    lease = taken(database, run_id, "one")
    assert lease is not None
    lost = []

    def lose(_connection: object) -> None:
        if not lost:
            lost.append(True)
            raise OperationalError("commit", {}, psycopg.OperationalError("the connection is lost"))

    with kept(database, lease, timedelta(seconds=1)):
        event.listen(database.engine, "commit", lose)
        try:
            wait_until(lambda: bool(lost), seconds=30)
        finally:
            event.remove(database.engine, "commit", lose)
        before = until(database, run_id)
        wait_until(lambda: until(database, run_id) != before, seconds=30)


@pytest.mark.parametrize("taken_over", [False, True])
def test_what_ends_its_lease_with_the_last_write_has_lost_nothing(
    database: Database, run_id: str, taken_over: bool
) -> None:
    """The last write locks the row for longer than it takes until the lease is prolonged."""
    lease = taken(database, run_id, "one")
    assert lease is not None
    with capture_logs() as logged, kept(database, lease, timedelta(seconds=1.5)):
        with database.session() as session:
            run = lease.hold(session)
            wait_until(lambda: is_waited_for(database), seconds=30)
            RUN_LEASES.end(run)
            if taken_over:
                run.lease_owner, run.lease_until = "other", func.now() + LONG
        wait_until(lambda: not is_waited_for(database), seconds=30)
        wait_until(lambda: "lease-heartbeat" not in [one.name for one in threading.enumerate()], seconds=30)
    assert [one["event"] for one in logged] == ["lease_lost"] * taken_over


def is_waited_for(database: Database) -> bool:
    """Whether a statement waits for a lock on a row."""
    with database.session() as session:
        blocked = (
            select(func.count())
            .select_from(text("pg_stat_activity"))
            .where(text("datname = current_database() and wait_event_type = 'Lock'"))
        )
        return bool(session.scalar(blocked))


def until(database: Database, run_id: str) -> datetime | None:
    return database.scalar(select(Run.lease_until).where(Run.run_id == run_id))


def test_no_two_names_are_equal() -> None:
    assert process_name() != process_name()
