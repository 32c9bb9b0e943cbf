"""Entries sent twice: how many are found, how many are not the same, and what a check takes at 100,000."""

from __future__ import annotations

import sys
import time
import uuid
from collections.abc import Iterable, Iterator, Sequence, Set
from os import cpu_count, getloadavg
from statistics import mean, median
from time import process_time

import psycopg
from sqlalchemy import select
from sqlalchemy.orm import Session

from core.models import DuplicatePair, Season, Submission
from lab.bench.measure import Measure, at_least, at_most, measured
from lab.bench.office import Office, offices
from lab.bench.season.duplicate_pages import measure_pages
from lab.bench.season.duplicate_texts import SEPARATE, Drawn, draw
from pipeline.duplicates.comparison import Subject, pair_keys
from services.context import Context
from services.duplicates import Prepared, check_submission

ENTRIES, PAIRS, MANY, CHECKED = 5_000, 300, 100_000, 300
#: Entries that are checked in one transaction where nobody looks at the clock.
_LOT = 50
_HEAD = """
insert into profiles (id, email) values (%(one)s, 'bench@example.org');
insert into upload_batches (id, season_id, uploaded_by) values (%(one)s, %(season)s, %(one)s);
insert into uploads
    (id, season_id, batch_id, uploaded_by, position, original_filename, byte_size, sha256, storage_key)
  values (%(one)s, %(season)s, %(one)s, %(one)s, 0, 'a.pdf', 1, repeat('0', 64), 'originals/bench')
"""
_SUBMISSIONS = """copy submissions (id, season_id, batch_id, upload_id, owner_user_id, chunk_index, page_start,
  page_end, doc_class, doc_format, status, needs_review, student_name, school_name, grade) from stdin"""
_FIELDS = "copy submission_fields (submission_id, season_id, name, value) from stdin"
_KEYS = "copy duplicate_keys (season_id, key, submission_id) from stdin"


def measure(entries: int = ENTRIES, many: int = MANY) -> list[Measure]:
    """Check planted pairs among some entries, the time of a check among many, and pictures of pages."""
    return [*measure_pairs(entries), *measure_checks(many), *measure_pages()]


def measure_pairs(entries: int = ENTRIES) -> list[Measure]:
    """Find planted pairs; those of development, among fewer entries, only explain."""
    found = {}
    for name, number in (("development", entries // 5), ("held_out", entries)):
        with offices(f"duplicates_{name}", 1) as (office,):
            _say(f"{number} entries, {name} …")
            found[name] = _found(office, draw(SEPARATE[name], number, _pairs_among(number)))
    of = f"{_pairs_among(entries)} pairs planted among {entries} drawn entries with errors of reading, "
    development, held_out = found["development"], found["held_out"]
    return [
        measured(
            "duplicate_pairs_recall",
            held_out[0],
            "share",
            at_least(0.98),
            "held out: other people, sentences and errors than those it was tuned on "
            f"(development {development[0]:.3f}); {of}and as many that look so",
        ),
        measured(
            "duplicate_pairs_precision",
            held_out[1],
            "share",
            at_least(0.95),
            f"of the pairs shown to a person; held out (development {development[1]:.3f})",
        ),
        measured(
            "second_entries_recall",
            held_out[2],
            "share",
            None,
            "two different essays of one child, where the season takes one of each; common names cannot tell "
            f"(development {development[2]:.3f})",
        ),
    ]


def measure_checks(many: int = MANY) -> list[Measure]:
    """Take the time of a check among many entries."""
    with offices("duplicates_many", 1) as (office,):
        took, busy = _at_many(office, many)
    return [
        measured(
            "duplicate_check_ms_an_entry",
            mean(took),
            "ms",
            at_most(50),
            f"keys, search, comparison and commit, {len(took)} entries checked one after the other among "
            f"{many} rows in the database; median {median(took):.0f}, slowest {max(took):.0f}, "
            f"{busy:.0f} ms of them this process's own work; {getloadavg()[0]:.0f} processes ran on "
            f"{cpu_count()} cores",
        )
    ]


def _pairs_among(entries: int) -> int:
    return min(PAIRS, entries // 8)


def _found(office: Office, drawn: Drawn) -> tuple[float, float, float]:
    """Return recall and precision of the pairs, and the recall of second entries of a child."""
    ids, pairs = found_pairs(office, drawn.subjects)
    with office.context.database.session() as session:
        for _, place in drawn.twice:
            _check(session, ids[place], drawn.subjects[place], one_entry_each=True)
    twice = _pairs(office.context, ids) - pairs
    tell(drawn.subjects, drawn.same, pairs)
    return (
        len(pairs & drawn.same) / len(drawn.same),
        len(pairs & drawn.same) / max(1, len(pairs)),
        len(twice & drawn.twice) / len(drawn.twice),
    )


def found_pairs(office: Office, subjects: Sequence[Subject]) -> tuple[list[uuid.UUID], set[tuple[int, int]]]:
    """Write entries and check one after the other; return their ids, and the pairs by their places."""
    ids = _write(office, subjects, keyed=False)
    for begin in range(0, len(ids), _LOT):
        with office.context.database.session() as session:
            for place in range(begin, min(begin + _LOT, len(ids))):
                _check(session, ids[place], subjects[place])
    return ids, _pairs(office.context, ids)


def tell(subjects: Sequence[Subject], same: Set[tuple[int, int]], pairs: Set[tuple[int, int]]) -> None:
    """Print what was missed and what was wrong."""
    for name, some in (("missed", same - pairs), ("wrong", pairs - same)):
        for first, second in sorted(some)[:6]:
            one, other = subjects[first], subjects[second]
            _say(f"  {name}: {one.student_name} | {other.student_name} | {one.school_name} | {other.school_name}")


def _at_many(office: Office, many: int) -> tuple[list[float], float]:
    """Return what each of some checks took among so many entries, and of that this process, on average."""
    drawing = SEPARATE["held_out"]
    _say(f"drawing {many} entries …")
    subjects = draw(drawing, many, CHECKED // 2).subjects
    _say(f"writing {many} entries …")
    _write(office, subjects[:-CHECKED], keyed=True)
    with psycopg.connect(office.url, autocommit=True) as connection:
        connection.execute("analyze")
    ids = _write(office, subjects[-CHECKED:], keyed=False, begin=many)
    _say("checking …")
    took, worked = [], process_time()
    for submission_id, subject in zip(ids, subjects[-CHECKED:], strict=True):
        begun = time.perf_counter()
        with office.context.database.session() as session:
            _check(session, submission_id, subject)
        took.append(1000 * (time.perf_counter() - begun))
    return took, 1000 * (process_time() - worked) / len(took)


def _check(session: Session, submission_id: uuid.UUID, subject: Subject, *, one_entry_each: bool = False) -> None:
    prepared = Prepared(subject, pair_keys(subject))
    submission = session.get_one(Submission, submission_id)
    check_submission(session, submission, prepared, one_entry_each=one_entry_each)


def _pairs(context: Context, ids: Sequence[uuid.UUID]) -> set[tuple[int, int]]:
    """Return the pairs that were found, by the places of their entries."""
    place = {submission_id: number for number, submission_id in enumerate(ids)}
    with context.database.session() as session:
        rows = session.execute(select(DuplicatePair.first_id, DuplicatePair.second_id))
        return {(place[first], place[second]) for first, second in rows}


def _write(office: Office, subjects: Sequence[Subject], *, keyed: bool, begin: int = 0) -> list[uuid.UUID]:
    """Write rows of entries, with their keys if they are `keyed`; return their ids."""
    with office.context.database.session() as session:
        season = session.scalars(select(Season.id)).first() or uuid.uuid4()
    ids = [uuid.uuid4() for _ in subjects]
    one = uuid.uuid5(season, "bench")
    with psycopg.connect(office.url) as connection:
        connection.execute("insert into seasons (id, name) values (%s, 'bench') on conflict do nothing", [season])
        if begin == 0:
            for statement in _HEAD.split(";"):
                connection.execute(statement.encode(), {"one": one, "season": season})
        _copy(
            connection,
            _SUBMISSIONS,
            (
                (
                    *(submission_id, season, one, one, one, number, 1, 1, "SINGLE_SCANNED", "image_only"),
                    *("completed", False),
                    *(subject.student_name, subject.school_name, subject.grade),
                )
                for number, (submission_id, subject) in enumerate(zip(ids, subjects, strict=True), start=begin)
            ),
        )
        _copy(connection, _FIELDS, _field_rows(season, ids, subjects))
        if keyed:
            _copy(
                connection,
                _KEYS,
                (
                    (season, key, submission_id)
                    for submission_id, subject in zip(ids, subjects, strict=True)
                    for key in pair_keys(subject)
                ),
            )
    return ids


def _field_rows(
    season: uuid.UUID, ids: Sequence[uuid.UUID], subjects: Sequence[Subject]
) -> Iterator[tuple[object, ...]]:
    for submission_id, subject in zip(ids, subjects, strict=True):
        for name in ("student_name", "school_name", "grade"):
            yield submission_id, season, name, getattr(subject, name)
        yield submission_id, season, "essay_text", subject.essay


def _copy(connection: psycopg.Connection, statement: str, rows: Iterable[tuple[object, ...]]) -> None:
    with connection.cursor().copy(statement.encode()) as copy:
        for row in rows:
            copy.write_row(row)


def _say(text: str) -> None:
    print(text, file=sys.stderr)
