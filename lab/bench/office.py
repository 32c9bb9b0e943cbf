"""Offices of a benchmark's own: embedded servers in a scratch folder, and a site over each of some databases."""

from __future__ import annotations

import gc
import tempfile
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
from flask import Flask
from flask.testing import FlaskClient

from core.config import load_settings
from core.database import upgrade
from core.embedded.handles import start_postgres, start_valkey
from core.models import Profile
from core.tracing.log import configure_logging
from services.accounts.person import person_of
from services.accounts.sessions import AddressFamily, Client, create_session
from services.backup.restore import open_backup, restore_backup
from services.context import Context, open_context


@dataclass(frozen=True)
class Office:
    """A site over a migrated database of its own, at `url`."""

    app: Flask
    context: Context
    url: str


@contextmanager
def offices(
    name: str, number: int, backup: Path | None = None, before: Callable[[str], None] | None = None
) -> Iterator[list[Office]]:
    """Yield so many offices on one PostgreSQL and one Valkey; remove everything at the end.

    They are empty, or what the `backup` holds, or what `before` makes of each empty database, given its address.
    """
    with ExitStack() as parts:
        folder, dsn, redis_url = parts.enter_context(servers(f"bench-{name}-"))
        found = []
        for n in range(number):
            url = _database(dsn, f"{name}_{n}".replace("-", "_"))
            if before is not None:
                before(url)
            found.append(_office(parts, folder, url, f"{redis_url}?db={n}", backup))
        # As `flask serve` does.
        gc.collect()
        gc.freeze()
        yield found


def client_of(app: Flask, context: Context, person_id: uuid.UUID) -> FlaskClient:
    """Return a client with the session that signing in gives this person."""
    profile = context.database.get_one(Profile, person_id)
    secret = create_session(context, person_of(profile), Client(AddressFamily.HERE, ""))
    client = app.test_client()
    with client.session_transaction() as cookie:
        cookie["_user_id"] = secret
    return client


@contextmanager
def servers(prefix: str) -> Iterator[tuple[Path, str, str]]:
    """Yield a scratch folder and the addresses of a PostgreSQL and a Valkey in it; remove all at the end."""
    with tempfile.TemporaryDirectory(prefix=prefix) as name:
        folder = Path(name)
        # The servers may run as another user, who must get in.
        folder.chmod(0o755)
        with start_postgres(folder) as server, start_valkey(folder) as queue:
            yield folder, server.dsn, queue.url


@contextmanager
def own_context(name: str, **more: Any) -> Iterator[Context]:
    """Yield the context of a desk without a site: a migrated database and a queue; `more`: further settings."""
    with servers(f"bench-{name}-") as (folder, dsn, redis_url):
        upgrade(dsn)
        settings = load_settings(
            _env_file=None,
            var_dir=folder,
            database_url=dsn,
            redis_url=redis_url,
            secret_key="bench",
            demo_accounts=False,
            log_level="error",
            **more,
        )
        configure_logging(settings)
        context = open_context(settings)
        try:
            yield context
        finally:
            context.close()


def _database(dsn: str, name: str) -> str:
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(f"create database {name}".encode())
    return urlsplit(dsn)._replace(path=f"/{name}").geturl()


def _office(parts: ExitStack, folder: Path, url: str, redis_url: str, backup: Path | None) -> Office:
    if backup is None:
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
    if backup is not None:
        restore_backup(context, open_backup(backup, None), lambda done, total: None)
    # The entry point stands beside the laboratory, not below it.
    return Office(import_module("flask_app").create_app(settings, context), context, url)
