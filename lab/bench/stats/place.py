"""Two databases on one embedded PostgreSQL of the benchmark's own: few rows of the log and many."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from flask import Flask
from flask.testing import FlaskClient

from lab.bench.office import Office, client_of, offices
from lab.bench.search.place import Names
from services.accounts.people import create_user
from services.accounts.person import Role
from services.context import Context
from services.stats.counts import recompute_counts

FEW, MANY = 10_000, 1_000_000
#: Different names; a number without a divisor in common with 7919, by whose steps entries take them.
_NAMES = 50_000
_SEED = Path(__file__).with_name("seed.sql")


class Place:
    """The site over `logs` rows of the log, and an auditor."""

    def __init__(self, app: Flask, context: Context, logs: int) -> None:
        self.app, self.context, self.logs = app, context, logs
        self._auditor = create_user(
            context, "auditor@example.org", Role.AUDITOR, "four quiet words here", "Ada Auditor"
        )

    def client(self) -> FlaskClient:
        """Return a client with the session that signing in gives."""
        return client_of(self.app, self.context, self._auditor)


@contextmanager
def places(*sizes: int) -> Iterator[list[Place]]:
    """Serve the site over logs of these lengths; remove them at the end."""
    with offices("stats", len(sizes)) as found:
        for office, logs in zip(found, sizes, strict=True):
            seed(office.url, logs, logs // 4)
            count(office)
        yield [Place(office.app, office.context, logs) for office, logs in zip(found, sizes, strict=True)]


def seed(url: str, logs: int, runs: int, former: int = 0) -> None:
    """Fill a migrated database; one in `former` entries is of the season before, none by default."""
    names = Names(5)
    with psycopg.connect(url, autocommit=True) as connection:
        for name, value in (("logs", logs), ("runs", runs), ("former", former)):
            connection.execute("select set_config(%s, %s, false)", [f"bench.{name}", str(value)])
        connection.execute("create temp table names_drawn (n int, name text)")
        with connection.cursor() as cursor, cursor.copy("copy names_drawn from stdin") as copy:
            for number in range(min(_NAMES, runs)):
                copy.write_row((number, names.student()))
        connection.execute("create index on names_drawn (n)")
        connection.execute("analyze names_drawn")
        connection.execute(_SEED.read_text(encoding="utf-8").encode())


def count(office: Office) -> None:
    """Count the runs, and have the planner know the tables."""
    recompute_counts(office.context.database)
    with psycopg.connect(office.url, autocommit=True) as connection:
        connection.execute("vacuum analyze")
