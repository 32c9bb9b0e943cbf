"""One item of the queue with all that its fields need; the page of an item is called the desk."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session, aliased

from core.config import Settings
from core.errors import InvalidInputError, NotFoundError
from core.messages import Message
from core.models import FieldEvidence, Profile, ReviewSuggestion, Season, Submission, SubmissionField, Upload
from core.plain_data import built
from pipeline.ocr_providers import ALL_PROVIDERS
from pipeline.ocr_providers.base import NullOcr
from pipeline.profiles import all_profiles, derived_fields, fields_of_form
from pipeline.reason_codes import OF_FILES, ReasonCode
from pipeline.schema import DocClass
from pipeline.supabase_db import get_field_values, record_of
from pipeline.validation.certainty import waivable
from pipeline.validation.policy import Policy
from services.accounts.person import Person, name_of
from services.context import Context
from services.duplicates import others_of, pair_waiting
from services.entries.change import may_waive
from services.entries.detail import FieldView, measured, read_fields
from services.items.holds import HOLDS, ItemKind
from services.pages import Document, PagePlace, document_of
from services.policy import policy_of
from services.review.asides import AsideView, aside_in, with_aside
from services.review.details import Action, FieldChoice, proposed_fields
from services.review.escalations import next_run_options
from services.review.waiting import ROWS
from services.seasons import offered_values


@dataclass(frozen=True)
class DeskRow:
    """One field of the entry, as a row of the desk."""

    view: FieldView
    #: What is proposed for it; None without a proposal.
    proposal: FieldChoice | None
    #: Whether the entry cannot be complete without a value from a person.
    missing: bool
    #: Whether the season requires this field of such an entry.
    required: bool
    #: A value of the upload that could be used here if the page gives none.
    offered: str | None
    #: Whether it may be waived, with a reason.
    waivable: bool

    @property
    def name(self) -> str:
        return self.view.name

    @property
    def current(self) -> str | None:
        """The entry's present value."""
        return self.view.value if self.proposal is None else self.proposal.current

    @property
    def is_choice(self) -> bool:
        """Whether a value is proposed, so that a person chooses between values."""
        return self.proposal is not None and self.proposal.proposed is not None

    @property
    def confirms(self) -> bool:
        """Whether the proposed value is the one that was read."""
        return self.proposal is not None and self.proposal.confirms

    @property
    def needs(self) -> bool:
        """Whether a person has to decide about this field."""
        return self.missing or self.proposal is not None

    @property
    def is_open(self) -> bool:
        """Whether only a person can decide the field."""
        if self.is_choice and self.proposal is not None:
            return self.proposal.preselected not in ("approve", "keep")
        return self.missing

    @property
    def preselected(self) -> Action | None:
        """The answer that is marked at first; None if there is nothing to choose."""
        return self.proposal.preselected if self.proposal is not None and self.is_choice else None

    @property
    def to_edit(self) -> str | None:
        """The text that an edit begins with."""
        return self.proposal.to_edit if self.proposal is not None else self.current

    @property
    def places(self) -> list[PagePlace]:
        """The places of the value on the pages."""
        return self.view.places


@dataclass(frozen=True)
class DeskItem:
    kind: ItemKind
    id: uuid.UUID
    version: int
    #: Status of the proposal or escalation.
    status: str
    reason: Message | None
    submission_id: uuid.UUID
    submission_status: str
    student_name: str | None
    confidence: float | None
    reason_codes: list[str]
    missing_fields: list[str]
    profile: str | None
    document: Document
    rows: list[DeskRow]
    resolved_by: str | None
    resolved_by_id: uuid.UUID | None
    resolved_at: datetime | None
    #: Id and name of the holder and end of the hold; None if it is free.
    held_by_id: uuid.UUID | None
    held_by: str | None
    held_until: datetime | None
    #: How it was set aside before; None if it never was.
    aside: AsideView | None
    #: The pair that has to be decided first, because the entry may be a duplicate.
    pair_id: uuid.UUID | None
    #: The pair with an entry that may be its other half: form page and essay page of one child.
    half_id: uuid.UUID | None

    @property
    def is_about_file(self) -> bool:
        """Whether a person should check the file for more entries, or for more pages of this one."""
        return any(code in self.reason_codes for code in OF_FILES if code != ReasonCode.NOT_AS_SHOWN)

    @property
    def filename(self) -> str:
        """The name of the file that the entry came in."""
        return self.document.filename

    @property
    def shown(self) -> list[DeskRow]:
        """The rows that are always in view: with a value, or to be decided."""
        return [row for row in self.rows if row.needs or row.current is not None]

    @property
    def folded(self) -> list[DeskRow]:
        """The rows of fields that are empty and not needed."""
        return [row for row in self.rows if not row.needs and row.current is None]

    @property
    def views(self) -> list[FieldView]:
        """The fields with their places, for the boxes on the pages."""
        return [row.view for row in self.rows]


@dataclass(frozen=True)
class ItemToDecide:
    """The data of an item that a decision needs, without those of its page."""

    kind: ItemKind
    id: uuid.UUID
    submission_id: uuid.UUID
    student_name: str | None
    filename: str
    #: The pair that has to be decided first.
    pair_id: uuid.UUID | None
    #: The fields of the proposal.
    suggested: list[FieldChoice]
    #: The fields for which nothing is proposed, by name, with their values.
    others: dict[str, str | None]


def item_to_decide(context: Context, kind: ItemKind, item_id: uuid.UUID) -> ItemToDecide:
    """Return the data that a decision on a proposal or escalation needs. Raises NotFoundError."""
    row = ROWS[kind]
    with context.database.reading() as session:
        found = session.execute(
            select(Submission, Upload.original_filename)
            .join(row, row.submission_id == Submission.id)
            .join(Upload, Upload.id == Submission.upload_id)
            .where(row.id == item_id)
        ).one_or_none()
        if found is None:
            raise NotFoundError("no such item of the queue")
        submission, filename = found
        suggested = proposed_fields(session, item_id, {}) if kind == "suggestion" else []
        values = get_field_values(session, submission.id)
        proposed = {field.name for field in suggested}
        return ItemToDecide(
            kind,
            item_id,
            submission.id,
            submission.student_name,
            filename,
            pair_waiting(session, submission.id),
            suggested,
            {name: values.get(name) for name in _names(submission, values) if name not in proposed},
        )


def desk_item(context: Context, person: Person, kind: ItemKind, item_id: uuid.UUID) -> DeskItem:
    """Return one proposal or escalation with its entry. Raises NotFoundError."""
    row, holds = ROWS[kind], HOLDS[kind]
    decided_by = row.resolved_by_user_id if kind == "suggestion" else row.decided_by
    decider, holder = aliased(Profile), aliased(Profile)
    with context.database.reading() as session:
        query = (
            select(row, Submission, Upload, Season, name_of(decider), holder.id, name_of(holder))
            .join(Submission, Submission.id == row.submission_id)
            .join(Upload, Upload.id == Submission.upload_id)
            .join(Season, Season.id == Submission.season_id)
            .outerjoin(decider, decider.id == decided_by)
            .outerjoin(holder, (holder.id == holds.owner) & holds.unexpired())
            .where(row.id == item_id)
        )
        found = session.execute(with_aside(query, row.submission_id)).one_or_none()
        if found is None:
            raise NotFoundError("no such item of the queue")
        item, submission, upload, season, resolved_by, held_by_id, held_by = found[:7]
        policy = policy_of(context.settings, season.policy)
        others = [other for other in others_of(session, submission.id) if other.waits]
        return built(
            DeskItem,
            item,
            kind=kind,
            submission_id=submission.id,
            submission_status=submission.status,
            student_name=submission.student_name,
            confidence=submission.confidence,
            reason_codes=list(submission.review_reason_codes),
            missing_fields=list(submission.missing_fields),
            profile=submission.profile,
            document=document_of(session, submission, upload),
            rows=_rows(session, policy, person, submission, item if kind == "suggestion" else None),
            resolved_by=resolved_by,
            resolved_by_id=item.resolved_by_user_id if kind == "suggestion" else item.decided_by,
            resolved_at=item.resolved_at if kind == "suggestion" else item.decided_at,
            held_by_id=held_by_id,
            held_by=held_by,
            held_until=getattr(item, holds.until.key) if held_by_id else None,
            aside=aside_in(found),
            pair_id=next((other.pair_id for other in others if other.earlier and not other.halves), None),
            half_id=next((other.pair_id for other in others if other.halves), None),
        )


class StandingNow(NamedTuple):
    """The state of an entry that is shown after a decision."""

    student_name: str | None
    status: str
    missing_fields: Sequence[str]


def standing_now(context: Context, submission_id: uuid.UUID) -> StandingNow:
    """Return the entry's present state."""
    with context.database.reading() as session:
        submission = session.get_one(Submission, submission_id)
        return StandingNow(submission.student_name, submission.status, list(submission.missing_fields))


def _rows(
    session: Session, policy: Policy, person: Person, submission: Submission, suggestion: ReviewSuggestion | None
) -> list[DeskRow]:
    """Return a row for each field that the entry's form asks for, in the order of the form."""
    stored, read = read_fields(session, submission.id)
    views = {view.name: view for view in measured(read, submission, policy)}
    proposals = {}
    if suggestion is not None:
        read_at = {name: view.places for name, view in views.items()}
        proposals = {field.name: field for field in proposed_fields(session, suggestion.id, read_at)}
    names = _names(submission, views, proposals)
    offered = offered_values(session, submission, {name: view.value for name, view in views.items()})
    doc_class = DocClass(submission.doc_class) if submission.doc_class else None
    required = policy.required_for(doc_class, submission.profile, submission.profile_version)
    waivable = _waivable(policy, person, submission, stored)
    return [
        DeskRow(
            _placed(views.get(name), proposals.get(name), name),
            proposals.get(name),
            name in submission.missing_fields,
            name in required,
            offered.get(name),
            name in waivable,
        )
        for name in names
    ]


def _names(submission: Submission, *more: Iterable[str]) -> list[str]:
    """Return the fields that the entry's form asks for, then its other fields, without derived ones."""
    asked = fields_of_form(submission.profile, submission.profile_version)
    return [name for name in dict.fromkeys(chain(asked, *more)) if name not in derived_fields()]


def _waivable(
    policy: Policy,
    person: Person,
    submission: Submission,
    stored: Mapping[SubmissionField, Sequence[FieldEvidence]],
) -> tuple[str, ...]:
    """Return the missing fields that this person may accept as they are."""
    if not submission.missing_fields or not may_waive(policy, person.role):
        return ()
    return waivable(record_of(submission, stored), policy)


def _placed(view: FieldView | None, proposal: FieldChoice | None, name: str) -> FieldView:
    """Return the field with the places of its proposal, which include those where it was read."""
    view = view or FieldView(name, None, 0.0, None, None)
    if proposal is None or not proposal.places:
        return view
    return replace(view, places=proposal.places)


@dataclass(frozen=True)
class ReadingChoices:
    """Available values of the options of `resolve_escalation`."""

    providers: list[str]
    #: (key, label of the form)
    profiles: list[tuple[str, str]]
    asks_model: bool


def reading_choices(settings: Settings) -> ReadingChoices:
    """Return the choices that `next_run_options` accepts."""
    return ReadingChoices(
        list(_providers(settings)),
        [(key, profile.label) for key, profile in all_profiles().items()],
        settings.model_configured and settings.use_orchestrator,
    )


@lru_cache(maxsize=4)
def _providers(settings: Settings) -> tuple[str, ...]:
    """Return the names of the providers that are set up; cached, since checking takes longer than a page."""
    names = [provider.name for provider in ALL_PROVIDERS if provider is not NullOcr]
    return tuple(name for name in names if _is_set_up(settings, name))


def _is_set_up(settings: Settings, provider: str) -> bool:
    try:
        next_run_options(settings, "read_again", {"ocr_provider": provider})
    except InvalidInputError:
        return False
    return True
