"""Two entries that may be one, in full."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from core.errors import NotFoundError
from core.models import DuplicatePair, PairDecision, Profile
from pipeline.duplicates.child import name_evidence
from pipeline.duplicates.judge import Likeness
from pipeline.extraction.values.text import squeezed
from pipeline.profiles.declared import derived_fields, text_fields
from services.accounts.person import Person
from services.accounts.person_name import name_of
from services.context import Context
from services.duplicates.open_pairs import waits
from services.entries.past_splits import EntryName
from services.entries.submission_detail import FieldView, SubmissionDetail, submission_detail
from services.review.duplicates.values_first import values_first


@dataclass(frozen=True)
class FieldOfBoth:
    """One field of both entries."""

    name: str
    first: str | None
    second: str | None
    #: Whether they differ in more than spaces, accents and capitals.
    differs: bool
    #: Whether people have decided on the value of the first.
    first_decided: bool
    second_decided: bool


@dataclass(frozen=True)
class PairDetail:
    """The data of the page of one pair."""

    id: uuid.UUID
    version: int
    first: SubmissionDetail
    second: SubmissionDetail
    strength: str
    likenesses: list[str]
    essay: float | None
    created_at: datetime
    #: Whether a person still has to decide.
    waits: bool
    decision: str | None
    decided_by: str | None
    decided_at: datetime | None
    fields: list[FieldOfBoth]
    #: Whole texts of both, by field.
    texts: list[FieldOfBoth]
    #: Whether they are a form without its essay and an essay without its form.
    halves: bool
    #: Whether exactly one of them has an essay, so that they can be joined.
    joins: bool
    #: The entry that they were joined into; None before it is there.
    joined: EntryName | None
    #: Fields that a person has to give in both before one of the two may be dropped: the pages look different.
    values_first: tuple[str, ...]
    #: Whether people have given the two entries two names.
    two_names: bool


def pair_detail(context: Context, person: Person, pair_id: uuid.UUID) -> PairDetail:
    """Return one pair. Raises NotFoundError if it does not exist or this person may not see both entries."""
    with context.database.session() as session:
        row = session.execute(
            select(DuplicatePair, name_of(Profile).label("who"), waits().label("waits"))
            .outerjoin(Profile, Profile.id == DuplicatePair.decided_by)
            .where(DuplicatePair.id == pair_id)
        ).one_or_none()
    if row is None:
        raise NotFoundError("no such pair")
    pair: DuplicatePair = row[0]
    first = submission_detail(context, person, pair.first_id)
    second = submission_detail(context, person, pair.second_id)
    both = compared(first.fields, second.fields)
    return PairDetail(
        id=pair.id,
        version=pair.version,
        first=first,
        second=second,
        strength=pair.strength,
        likenesses=list(pair.likenesses),
        essay=pair.essay,
        created_at=pair.created_at,
        waits=row.waits,
        decision=pair.decision,
        decided_by=row.who if pair.decision else None,
        decided_at=pair.decided_at,
        fields=[field for field in both if field.name not in text_fields()],
        texts=[field for field in both if field.name in text_fields()],
        halves=Likeness.HALVES.value in pair.likenesses,
        joins=any((field.first is None) != (field.second is None) for field in both if field.name == "essay_text"),
        joined=_joined(first) if pair.decision == PairDecision.JOIN else None,
        values_first=values_first(context, pair.first_id, pair.second_id) if row.waits else (),
        two_names=any(_are_two(field) for field in both if field.name == "student_name"),
    )


def _are_two(name: FieldOfBoth) -> bool:
    """Whether people have given the entries the names of two children."""
    return name.first_decided and name.second_decided and name_evidence(name.first, name.second) < 0


def _joined(first: SubmissionDetail) -> EntryName | None:
    return first.replacement.made[0] if first.replacement and first.replacement.made else None


def compared(first: list[FieldView], second: list[FieldView]) -> list[FieldOfBoth]:
    """Return the fields of both that have a value in one of them, in the order of the first."""
    left, right = ({field.name: field for field in fields} for fields in (first, second))
    names = [name for name in dict.fromkeys((*left, *right)) if name not in derived_fields()]
    found = (_both(name, left.get(name), right.get(name)) for name in names)
    return [field for field in found if field.first or field.second]


def _both(name: str, one: FieldView | None, other: FieldView | None) -> FieldOfBoth:
    values = [None if view is None else view.value for view in (one, other)]
    decided = [view is not None and view.decided_at is not None for view in (one, other)]
    differs = squeezed(values[0] or "") != squeezed(values[1] or "")
    return FieldOfBoth(name, values[0], values[1], differs, decided[0], decided[1])
