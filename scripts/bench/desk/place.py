"""Two databases on one embedded PostgreSQL of the benchmark's own: a short queue and a long one."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from flask import Flask

from core.config import load_settings
from core.embedded import start_postgres, start_valkey
from core.migrations import upgrade
from core.mupdf import pymupdf
from services.accounts.create_user import create_user
from services.accounts.roles import Role
from services.context import Context, open_context

SHORT, LONG = 1_000, 100_000
REVIEWER, PASSWORD = "reviewer@example.org", "four quiet words here"
_SEED = Path(__file__).with_name("seed.sql")


class Desk:
    """The site over a queue of `count` proposals, and a reviewer."""

    def __init__(self, app: Flask, context: Context, count: int) -> None:
        self.app, self.context, self.count = app, context, count
        self.reviewer = create_user(context, REVIEWER, Role.REVIEWER, PASSWORD, "Robin Reviewer")


@contextmanager
def desks(*counts: int) -> Iterator[list[Desk]]:
    """Serve the site over queues of these lengths; remove them at the end."""
    with ExitStack() as parts:
        folder = Path(parts.enter_context(tempfile.TemporaryDirectory(prefix="bench-desk-")))
        # The servers may run as another user, who must get in.
        folder.chmod(0o755)
        server = parts.enter_context(start_postgres(folder))
        queue = parts.enter_context(start_valkey(folder))
        yield [_desk(parts, folder, server.dsn, f"{queue.url}?db={n}", count) for n, count in enumerate(counts)]


def _desk(parts: ExitStack, folder: Path, dsn: str, redis_url: str, count: int) -> Desk:
    name = f"desk_{count}"
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(f"create database {name}".encode())
    url = urlsplit(dsn)._replace(path=f"/{name}").geturl()
    upgrade(url)
    seed(url, count)
    settings = load_settings(
        _env_file=None,
        var_dir=folder,
        database_url=url,
        redis_url=redis_url,
        secret_key="bench",
        demo_accounts=False,
    )
    context = open_context(settings)
    parts.callback(context.close)
    context.store.put("originals/all", _form())
    # The entry point stands beside the scripts, not below them.
    app = import_module("flask_app").create_app(settings, context)
    return Desk(app, context, count)


def seed(url: str, count: int) -> None:
    """Fill an empty, migrated database."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("select set_config('bench.count', %s, false)", [str(count)])
        connection.execute(_SEED.read_text(encoding="utf-8").encode())
        connection.execute("vacuum analyze")


def _form() -> bytes:
    """Return the PDF page that every entry has."""
    with pymupdf.open() as document:
        page = document.new_page(width=612, height=792)
        for line, text in enumerate(("Student", "Father", "School", "Grade", "Phone")):
            page.insert_text((60, 90 + 24 * line), text, fontsize=11)
        return bytes(document.tobytes())
