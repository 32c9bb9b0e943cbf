"""Two databases on one embedded PostgreSQL of the benchmark's own: few rows of the log and many."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from flask import Flask
from flask.testing import FlaskClient

from lab.bench.office import Office, client_of, offices
from services.accounts.people import create_user
from services.accounts.person import Role
from services.context import Context
from services.stats.counts import recompute_counts

FEW, MANY = 10_000, 1_000_000
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
            _seed(office, logs)
        yield [Place(office.app, office.context, logs) for office, logs in zip(found, sizes, strict=True)]


def _seed(office: Office, logs: int) -> None:
    with psycopg.connect(office.url, autocommit=True) as connection:
        connection.execute("select set_config('bench.logs', %s, false)", [str(logs)])
        connection.execute(_SEED.read_text(encoding="utf-8").encode())
    recompute_counts(office.context.database)
    with psycopg.connect(office.url, autocommit=True) as connection:
        connection.execute("vacuum analyze")
