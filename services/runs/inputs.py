"""The inputs of a run: values given by people, the other entries of the upload, what it was set aside for."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, func, select, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from core.file_store import FileStore
from core.models import (
    AsideEnd,
    AsideKind,
    ReviewEvent,
    Run,
    SetAside,
    Submission,
    SubmissionField,
    SubmissionStatus,
    Upload,
    UploadBatch,
    UploadSplit,
)
from pipeline.extraction.tokens import upright
from pipeline.joint_pass.respelling import respell
from pipeline.joint_pass.votes import Member
from pipeline.orchestrator.artifacts import artifact_dir_of, decided_readings, load_first, load_reading
from pipeline.pages.page_model import Box, Source
from pipeline.profiles import alike_fields, derived_fields, text_fields
from pipeline.schema import EvidenceBox, FieldReading, Report, SubmissionRecord
from pipeline.supabase_db import get_record_by_id
from pipeline.validate import without_defaults
from services.context import Context
from services.seasons import season_policy

#: Statuses of entries that take part in no pass: failed, rejected or replaced.
_GONE = (SubmissionStatus.FAILED.value, SubmissionStatus.REJECTED.value, SubmissionStatus.SUPERSEDED.value)
#: Statuses of entries whose values do not count: not read completely, or gone.
_WITHOUT_VALUES = (SubmissionStatus.QUEUED.value, SubmissionStatus.PROCESSING.value, *_GONE)

#: Changes in JSON by the id of the run.
Changes = dict[str, list[dict[str, Any]]]


def joint_changes_of(context: Context, upload_id: uuid.UUID, run_ids: Sequence[str]) -> Changes:
    """Return the changes of these runs of one file, whose first readings are stored.

    The other entries of the batch count with their present values, including a person's; they are not changed.
    Raises NotFoundError if a stored reading is missing.
    """
    with context.database.reading() as session:
        batch_id = session.get_one(Upload, upload_id).batch_id
        runs = session.scalars(select(Run).where(Run.run_id.in_(run_ids))).all()
    members = {run.run_id: Member(first_reading(context.store, run)[0], str(upload_id)) for run in runs}
    return changes_among(context, batch_id, members)


def changes_among(context: Context, batch_id: uuid.UUID, members: Mapping[str, Member]) -> Changes:
    """Return the changes of members by the id of their runs. The other entries of the batch count too."""
    asked = {member.key for member in members.values()}
    with context.database.reading() as session:
        batch = session.get_one(UploadBatch, batch_id)
        others = list(_settled(session, batch_id, [uuid.UUID(key) for key in asked]))
        # Without the schools that entries of this batch teach: these are members themselves.
        schools = season_policy(session, batch.season_id, context.settings, but_batch=batch_id).schools
    spellings = [spelling for name, aliases in schools.items() for spelling in (name, *aliases)]
    changes = respell([*others, *members.values()], spellings, only=asked)
    return {
        run_id: [change.model_dump(mode="json") for change in changes.get(member.key, ())]
        for run_id, member in members.items()
    }


def first_reading(store: FileStore, run: Run) -> tuple[SubmissionRecord, Report]:
    """Load the record and report of a run as they were before a joint pass, without defaults.

    Raises NotFoundError.
    """
    load = load_first if run.together else load_reading
    record, report = load(store, artifact_dir_of(run.submission_id, run.run_no))
    return without_defaults(record), report


def has_others(session: Session, upload_id: uuid.UUID, run_ids: Collection[str]) -> bool:
    """Whether the batch of a file has entries that are not those of these runs."""
    of_runs = select(Run.submission_id).where(Run.run_id.in_(run_ids))
    others = select(Submission.id).where(
        Submission.batch_id == select(Upload.batch_id).where(Upload.id == upload_id).scalar_subquery(),
        Submission.status.not_in(_GONE),
        Submission.id.not_in(of_runs),
    )
    return bool(session.scalar(select(others.exists())))


def _settled(session: Session, batch_id: uuid.UUID, but: Collection[uuid.UUID]) -> Iterator[Member]:
    """Yield the entries of the batch that have values, with the fields that entries have in common."""
    rows = session.execute(
        select(
            Submission.id,
            Submission.upload_id,
            SubmissionField.name,
            SubmissionField.value,
            SubmissionField.source,
            SubmissionField.confidence,
            SubmissionField.decided_at,
        )
        .join(SubmissionField, SubmissionField.submission_id == Submission.id)
        .where(
            Submission.batch_id == batch_id,
            Submission.id.not_in(but),
            Submission.status.not_in(_WITHOUT_VALUES),
            SubmissionField.name.in_(alike_fields()),
            SubmissionField.value.is_not(None),
            # A value that was respelled after others is no evidence of its own.
            SubmissionField.way.is_(None),
            # Neither is one that no page gives.
            SubmissionField.source != Source.BATCH_DEFAULT.value,
        )
        .order_by(Submission.id)
    )
    found: dict[uuid.UUID, tuple[str, dict[str, FieldReading]]] = {}
    for row in rows:
        _, readings = found.setdefault(row.id, (str(row.upload_id), {}))
        source = Source(row.source) if row.source else None
        readings[row.name] = FieldReading(
            value=row.value, source=source, confidence=row.confidence, decided_at=row.decided_at
        )
    for key, (file, readings) in found.items():
        values = {name: reading.value for name, reading in readings.items()}
        yield Member(SubmissionRecord(submission_id=str(key), readings=readings, **values), file)


# People's decisions on entries that a corrected split replaced, taken over by the new entries.
#
# Nothing is copied when the split is saved: the values are looked up in the replaced entries when the new one
# is read, so that erased ones are not carried.


class NewPage(NamedTuple):
    """Where a page of a replaced entry is now."""

    submission_id: uuid.UUID
    page_no: int
    #: Clockwise degrees by which a person turned it.
    rotation: int


class _Old(NamedTuple):
    """An entry that was replaced, with the new places of its pages by their old numbers."""

    record: SubmissionRecord
    pages: Mapping[int, NewPage]


def carried_readings(session: Session, submission_id: uuid.UUID) -> dict[str, FieldReading]:
    """Return the values of people that an entry made by a corrected split takes over, by field.

    A value belongs to the entry that has the page it was read on, or, without a place, to the only entry that has
    pages of the old one. A long text is carried only if it is the only one for the new entry. Values that differ
    are not carried, nor are values of fields that a person has decided in the new entry.
    """
    submission = session.get_one(Submission, submission_id)
    split_id = session.get_one(Upload, submission.upload_id).split_id
    if split_id is None:
        return {}
    replaced = replaced_submissions(session, session.get_one(UploadSplit, split_id))
    old = [
        _Old(get_record_by_id(session, entry.id), pages)
        for entry, pages in replaced
        if any(page.submission_id == submission_id for page in pages.values())
    ]
    found: dict[str, list[FieldReading]] = defaultdict(list)
    for one in old:
        for name, reading in _taken(one, submission_id).items():
            texts = sum(other.record.value_of(name) is not None for other in old)
            if name not in text_fields() or texts == 1:
                found[name].append(reading)
    if not text_fields() & found.keys():
        # What is computed from a text goes with the text.
        found = defaultdict(list, {name: found[name] for name in found if name not in derived_fields()})
    done = _decided_since(session, submission_id)
    agreed = {name: readings[0] for name, readings in found.items() if len({one.value for one in readings}) == 1}
    return {name: reading for name, reading in agreed.items() if name not in done}


def replaced_submissions(
    session: Session, split: UploadSplit
) -> Iterator[tuple[Submission, Mapping[int, NewPage]]]:
    """Yield the entries that the correction replaced, except erased ones, with where their pages are now."""
    placed = _placed(split)
    for stood in split.superseded:
        entry = session.get(Submission, uuid.UUID(stood["submission_id"]))
        if entry is None:
            continue
        numbers = range(entry.page_start, entry.page_end + 1)
        pages = {number: placed[key] for number in numbers if (key := (entry.upload_id, number)) in placed}
        yield entry, pages


def _placed(split: UploadSplit) -> dict[tuple[uuid.UUID, int], NewPage]:
    """Return where each planned page is in the derived file, by its file and number."""
    pages = [(uuid.UUID(entry["submission_id"]), page) for entry in split.plan for page in entry["pages"]]
    return {
        (uuid.UUID(page["upload_id"]), page["page_no"]): NewPage(made, number, page["rotation"])
        for number, (made, page) in enumerate(pages, start=1)
    }


def _taken(old: _Old, submission_id: uuid.UUID) -> dict[str, FieldReading]:
    """Return the decided values of the old entry that belong to the new one."""
    alone = {page.submission_id for page in old.pages.values()} == {submission_id}
    taken = {}
    for name, reading in decided_readings(old.record).items():
        reading = reading.model_copy(update={"value": old.record.value_of(name)})
        where = [old.pages.get(at.page) for at in reading.evidence]
        here = [page is not None and page.submission_id == submission_id for page in where]
        belongs = (all(here) if name in text_fields() else here[0]) if here else alone
        if reading.value is None or not belongs:
            continue
        moved = [
            _moved(at, page) for at, page, ours in zip(reading.evidence, where, here, strict=True) if page and ours
        ]
        taken[name] = reading.model_copy(update={"value": str(reading.value), "evidence": moved})
    return taken


def _moved(at: EvidenceBox, page: NewPage) -> EvidenceBox:
    return at.model_copy(update={"page": page.page_no, "box": upright(Box(*at.box), page.rotation)})


def _decided_since(session: Session, submission_id: uuid.UUID) -> set[str]:
    """Return the fields on which a person has decided in the new entry."""
    rows = session.scalars(
        select(ReviewEvent.field_name).where(
            ReviewEvent.submission_id == submission_id,
            ReviewEvent.actor_id.is_not(None),
            ReviewEvent.field_name.is_not(None),
        )
    )
    return {name for name in rows if name}


def open_aside(session: Session, submission_id: uuid.UUID) -> SetAside | None:
    """Return what the entry is set aside for, even if its time has passed; None if that has ended."""
    return session.scalar(
        select(SetAside).where(SetAside.submission_id == submission_id, SetAside.ended_at.is_(None))
    )


def asks(submission_id: InstrumentedAttribute[uuid.UUID]) -> ColumnElement[bool]:
    """Return the condition that a row asks for something of this entry, even if its time has passed."""
    return and_(
        SetAside.submission_id == submission_id,
        SetAside.ended_at.is_(None),
        SetAside.kind == AsideKind.ASKED.value,
    )


def await_until(session: Session, submission_ids: Collection[uuid.UUID], until: datetime) -> None:
    """Set the time at which those of these entries that wait for an answer come back."""
    session.execute(
        update(SetAside)
        .where(
            SetAside.submission_id.in_(submission_ids),
            SetAside.ended_at.is_(None),
            SetAside.kind == AsideKind.ASKED.value,
        )
        .values(until=until)
    )


def end_aside(session: Session, submission_id: uuid.UUID, why: AsideEnd) -> uuid.UUID | None:
    """End what an entry is set aside for and return the id of its row, None if it is not set aside."""
    return session.scalar(
        update(SetAside)
        .where(SetAside.submission_id == submission_id, SetAside.ended_at.is_(None))
        .values(ended_at=func.now(), ended_why=why.value)
        .returning(SetAside.id)
    )


def end_answered(session: Session, submission_id: uuid.UUID, names: Collection[str]) -> None:
    """End it as answered if one of these fields, which have a value now, was asked for."""
    session.execute(
        update(SetAside)
        .where(
            SetAside.submission_id == submission_id,
            SetAside.ended_at.is_(None),
            SetAside.kind == AsideKind.ASKED.value,
            SetAside.fields.overlap(list(names)),
        )
        .values(ended_at=func.now(), ended_why=AsideEnd.ANSWERED.value)
    )


def restore_aside(session: Session, submission_id: uuid.UUID, aside_id: uuid.UUID | None) -> None:
    """Set the entry aside by this row again, and by no other; None: by none."""
    stands = open_aside(session, submission_id)
    if stands is not None and stands.id == aside_id:
        return
    end_aside(session, submission_id, AsideEnd.TAKEN_BACK)
    if aside_id is not None:
        session.execute(update(SetAside).where(SetAside.id == aside_id).values(ended_at=None, ended_why=None))
