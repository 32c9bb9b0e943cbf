"""The entries of a season that have something in common with another one."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from sqlalchemy import ARRAY, BigInteger, bindparam, or_, select, text
from sqlalchemy.orm import Session

from core.models import PageFingerprint, Submission, SubmissionField, SubmissionStatus, Upload
from pipeline.duplicates.subject import Subject
from services.duplicates.prepare import Prepared

#: Entries that are no longer there to be the same as another one.
GONE = (SubmissionStatus.SUPERSEDED.value, SubmissionStatus.REJECTED.value, SubmissionStatus.FAILED.value)
#: A key that so many entries have says nothing: a sentence that a form prints, a name of many.
_MOST_OF_KEY = 64
#: Entries that are compared: those with most keys in common.
_COMPARED = 40
#: Entries beside this one that are compared at most.
_BESIDE = 4

#: Each key reads at most so many rows of its index: what it costs does not grow with the season.
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
    """Yield the entries that share most keys with this one, with what they are compared by as it is now.

    `beside`: entries that are compared besides.
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
    """Return the entries before and behind this one as they came: in its file, or in the files beside its own."""
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
