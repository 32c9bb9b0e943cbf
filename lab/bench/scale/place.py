"""Two offices on one embedded PostgreSQL: ten thousand entries and a million, alike but for their number."""

from __future__ import annotations

import shutil
import tempfile
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event

import psycopg
from flask import Flask
from flask.testing import FlaskClient

from core.database import MIGRATIONS, upgrade
from lab.bench.desk import place as desk
from lab.bench.office import Office, client_of, offices
from lab.bench.scale.migrations import BASELINE, Applied, apply_later
from lab.bench.stats import place as stats
from services.accounts.people import create_user
from services.accounts.person import Role
from services.context import Context

FEW, MANY = 10_000, 1_000_000
#: Of the entries, one in so many waits for a person; rows of the log an entry; one in so many is of the year
#: before.
_WAITING, _LOGS, _FORMER = 10, 3, 20
_SEED = Path(__file__).with_name("seed.sql")
#: What is filled without indexes, references and triggers.
_FILLED = (
    *("submissions", "submission_fields", "runs", "orchestrator_logs", "run_facts", "review_events"),
    *("model_calls", "review_suggestions", "review_suggestion_fields", "review_decisions", "security_events"),
)
_INDEXES = """select c.relname, pg_get_indexdef(i.indexrelid) from pg_index i
  join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
  where t.relnamespace = 'public'::regnamespace and t.relname = any(%s) and not i.indisunique"""
_REFERENCES = """select t.relname, c.conname, pg_get_constraintdef(c.oid) from pg_constraint c
  join pg_class t on t.oid = c.conrelid
  where c.contype = 'f' and t.relnamespace = 'public'::regnamespace and t.relname = any(%s)"""


@dataclass(frozen=True)
class Scaled:
    """The site over so many entries, a reviewer and an admin."""

    office: Office
    entries: int
    reviewer: uuid.UUID
    admin: uuid.UUID
    #: What the migrations after the baseline took over these entries.
    applied: Sequence[Applied]
    fill_seconds: float

    @property
    def pending(self) -> int:
        """How many entries wait for a person."""
        return self.entries // _WAITING

    @property
    def app(self) -> Flask:
        """See `Office`."""
        return self.office.app

    @property
    def context(self) -> Context:
        """See `Office`."""
        return self.office.context

    @property
    def url(self) -> str:
        """The address of its database."""
        return self.office.url

    def client(self, person_id: uuid.UUID | None = None) -> FlaskClient:
        """Return a client with the session of this person, by default of the admin."""
        return client_of(self.app, self.context, person_id or self.admin)


@contextmanager
def scaled(*sizes: int, quiet: Event | None = None) -> Iterator[list[Scaled]]:
    """Serve the site over so many entries each; remove everything at the end.

    `quiet`: set as soon as nothing else runs; the migrations of the last database are measured, and wait for it.
    """
    applied: list[Sequence[Applied]] = []
    seconds: list[float] = []

    def fill(url: str) -> None:
        begun = time.perf_counter()
        _fill(url, sizes[len(applied)])
        seconds.append(time.perf_counter() - begun)
        if quiet is not None and len(seconds) == len(sizes):
            quiet.wait()
        applied.append(apply_later(url))

    with offices("scale", len(sizes), before=fill) as found:
        yield [_opened(*one) for one in zip(found, sizes, applied, seconds, strict=True)]


def _opened(office: Office, entries: int, applied: Sequence[Applied], seconds: float) -> Scaled:
    begun = time.perf_counter()
    with _more_memory(office.url), _without_key(office.url):
        stats.count(office)
    office.context.database.dispose()
    office.context.store.put("originals/all", desk.form())
    reviewer, admin = (
        create_user(
            office.context, f"{role.value}@example.org", role, desk.PASSWORD, f"Robin {role.value.title()}"
        )
        for role in (Role.REVIEWER, Role.ADMIN)
    )
    return Scaled(office, entries, reviewer, admin, applied, seconds + time.perf_counter() - begun)


def _fill(url: str, entries: int) -> None:
    """Make the schema of the baseline, and fill it."""
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(MIGRATIONS.glob("*.sql")):
            if path.name[:3] <= BASELINE:
                shutil.copy(path, folder)
        upgrade(url, Path(folder))
    waiting = entries // _WAITING
    with psycopg.connect(url, autocommit=True) as connection:
        with _more_memory(url), _bare(connection):
            desk.seed(url, waiting)
            stats.seed(url, _LOGS * entries, entries - waiting, _FORMER)
            connection.execute(_SEED.read_text(encoding="utf-8").encode())
        connection.execute("analyze")


@contextmanager
def _more_memory(url: str) -> Iterator[None]:
    """Let connections that are made within the block sort in memory."""
    with psycopg.connect(url, autocommit=True) as connection:
        name = connection.info.dbname
        connection.execute(f"alter database {name} set work_mem = '128MB'".encode())
        yield
        connection.execute(f"alter database {name} reset all".encode())


@contextmanager
def _without_key(url: str) -> Iterator[None]:
    """Take the key from the counts, twelve rows an entry that come in no order, and put it back at the end."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("set maintenance_work_mem = '512MB'")
        row = connection.execute(
            "select pg_get_constraintdef(oid) from pg_constraint where conname = 'orchestrator_counts_pkey'"
        ).fetchone()
        assert row is not None
        connection.execute("alter table orchestrator_counts drop constraint orchestrator_counts_pkey")
        yield
        connection.execute(
            f"alter table orchestrator_counts add constraint orchestrator_counts_pkey {row[0]}".encode()
        )


@contextmanager
def _bare(connection: psycopg.Connection) -> Iterator[None]:
    """Take indexes, references and triggers from the large tables, and put them back at the end."""
    tables = [list(_FILLED)]
    indexes, references = (connection.execute(query, tables).fetchall() for query in (_INDEXES, _REFERENCES))
    for name, _ in indexes:
        connection.execute(f"drop index {name}".encode())
    for table, name, _ in references:
        connection.execute(f"alter table {table} drop constraint {name}".encode())
    for table in _FILLED:
        connection.execute(f"alter table {table} disable trigger user".encode())
    yield
    connection.execute("set maintenance_work_mem = '512MB'")
    for table in _FILLED:
        connection.execute(f"alter table {table} enable trigger user".encode())
    for _, definition in indexes:
        connection.execute(definition.encode())
    for table, name, definition in references:
        connection.execute(f"alter table {table} add constraint {name} {definition}".encode())
