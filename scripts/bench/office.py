"""Offices of a benchmark's own: embedded servers in a scratch folder, and a site over each of some databases."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from flask import Flask

from core.config import load_settings
from core.embedded import start_postgres, start_valkey
from core.migrations import upgrade
from services.context import Context, open_context


@dataclass(frozen=True)
class Office:
    """A site over a database of its own, migrated and empty, at `url`."""

    app: Flask
    context: Context
    url: str


@contextmanager
def offices(name: str, number: int) -> Iterator[list[Office]]:
    """Yield so many offices on one PostgreSQL and one Valkey; remove everything at the end."""
    with ExitStack() as parts:
        folder = Path(parts.enter_context(tempfile.TemporaryDirectory(prefix=f"bench-{name}-")))
        # The servers may run as another user, who must get in.
        folder.chmod(0o755)
        server = parts.enter_context(start_postgres(folder))
        queue = parts.enter_context(start_valkey(folder))
        yield [_office(parts, folder, server.dsn, f"{queue.url}?db={n}", f"{name}_{n}") for n in range(number)]


def _office(parts: ExitStack, folder: Path, dsn: str, redis_url: str, database: str) -> Office:
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(f"create database {database}".encode())
    url = urlsplit(dsn)._replace(path=f"/{database}").geturl()
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
    # The entry point stands beside the scripts, not below them.
    return Office(import_module("flask_app").create_app(settings, context), context, url)
