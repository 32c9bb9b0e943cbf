"""The faults of a fleet: machines die, a network is cut, and the code changes while entries come in."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import psycopg

from lab.faults.scene import Kind, Stage
from lab.fleet.fleet import Fleet

#: Seconds for which the network is cut, and for which a machine stays away.
CUT_SECONDS, AWAY_SECONDS = 120.0, 15.0
_NUMBER, _NAME = "900", "of_the_next_version"
_MIGRATION = """\
-- What an upgrade under way may do: add, so that the code of before goes on.
alter table submissions add column of_the_next_version integer;
create index submissions_of_the_next_version on submissions (of_the_next_version);
"""


@dataclass
class FleetStage(Stage):
    """A fleet at work."""

    installation: Fleet


@contextmanager
def _web(stage: FleetStage) -> Iterator[str]:
    yield _died(stage, "web-1")


@contextmanager
def _worker(stage: FleetStage) -> Iterator[str]:
    yield _died(stage, stage.rng.choice(["worker-1", "worker-2"]))


@contextmanager
def _queue(stage: FleetStage) -> Iterator[str]:
    yield _died(stage, "queue")


@contextmanager
def _database(stage: FleetStage) -> Iterator[str]:
    yield _died(stage, "database")


def _died(stage: FleetStage, name: str) -> str:
    time.sleep(stage.rng.uniform(0.0, 1.0))
    stage.installation.machines[name].die()
    return f"{name} without power for {AWAY_SECONDS:.0f} s"


@contextmanager
def _cut(stage: FleetStage) -> Iterator[str]:
    machines = stage.installation.machines
    pairs = [(machines[name], machines["pooler"]) for name in ("worker-1", "worker-3")]
    for one, other in pairs:
        one.cut(other)
    try:
        yield "what two of four workers and the database's pooler send each other is lost, silently"
    finally:
        for one, other in pairs:
            one.mend(other)


@contextmanager
def _upgrade(stage: FleetStage) -> Iterator[str]:
    """The database first; then each machine in turn, so that old and new code run at once."""
    fleet = stage.installation
    fleet.code = _next_version(fleet)
    if code := fleet.upgrade():
        raise RuntimeError(f"flask db-upgrade ended with {code}")
    names = [name for name in fleet.machines if name.startswith(("web", "worker"))]
    for name in names:
        fleet.machines[name].stop()
        fleet.start_one(name)
        time.sleep(4)
    with psycopg.connect(fleet.dsn) as connection:
        row = connection.execute(
            "select name from supabase_migrations.schema_migrations where version = %s", [_NUMBER]
        ).fetchone()
    yield f"migration {row[0] if row else 'not'} applied, then {len(names)} machines replaced one by one"


def _next_version(fleet: Fleet) -> Path:
    code = fleet.checkout("second")
    path = code / "supabase" / "migrations" / f"{_NUMBER}_{_NAME}.sql"
    path.write_text(_MIGRATION)
    with (code / "supabase" / "checksums.sha256").open("a") as checksums:
        checksums.write(f"{sha256(path.read_bytes()).hexdigest()}  migrations/{path.name}\n")
    return code


KINDS: tuple[Kind[FleetStage], ...] = (
    Kind("web_dies", "one of two web servers loses power and comes back", _web, AWAY_SECONDS),
    Kind("worker_dies", "one of four workers loses power and comes back", _worker, AWAY_SECONDS),
    Kind("queue_dies", "the queue's machine loses power and comes back", _queue, AWAY_SECONDS),
    Kind("database_dies", "the database's machine loses power and comes back", _database, AWAY_SECONDS),
    Kind("network_cut", "two of four workers lose the database, not the queue", _cut, CUT_SECONDS),
    Kind("upgrade", "a migration and new code, machine by machine", _upgrade),
)
