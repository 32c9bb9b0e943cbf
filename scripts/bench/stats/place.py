"""Two databases on one embedded PostgreSQL of the benchmark's own: few rows of the log and many."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from flask import Flask
from flask.testing import FlaskClient

from core.config import load_settings
from core.embedded import start_postgres, start_valkey
from core.migrations import upgrade
from core.models import Profile
from services.accounts.create_user import create_user
from services.accounts.person import person_of
from services.accounts.roles import Role
from services.accounts.sessions.begin_session import begin_session
from services.accounts.sessions.client import AddressFamily, Client
from services.context import Context, open_context
from services.stats.recompute import recompute

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
        with self.context.database.session() as session:
            profile = session.get_one(Profile, self._auditor)
        secret = begin_session(self.context, person_of(profile), Client(AddressFamily.HERE, ""))
        client = self.app.test_client()
        with client.session_transaction() as cookie:
            cookie["_user_id"] = secret
        return client


@contextmanager
def places(*sizes: int) -> Iterator[list[Place]]:
    """Serve the site over logs of these lengths; remove them at the end."""
    with ExitStack() as parts:
        folder = Path(parts.enter_context(tempfile.TemporaryDirectory(prefix="bench-stats-")))
        # The servers may run as another user, who must get in.
        folder.chmod(0o755)
        server = parts.enter_context(start_postgres(folder))
        queue = parts.enter_context(start_valkey(folder))
        yield [_place(parts, folder, server.dsn, f"{queue.url}?db={n}", logs) for n, logs in enumerate(sizes)]


def _place(parts: ExitStack, folder: Path, dsn: str, redis_url: str, logs: int) -> Place:
    name = f"stats_{logs}"
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(f"create database {name}".encode())
    url = urlsplit(dsn)._replace(path=f"/{name}").geturl()
    upgrade(url)
    settings = load_settings(
        _env_file=None,
        var_dir=folder,
        database_url=url,
        redis_url=redis_url,
        secret_key="bench",
        demo_accounts=False,
        require_second_factor=False,
    )
    context = open_context(settings)
    parts.callback(context.close)
    _seed(context, url, logs)
    # The entry point stands beside the scripts, not below them.
    return Place(import_module("flask_app").create_app(settings, context), context, logs)


def _seed(context: Context, url: str, logs: int) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("select set_config('bench.logs', %s, false)", [str(logs)])
        connection.execute(_SEED.read_text(encoding="utf-8").encode())
    recompute(context.database)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("vacuum analyze")
