"""What the list of entries takes when something is searched for, and what keeping it searchable takes."""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Sequence

import psycopg
from psycopg.sql import SQL, Identifier

from lab.bench.measure import Measure, at_most, measured
from lab.bench.search.place import Names, Place, misread

PAGE = "/submissions"
_P95_MS = 100
_TIMES, _WARM = 60, 5
#: Entries that are written with and without what searches need.
_WRITTEN = 2_000
_INSERT = """insert into submissions (id, season_id, batch_id, upload_id, owner_user_id, chunk_index, page_start,
  page_end, doc_class, doc_format, student_name, school_name, contacts)
  values (%s, md5('season')::uuid, md5('batch0')::uuid, md5('file0')::uuid, md5('owner0')::uuid, %s, 1, 1,
    'SINGLE_SCANNED', 'image_only', %s, 'Juniper Elementary School 1', %s)"""


def measure(place: Place) -> list[Measure]:
    """Time searches of each kind, weigh the indexes, and time writing."""
    by_kind = {kind: _times(place, texts) for kind, texts in searches(place.url).items()}
    every = [one for times in by_kind.values() for one in times]
    how = (
        f"95th percentile of {len(every)} whole requests (session, queries, template) in one process at "
        f"{place.entries} entries in the embedded PostgreSQL: GET {PAGE}?q=… for {', '.join(by_kind)}"
    )
    with_words, without = _writing(place)
    index, words = _sizes(place)
    return [
        measured("search_p95_ms", _p95(every), "ms", at_most(_P95_MS), how),
        *(
            measured(
                f"search_{kind.replace(' ', '_')}_p95_ms",
                _p95(times),
                "ms",
                at_most(_P95_MS),
                f"{len(times)} of these",
            )
            for kind, times in by_kind.items()
        ),
        measured("search_index_mb", index, "MB", None, "the index of what entries are found by"),
        measured(
            "search_words_mb", words, "MB", None, "the words of names, for a letter wrong, with their indexes"
        ),
        measured(
            "search_write_ms_an_entry",
            with_words - without,
            "ms",
            None,
            f"mean of {_WRITTEN} entries written one by one, less that without index and triggers ({without:.2f})",
        ),
    ]


def searches(url: str) -> dict[str, list[str]]:
    """Return texts that are searched for in a database, by kind; names are drawn as those of the entries are."""
    names, dice = Names(11), random.Random(3)
    with psycopg.connect(url) as connection:
        drawn = [
            connection.execute(
                "with season as (select s.id, min(e.created_at) as first, max(e.created_at) as last from seasons s"
                " join submissions e on e.season_id = s.id where s.is_current group by s.id)"
                " select e.student_name, e.contacts, e.school_name, e.file_name, e.id from submissions e, season s"
                " where e.season_id = s.id and e.contacts <> '{}'"
                " and e.created_at >= s.first + %s * (s.last - s.first)"
                " order by e.created_at limit 1",
                [dice.random()],
            ).fetchone()
            for _ in range(_TIMES)
        ]
    entries = [row for row in drawn if row is not None]
    students = [names.student() for _ in range(_TIMES)]
    rare = [dice.choice(names.rare) for _ in range(_TIMES)]
    common = [
        "maria",
        "garcia",
        "jose",
        "rodriguez",
        "smith",
        "maria garcia",
        "juan hernandez",
        "lopez",
        "ana lopez",
    ]
    return {
        "ordinary names": [row[0] for row in entries],
        "drawn names": students,
        "rare names": rare,
        "very common names": [common[n % len(common)] for n in range(_TIMES)],
        "misspelled names": [
            misread(name, dice) for name in (*rare[:20], *(one.split()[-1] for one in students[:40]))
        ],
        "misspelled whole names": [misread(row[0], dice) for row in entries],
        "schools": [row[2] for row in entries],
        "phones": [row[1][1] for row in entries],
        "addresses": [row[1][0] for row in entries],
        "files": [row[3] for row in entries],
        "codes": [str(row[4])[:8] for row in entries],
    }


def _times(place: Place, texts: Sequence[str]) -> list[float]:
    client = place.client()
    taken = []
    for number, looked_for in enumerate([*texts[:_WARM], *texts]):
        begun = time.perf_counter()
        response = client.get(PAGE, query_string={"q": looked_for})
        spent = 1000 * (time.perf_counter() - begun)
        if response.status_code != 200:
            raise RuntimeError(f"{looked_for!r} answered {response.status_code}")
        if number >= _WARM:
            taken.append(spent)
    return taken


def _p95(times: Sequence[float]) -> float:
    return sorted(times)[int(0.95 * len(times))]


def _sizes(place: Place) -> tuple[float, float]:
    with psycopg.connect(place.url) as connection:
        row = connection.execute(
            "select pg_relation_size('submissions_search'), pg_total_relation_size('search_words')"
        ).fetchone()
    assert row is not None
    return row[0] / 1e6, row[1] / 1e6


def _writing(place: Place) -> tuple[float, float]:
    """Return the milliseconds of writing an entry, with what searches need and without; nothing of it stays."""
    found = []
    for searchable in (True, False):
        with psycopg.connect(place.url) as connection:
            if not searchable:
                connection.execute("drop index submissions_search")
                for trigger in ("submissions_search_words", "submissions_file_name"):
                    connection.execute(SQL("drop trigger {} on submissions").format(Identifier(trigger)))
                connection.execute("alter table submissions drop column search")
            found.append(_written(connection))
            connection.rollback()
    return found[0], found[1]


def _written(connection: psycopg.Connection) -> float:
    names = Names(13)
    spent = 0.0
    for number in range(_WRITTEN):
        values = [uuid.uuid4(), 1000 + number, names.student(), ["ana@example.org", f"555-{number:07d}"]]
        begun = time.perf_counter()
        connection.execute(_INSERT, values)
        spent += time.perf_counter() - begun
    return 1000 * spent / _WRITTEN
