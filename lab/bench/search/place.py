"""A site over many invented entries: some names are very common, most are rare, and some are misread."""

from __future__ import annotations

import gzip
import hashlib
import itertools
import random
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
from flask import Flask
from flask.testing import FlaskClient

from core.config import ROOT
from lab.bench.office import Office, client_of, offices
from services.accounts.people import create_user
from services.accounts.person import Role
from services.context import Context

MANY = 1_000_000
#: Entries a file, files a batch: a batch is of one school, so that its entries lie together in time.
_OF_FILE, _OF_BATCH = 4, 10
_SCHOOLS = 1_000
_AT_A_TIME = 10_000
_BEGINNING, _APART = datetime(2026, 1, 5, tzinfo=UTC), timedelta(seconds=12)
_SEED = Path(__file__).with_name("seed.sql")
_COPY = """copy submissions (id, season_id, batch_id, upload_id, owner_user_id, chunk_index, page_start, page_end,
  doc_class, doc_format, status, needs_review, grade, created_at, student_name, school_name, contacts)
  from stdin"""
_FIRST = (
    *("María", "José", "Juan", "Sofía", "Emily", "Daniel", "David", "Michael", "Jessica", "Ashley", "Angel"),
    *("Luis", "Verónica", "Carlos", "Ana", "Isabella", "Jacob", "Camila", "Andrea", "Kevin", "Alexander"),
)
_LAST = (
    *("García", "Rodríguez", "Hernández", "Martínez", "López", "González", "Pérez", "Sánchez", "Smith"),
    *("Johnson", "Ramírez", "Flores", "Williams", "Torres", "Rivera", "Brown", "Jones", "Cruz", "O'Connell"),
)
_PLACES = (
    *("Lakeview", "Juniper", "Ashgrove", "Riverbend", "Maple Hollow", "Sunfield", "Northgate", "Quail Run"),
    *("Cedar Point", "Foxglove", "Stonebridge", "Willow Creek", "Orchard Hill", "Bayside", "Elm Park"),
)
_LEVELS = ("Elementary School", "Middle School", "High School", "Academy")


@dataclass(frozen=True)
class Row:
    """One invented entry."""

    number: int
    student: str
    school: str
    contacts: list[str]


class Names:
    """Draws names: half from the commonest, half by the shares of the list of names that the reader spells by."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        with gzip.open(ROOT / "pipeline" / "spelling" / "us_names.txt.gz", "rt", encoding="utf-8") as lines:
            pairs = [line.split() for line in lines]
        self.rare = [name.title() for name, _ in pairs]
        self._shares = list(itertools.accumulate(float(share) for _, share in pairs))
        self._common = [1 / (2 + n) for n in range(len(_FIRST))]

    def student(self) -> str:
        """Return a first name and one or two surnames; one in thirty has a letter misread."""
        names = [self._name(_FIRST), self._name(_LAST)]
        if self.dice.random() < 0.3:
            names.append(self._name(_LAST))
        if self.dice.random() < 0.033:
            at = self.dice.randrange(len(names))
            names[at] = misread(names[at], self.dice)
        return " ".join(names)

    def _name(self, common: tuple[str, ...]) -> str:
        if self.dice.random() < 0.5:
            return self.dice.choices(common, self._common[: len(common)])[0]
        return self.dice.choices(self.rare, cum_weights=self._shares)[0]


def misread(name: str, dice: random.Random) -> str:
    """Return a name with one letter wrong or missing."""
    at = dice.randrange(1, len(name)) if len(name) > 1 else 0
    return name[:at] + dice.choice(("", "n", "a", "e", "r", "l")) + name[at + 1 :]


class Place:
    """The site over `entries` entries, and a reviewer."""

    def __init__(self, app: Flask, context: Context, url: str, entries: int) -> None:
        self.app, self.context, self.url, self.entries = app, context, url, entries
        self._reviewer = create_user(
            context, "reviewer@example.org", Role.REVIEWER, "four quiet words here", "Rosa Reviewer"
        )

    def client(self) -> FlaskClient:
        """Return a client with the session that signing in gives."""
        return client_of(self.app, self.context, self._reviewer)


@contextmanager
def place(entries: int) -> Iterator[tuple[Place, float]]:
    """Serve the site over so many entries; yield it and the seconds that writing them took."""
    with offices("search", 1) as (office,):
        seconds = _fill(office, entries)
        yield Place(office.app, office.context, office.url, entries), seconds


def rows(entries: int) -> Iterator[Row]:
    """Yield the entries, always the same."""
    names = Names(7)
    dice = names.dice
    shares = [1 / (10 + n) for n in range(_SCHOOLS)]
    schools = [f"{_PLACES[n % len(_PLACES)]} {_LEVELS[n // 15 % 4]} {1 + n // 60}" for n in range(_SCHOOLS)]
    school = schools[0]
    for number in range(entries):
        if number % (_OF_FILE * _OF_BATCH) == 0:
            school = dice.choices(schools, shares)[0]
        student = names.student()
        phone = f"({dice.randrange(201, 990)}) 555-{dice.randrange(100, 200):04d}"
        email = f"{student.split()[0].lower()}.{number}@example.org"
        yield Row(number, student, school, [email, phone])


def _fill(office: Office, entries: int) -> float:
    """Write files and entries; return the seconds that the entries took."""
    files = -(-entries // _OF_FILE)
    with psycopg.connect(office.url, autocommit=True) as connection:
        connection.execute("select set_config('bench.files', %s, false)", [str(files)])
        connection.execute(_SEED.read_text(encoding="utf-8").encode())
        begun = time.perf_counter()
        found = rows(entries)
        # In pieces: what is noted of each entry is done at the end of a statement.
        while some := list(itertools.islice(found, _AT_A_TIME)):
            with connection.cursor() as cursor, cursor.copy(_COPY) as copy:
                for row in some:
                    copy.write_row(_columns(row))
        seconds = time.perf_counter() - begun
        connection.execute("vacuum analyze")
    return seconds


def _columns(row: Row) -> tuple[object, ...]:
    """Return the row of an entry; keys are those of seed.sql."""
    file = row.number // _OF_FILE
    batch = file // _OF_BATCH
    status = ("completed", "completed", "completed", "suggested", "escalated")[row.number % 5]
    return (
        _key(f"entry{row.number}"),
        _key("season"),
        _key(f"batch{batch}"),
        _key(f"file{file}"),
        _key(f"owner{batch % 40}"),
        row.number % _OF_FILE,
        1,
        1,
        "SINGLE_SCANNED",
        "image_only",
        status,
        status != "completed",
        str(1 + row.number % 12),
        _BEGINNING + row.number * _APART,
        row.student,
        row.school,
        row.contacts,
    )


def _key(name: str) -> uuid.UUID:
    return uuid.UUID(hashlib.md5(name.encode(), usedforsecurity=False).hexdigest())
