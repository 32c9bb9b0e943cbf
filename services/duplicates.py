"""Entries that may be the same: found when an entry is read, kept as pairs."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    Select,
    bindparam,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    text,
)
from sqlalchemy.orm import Session, aliased

from core.errors import AppError
from core.models import DuplicatePair, PageFingerprint, Submission, SubmissionField, SubmissionStatus, Upload
from core.tracing.log import get_logger
from pipeline.duplicates.comparison import Likeness, Match, Subject, as_subject, match_pair, pair_keys
from pipeline.duplicates.pictures import DPI, PAGES, Fingerprint, fingerprint
from pipeline.recognition.page_contents import render_page
from pipeline.schema import DocFormat, SubmissionRecord
from services.audit import event
from services.context import Context


def check_submission(
    session: Session, submission: Submission, prepared: Prepared, *, one_entry_each: bool
) -> bool:
    """Store the entry's keys and page maps, and a pair for each entry that it may duplicate.

    Return whether a person has to decide: the entry is the later one of a pair, and not only half of an entry,
    which waits for its missing part. Entries of a season are compared one after the other, so that the later of
    two that are settled at once finds the other. Safe to repeat: a person's decision on a pair stays.
    """
    session.execute(
        select(func.pg_advisory_xact_lock(func.hashtextextended(f"duplicates:{submission.season_id}", 0)))
    )
    keep_keys(session, submission, prepared)
    known = _pairs_of(session, submission.id)
    beside = neighbours_of(session, submission)
    for other, subject in candidates(session, submission, prepared, beside):
        if other.id in known and known[other.id].decision is not None:
            continue
        match = match_pair(subject, prepared.subject, one_entry_each=one_entry_each, neighbours=other.id in beside)
        if match is not None:
            _tell(session, submission, other, match, known.get(other.id))
    session.flush()
    return is_doubted(session, submission.id)


def _pairs_of(session: Session, submission_id: uuid.UUID) -> dict[uuid.UUID, DuplicatePair]:
    """Return the pairs of an entry by the id of the other."""
    rows = session.scalars(
        select(DuplicatePair).where(
            or_(DuplicatePair.first_id == submission_id, DuplicatePair.second_id == submission_id)
        )
    )
    return {pair.second_id if pair.first_id == submission_id else pair.first_id: pair for pair in rows}


def _tell(
    session: Session, submission: Submission, other: Submission, match: Match, pair: DuplicatePair | None
) -> None:
    """Insert the pair, or update what is known of it."""
    if pair is None:
        pair = DuplicatePair(season_id=submission.season_id, first_id=other.id, second_id=submission.id)
        session.add(pair)
        session.add_all([event(other, "duplicate_found"), event(submission, "duplicate_found")])
    pair.likenesses = [likeness.value for likeness in match.likenesses]
    pair.strength = match.strength.value
    pair.essay = match.essay


def waits() -> ColumnElement[bool]:
    """Return the condition that a pair waits for a person."""
    one = aliased(Submission)
    gone = exists().where(one.id.in_([DuplicatePair.first_id, DuplicatePair.second_id]), one.status.in_(GONE))
    return DuplicatePair.decision.is_(None) & ~gone


def pair_waiting(session: Session, submission_id: uuid.UUID) -> uuid.UUID | None:
    """Return the waiting pair whose later entry this is, unless the two are halves of one entry; else None."""
    found: uuid.UUID | None = session.scalar(_pair_waiting(), {"submission_id": submission_id})
    return found


@cache
def _pair_waiting() -> Select[uuid.UUID]:
    """Return the query of `pair_waiting`, which is built once because each decision asks it."""
    later_entry = DuplicatePair.second_id == bindparam("submission_id")
    return (
        select(DuplicatePair.id)
        .where(later_entry, ~is_of_halves(), waits())
        .order_by(DuplicatePair.created_at, DuplicatePair.id)
        .limit(1)
    )


def is_doubted(session: Session, submission_id: uuid.UUID) -> bool:
    """Whether the entry is the later one of a waiting pair, and the two are not halves of one entry."""
    return pair_waiting(session, submission_id) is not None


def is_of_halves() -> ColumnElement[bool]:
    """Return the condition that a pair is the two halves of one entry, not a duplicate."""
    return DuplicatePair.likenesses.contains([Likeness.HALVES.value])


@dataclass(frozen=True)
class OtherSubmission:
    """Another entry that may be the same, or with which the entry was compared."""

    pair_id: uuid.UUID
    submission_id: uuid.UUID
    student_name: str | None
    #: Whether a person still has to decide.
    waits: bool
    decision: str | None
    #: Whether the two are halves of one entry, a form and an essay.
    halves: bool
    #: Whether the other entry is the earlier one.
    earlier: bool


def others_of(session: Session, submission_id: uuid.UUID) -> list[OtherSubmission]:
    """Return the other entries of all pairs of this one that wait or are decided, those that wait first."""
    waiting = waits()
    rows = session.execute(
        select(
            DuplicatePair.id,
            Submission.id,
            Submission.student_name,
            waiting,
            DuplicatePair.decision,
            is_of_halves(),
            DuplicatePair.second_id == submission_id,
        )
        .join(Submission, Submission.id.in_([DuplicatePair.first_id, DuplicatePair.second_id]))
        .where(
            Submission.id != submission_id,
            or_(DuplicatePair.first_id == submission_id, DuplicatePair.second_id == submission_id),
            or_(waiting, DuplicatePair.decision.is_not(None)),
        )
        .order_by(DuplicatePair.decision.is_not(None), DuplicatePair.created_at, DuplicatePair.id)
    )
    return [OtherSubmission(*row) for row in rows]


_KEYS = bindparam("keys", type_=ARRAY(BigInteger))
_FORGET = text("delete from duplicate_keys where submission_id = :submission and key <> all (:keys)").bindparams(
    _KEYS
)
_ADD = text(
    "insert into duplicate_keys (season_id, key, submission_id)"
    " select :season, unnest(:keys), :submission on conflict do nothing"
).bindparams(_KEYS)


def keep_keys(session: Session, submission: Submission, prepared: Prepared) -> None:
    """Replace the entry's keys and page maps."""
    parameters = {"submission": submission.id, "season": submission.season_id, "keys": prepared.keys}
    session.execute(_FORGET, parameters)
    session.execute(_ADD, parameters)
    session.execute(delete(PageFingerprint).where(PageFingerprint.submission_id == submission.id))
    if prepared.subject.pages:
        maps = enumerate(prepared.subject.pages, start=1)
        session.execute(
            insert(PageFingerprint),
            [{"submission_id": submission.id, "position": place, "ink": ink} for place, ink in maps],
        )


#: Statuses of entries that are no longer compared.
GONE = (SubmissionStatus.SUPERSEDED.value, SubmissionStatus.REJECTED.value, SubmissionStatus.FAILED.value)
#: A key that so many entries have is ignored: a sentence printed on the form, a common name.
_MOST_OF_KEY = 64
#: Limit of entries that are compared: those with most keys in common.
_COMPARED = 40
#: Limit of neighboring entries that are compared.
_BESIDE = 4

#: Each key reads a limited number of index rows, so that the cost does not grow with the season.
_SHARING = text(
    f"""
    select found.submission_id, count(*) as shared
    from unnest(:keys) as wanted (key)
    cross join lateral (
      select array_agg(hit.submission_id) as ids from (
        select k.submission_id from duplicate_keys k
        where k.season_id = :season and k.key = wanted.key limit {_MOST_OF_KEY + 1}
      ) hit having count(*) <= {_MOST_OF_KEY}
    ) few
    cross join lateral unnest(few.ids) as found (submission_id)
    where found.submission_id <> :own
    group by found.submission_id
    order by shared desc, found.submission_id
    limit {_COMPARED}
    """  # nosec B608 - numbers of this file
).bindparams(bindparam("keys", type_=ARRAY(BigInteger)))


def candidates(
    session: Session, submission: Submission, prepared: Prepared, beside: Sequence[uuid.UUID] = ()
) -> Iterator[tuple[Submission, Subject]]:
    """Yield the entries that share most keys with this one, each with its current keys and page maps.

    `beside`: further entries to compare.
    """
    parameters = {"keys": prepared.keys, "season": submission.season_id, "own": submission.id}
    sharing = [row.submission_id for row in session.execute(_SHARING, parameters)] if prepared.keys else []
    ids = list(dict.fromkeys((*sharing, *beside)))
    if not ids:
        return
    essay = (SubmissionField.submission_id == Submission.id) & (SubmissionField.name == "essay_text")
    rows = session.execute(
        select(Submission, SubmissionField.value)
        .outerjoin(SubmissionField, essay)
        .where(Submission.id.in_(ids), Submission.status.not_in(GONE))
    )
    found = {row[0].id: row for row in rows}
    maps = _maps(session, found) if prepared.subject.pages else {}
    for one in ids:
        if one in found:
            other, text_of = found[one]
            yield (
                other,
                Subject(other.student_name, other.school_name, other.grade, text_of, tuple(maps.get(one, ()))),
            )


def neighbours_of(session: Session, submission: Submission) -> list[uuid.UUID]:
    """Return the entries before and after this one, in its file or in the files that came next to it."""
    own = session.get_one(Upload, submission.upload_id)
    near_in_file = (Submission.upload_id == own.id) & Submission.chunk_index.between(
        submission.chunk_index - 1, submission.chunk_index + 1
    )
    near_file = Upload.position.between(own.position - 1, own.position + 1) & (Upload.entry_count == 1)
    alone = own.entry_count == 1 and own.split_id is None
    return list(
        session.scalars(
            select(Submission.id)
            .join(Upload, Upload.id == Submission.upload_id)
            .where(
                Submission.batch_id == submission.batch_id,
                Submission.id != submission.id,
                or_(near_in_file, near_file) if alone else near_in_file,
                Submission.status.not_in(GONE),
            )
            .order_by(Submission.id)
            .limit(_BESIDE)
        )
    )


def _maps(session: Session, ids: Collection[uuid.UUID]) -> dict[uuid.UUID, list[bytes]]:
    found: dict[uuid.UUID, list[bytes]] = defaultdict(list)
    rows = session.execute(
        select(PageFingerprint.submission_id, PageFingerprint.ink)
        .where(PageFingerprint.submission_id.in_(ids))
        .order_by(PageFingerprint.submission_id, PageFingerprint.position)
    )
    for row in rows:
        found[row.submission_id].append(row.ink)
    return found


log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Prepared:
    """An entry as it was read, ready to be compared."""

    subject: Subject
    keys: list[int]


def prepare(context: Context, record: SubmissionRecord) -> Prepared:
    """Return the entry's keys and page maps; pages that cannot be drawn are left out."""
    subject = as_subject(record, fingerprints(context, uuid.UUID(record.submission_id)))
    return Prepared(subject, pair_keys(subject))


def fingerprints(context: Context, submission_id: uuid.UUID) -> tuple[Fingerprint, ...]:
    """Return the maps of the entry's first pages; none for an entry that came as text."""
    with context.database.reading() as session:
        submission = session.get_one(Submission, submission_id)
        pdf_key = session.get_one(Upload, submission.upload_id).pdf_key
    if pdf_key is None or submission.doc_format == DocFormat.NATIVE_TEXT:
        return ()
    last = min(submission.page_end, submission.page_start + PAGES - 1)
    try:
        pdf = context.store.get(pdf_key)
        maps = [fingerprint(render_page(pdf, number, DPI)) for number in range(submission.page_start, last + 1)]
    except AppError as error:
        log.warning("no_fingerprint", submission_id=str(submission_id), code=error.code)
        return ()
    return tuple(found for found in maps if found is not None)
