"""Two databases on one embedded PostgreSQL of the benchmark's own: a short queue and a long one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from flask import Flask

from core.confined.mupdf import pymupdf
from lab.bench.office import offices
from services.accounts.people import create_user
from services.accounts.person import Role
from services.context import Context

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
    with offices("desk", len(counts)) as found:
        for office, count in zip(found, counts, strict=True):
            seed(office.url, count)
            office.context.store.put("originals/all", form())
        yield [Desk(office.app, office.context, count) for office, count in zip(found, counts, strict=True)]


def seed(url: str, count: int) -> None:
    """Fill an empty, migrated database."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("select set_config('bench.count', %s, false)", [str(count)])
        connection.execute(_SEED.read_text(encoding="utf-8").encode())
        connection.execute("vacuum analyze")


def form() -> bytes:
    """Return the PDF page that every entry has."""
    with pymupdf.open() as document:
        page = document.new_page(width=612, height=792)
        for line, text in enumerate(("Student", "Father", "School", "Grade", "Phone")):
            page.insert_text((60, 90 + 24 * line), text, fontsize=11)
        return bytes(document.tobytes())
