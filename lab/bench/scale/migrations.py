"""What each migration after the baseline takes on a full database, and which tables it locks meanwhile."""

from __future__ import annotations

import shutil
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from core.database import MIGRATIONS, upgrade
from lab.bench.measure import Measure, measured
from lab.bench.results import Table

#: The last file that an empty database gets at once; later ones meet databases that are in use.
BASELINE = "020"
#: Seconds between two looks at the locks.
_EVERY = 0.005
#: Modes that make writers wait, or readers too.
_BLOCKING = ("ShareLock", "ShareRowExclusiveLock", "ExclusiveLock", "AccessExclusiveLock")
_LOCKS = """select distinct c.relname, l.mode from pg_locks l join pg_class c on c.oid = l.relation
  where l.granted and l.mode = any(%s) and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
    and l.database = (select oid from pg_database where datname = current_database()) and c.reltuples > 0"""


@dataclass
class Applied:
    """One migration, with the longest time in milliseconds that each table was locked in each mode."""

    name: str
    seconds: float = 0.0
    locked: dict[tuple[str, str], float] = field(default_factory=dict)

    @property
    def longest(self) -> float:
        """The longest lock, in milliseconds."""
        return max(self.locked.values(), default=0.0)


def apply_later(url: str) -> list[Applied]:
    """Apply the migrations after the baseline one by one, and watch what they lock that has rows."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(MIGRATIONS.glob("*.sql")):
            shutil.copy(path, folder)
            if path.name[:3] <= BASELINE:
                continue
            one = Applied(path.stem)
            with _watched(url, one):
                begun = time.perf_counter()
                upgrade(url, Path(folder))
                one.seconds = time.perf_counter() - begun
            found.append(one)
    return found


@contextmanager
def _watched(url: str, applied: Applied) -> Iterator[None]:
    ended = threading.Event()

    def look() -> None:
        since: dict[tuple[str, str], float] = {}
        with psycopg.connect(url, autocommit=True) as connection:
            while not ended.wait(_EVERY):
                rows = connection.execute(_LOCKS, [list(_BLOCKING)]).fetchall()
                now = time.perf_counter()
                since = {(row[0], row[1]): since.get((row[0], row[1]), now) for row in rows}
                for held, begun in since.items():
                    # A lock that is seen in one look alone was held for less than the time between two.
                    lasted = max(1000 * (now - begun), 1000 * _EVERY)
                    applied.locked[held] = max(applied.locked.get(held, 0.0), lasted)

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


def measure(applied: Sequence[Applied], entries: int) -> tuple[list[Measure], list[Table]]:
    """Return the figures and the table of what was applied over so many entries."""
    how = (
        f"the longest that a migration after {BASELINE} locked a table with rows against writing or reading, at "
        f"{entries} entries with three to twelve values each; looked at each {1000 * _EVERY:.0f} ms"
    )
    measures = [
        measured("migration_longest_lock_ms", max(one.longest for one in applied), "ms", None, how),
        measured("migrations_s", sum(one.seconds for one in applied), "s", None, "all of these migrations"),
    ]
    rows = [[one.name, round(one.seconds, 2), _locks(one)] for one in applied]
    columns = ["migration", "s", "locked"]
    return measures, [{"title": "Migrations on the full database", "columns": columns, "rows": rows}]


def _locks(applied: Applied) -> str:
    found = (f"{table} ({mode.removesuffix('Lock')}, {ms:.0f} ms)" for (table, mode), ms in applied.locked.items())
    return ", ".join(found) or "nothing with rows"
