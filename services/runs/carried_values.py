"""What people had decided on entries that a corrected split replaced, as the new entries take it over.

Nothing is copied when the split is saved: the values are looked up in the entries replaced whenever the new one is
read, so that what was erased meanwhile is not carried.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.models import ReviewEvent, Submission, Upload, UploadSplit
from pipeline.extraction.tokens import upright
from pipeline.pages.page_model import Box
from pipeline.profiles.declared import derived_fields, text_fields
from pipeline.records.decided import decided_readings
from pipeline.schema import EvidenceBox, FieldReading, SubmissionRecord
from pipeline.supabase_db import get_record_by_id


class _NewPage(NamedTuple):
    """Where a page of a replaced entry is now."""

    submission_id: uuid.UUID
    page_no: int
    #: Clockwise degrees by which a person turned it.
    rotation: int


class _Old(NamedTuple):
    """An entry that was replaced, with the new places of its pages by their old numbers."""

    record: SubmissionRecord
    pages: Mapping[int, _NewPage]


def carried_readings(session: Session, submission_id: uuid.UUID) -> dict[str, FieldReading]:
    """Return the values of people that an entry made by a corrected split takes over, by field.

    A value belongs to the entry that has the page it was read on, or, without a place, to the only entry that has
    pages of the old one. A whole text is carried only where it is the only one of the new entry. Of two values
    that differ none is carried, and none of a field that a person has decided in the new entry.
    """
    submission = session.get_one(Submission, submission_id)
    split_id = session.get_one(Upload, submission.upload_id).split_id
    if split_id is None:
        return {}
    old = [one for one in _replaced(session, session.get_one(UploadSplit, split_id)) if _gives(one, submission_id)]
    found: dict[str, list[FieldReading]] = defaultdict(list)
    for one in old:
        for name, reading in _taken(one, submission_id).items():
            texts = sum(other.record.value_of(name) is not None for other in old)
            if name not in text_fields() or texts == 1:
                found[name].append(reading)
    if not text_fields() & found.keys():
        # What is counted in a text goes with the text.
        found = defaultdict(list, {name: found[name] for name in found if name not in derived_fields()})
    done = _decided_since(session, submission_id)
    agreed = {name: readings[0] for name, readings in found.items() if len({one.value for one in readings}) == 1}
    return {name: reading for name, reading in agreed.items() if name not in done}


def _replaced(session: Session, split: UploadSplit) -> Iterator[_Old]:
    """Yield the entries that the correction replaced, but for erased ones."""
    placed = _placed(split)
    for stood in split.superseded:
        entry = session.get(Submission, uuid.UUID(stood["submission_id"]))
        if entry is None:
            continue
        numbers = range(entry.page_start, entry.page_end + 1)
        pages = {number: placed[key] for number in numbers if (key := (entry.upload_id, number)) in placed}
        yield _Old(get_record_by_id(session, entry.id), pages)


def _placed(split: UploadSplit) -> dict[tuple[uuid.UUID, int], _NewPage]:
    """Return where each planned page is in the derived file, by its file and number."""
    pages = [(uuid.UUID(entry["submission_id"]), page) for entry in split.plan for page in entry["pages"]]
    return {
        (uuid.UUID(page["upload_id"]), page["page_no"]): _NewPage(made, number, page["rotation"])
        for number, (made, page) in enumerate(pages, start=1)
    }


def _gives(old: _Old, submission_id: uuid.UUID) -> bool:
    return any(page.submission_id == submission_id for page in old.pages.values())


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


def _moved(at: EvidenceBox, page: _NewPage) -> EvidenceBox:
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
