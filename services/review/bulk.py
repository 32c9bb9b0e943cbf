"""Approve many proposals at once, after a preview."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from core.errors import ConflictError, HeldError, InvalidInputError, NotFoundError
from core.models import (
    Page,
    ReviewDecision,
    ReviewSuggestion,
    ReviewSuggestionField,
    Submission,
    SubmissionField,
    SubmissionStatus,
    Upload,
)
from core.models.leases import SUGGESTION_HOLDS
from pipeline.pages.page_model import Source
from pipeline.profiles import text_fields
from services.context import Context
from services.entries.detail import form_order
from services.messages.entries import Refused
from services.pages import Document, PagePlace, page_place_of, page_view
from services.review.decisions import FieldAnswer, decide_suggestion
from services.review.details import Action, preselected
from services.review.queues import QueueFilter, of_suggestions
from services.review.undo import undo_decision
from services.review.waiting import count_waiting
from services.seasons import current_season


@dataclass(frozen=True)
class BulkChoice:
    """One chosen proposal, at the version that was previewed."""

    suggestion_id: uuid.UUID
    version: int
    #: Names of fields whose place on the page was shown beside the values.
    shown: frozenset[str] = frozenset()


@dataclass(frozen=True)
class BulkResult:
    """Result of a bulk decision: how many proposals were decided, and why others were not."""

    bulk_id: uuid.UUID
    decided: int
    #: Of the decided ones: those that wait for a person again, because something is still open.
    came_back: int
    #: Not decided: decided by another person or changed in the meantime, or the value is invalid.
    lost: int
    #: Not decided: another person holds them.
    held: int
    #: Not approved: a value read by OCR would be changed or confirmed, and its place on the page was not shown.
    unshown: int
    #: Not approved: no scorer prefers one of the values, so that the item must be reviewed individually.
    unclear: int
    #: Entries of the season that wait in the queue after it; `waiting.MOST_COUNTED` stands for that many or more.
    waiting: int


@dataclass(frozen=True)
class BulkUndone:
    undone: int
    #: Decisions not undone, because the entry has changed since or they were undone already.
    kept: int


def bulk_decide(
    context: Context,
    actor_id: uuid.UUID,
    choices: Sequence[BulkChoice],
    action: Literal["approve", "reject"],
    reason: str | None = None,
) -> BulkResult:
    """Approve each item with its preselected answers (see `preselected`), or reject it, at the version previewed.

    Fields without a proposed value are not changed. Each item is decided in a separate transaction. An item that
    another person has decided, changed or holds, or that must not be approved unseen, is skipped and counted.
    Raises InvalidInputError for too many items or an unknown action.
    """
    if len(choices) > MAX_BULK:
        raise InvalidInputError(Refused.TOO_MANY_AT_ONCE, limit=MAX_BULK)
    if action not in ("approve", "reject"):
        raise InvalidInputError(Refused.ACTION_UNKNOWN, choices=("approve", "reject"))
    bulk_id = uuid.uuid4()
    became = [_decided(context, actor_id, choice, action, reason, bulk_id) for choice in choices]
    return BulkResult(
        bulk_id,
        decided=became.count("decided") + became.count("came_back"),
        came_back=became.count("came_back"),
        lost=became.count("lost"),
        held=became.count("held"),
        unshown=became.count("unshown"),
        unclear=became.count("unclear"),
        waiting=count_waiting(context).waiting,
    )


def _decided(
    context: Context, actor_id: uuid.UUID, choice: BulkChoice, action: str, reason: str | None, bulk_id: uuid.UUID
) -> str:
    """Decide one item; return what became of it: "decided", or the name of another count in `BulkResult`."""
    answers: dict[str, FieldAnswer] = {}
    if action == "approve":
        item = _item(context, choice.suggestion_id)
        if item is None or item.version != choice.version:
            return "lost"
        if item.unclear:
            return "unclear"
        if any(field.must_be_shown and field.name not in choice.shown for field in item.fields):
            return "unshown"
        answers = {
            field.name: FieldAnswer(field.answer) for field in item.fields if field.answer in ("approve", "keep")
        }
    try:
        done = decide_suggestion(
            context, actor_id, choice.suggestion_id, choice.version, answers, reason, bulk_id=bulk_id
        )
    except HeldError:
        return "held"
    except (ConflictError, NotFoundError, InvalidInputError):
        return "lost"
    return "came_back" if done.status is SubmissionStatus.ESCALATED else "decided"


def _item(context: Context, suggestion_id: uuid.UUID) -> BulkItem | None:
    with context.database.reading() as session:
        return next(iter(bulk_items(session, [suggestion_id])), None)


def undo_bulk(context: Context, actor_id: uuid.UUID, bulk_id: uuid.UUID) -> BulkUndone:
    """Undo each of the bulk's decisions whose entry has not changed since. Raises NotFoundError."""
    decisions = context.database.scalars(
        select(ReviewDecision.id)
        .where(ReviewDecision.bulk_id == bulk_id)
        .order_by(ReviewDecision.created_at, ReviewDecision.id)
    )
    if not decisions:
        raise NotFoundError("no such bulk decision")
    undone = 0
    for decision_id in decisions:
        try:
            undo_decision(context, actor_id, decision_id)
            undone += 1
        except ConflictError:
            continue
    return BulkUndone(undone, len(decisions) - undone)


#: Limit of items in a bulk decision: more than a person reviews at once.
MAX_BULK = 500
#: Sources whose text is exact, from the file or typed by a person: it need not be compared with a picture.
_EXACT = frozenset({Source.ACROFORM.value, Source.TEXT_LAYER.value, Source.PERSON.value})


@dataclass(frozen=True)
class BulkField:
    """One field of a proposal, and the effect on it of approving the whole item."""

    name: str
    current: str | None
    proposed: str | None
    #: The field's answer if the item is approved.
    answer: Action
    #: Whether OCR read the current value, or the text that the proposed value was taken from.
    recognised: bool
    #: The place where the value was read; None if unknown.
    place: PagePlace | None

    @property
    def changes(self) -> bool:
        """Whether approving the item would change this field."""
        return self.answer == "approve" and self.proposed != self.current

    @property
    def confirms(self) -> bool:
        """Whether approving the item would confirm the current value."""
        return self.answer == "keep" or (self.answer == "approve" and self.proposed == self.current)

    @property
    def must_be_shown(self) -> bool:
        """Whether the value may be approved only if its place on the page was shown.

        A whole text is confirmed by what is said of it: no close-up holds it.
        """
        return self.recognised and (self.changes or (self.confirms and self.name not in text_fields()))

    @property
    def stays_open(self) -> bool:
        """Whether the field has no value that approving the item would take or confirm."""
        return not self.changes and not self.confirms

    @property
    def unclear(self) -> bool:
        """Whether the field can only be answered by reviewing the item individually."""
        return self.proposed is not None and self.answer not in ("approve", "keep")


@dataclass(frozen=True)
class BulkItem:
    suggestion_id: uuid.UUID
    version: int
    student_name: str | None
    document: Document
    fields: tuple[BulkField, ...]
    #: Names of required fields without a value, as far as nothing is proposed for them.
    missing: tuple[str, ...] = ()

    @property
    def changes(self) -> tuple[BulkField, ...]:
        """The fields that approving the item would change."""
        return tuple(field for field in self.fields if field.changes)

    @property
    def stays_open(self) -> tuple[str, ...]:
        """Names of the fields that still need a person after the item was approved."""
        return (*(field.name for field in self.fields if field.stays_open), *self.missing)

    @property
    def unclear(self) -> bool:
        """Whether the item must be reviewed individually; approving it in bulk is refused."""
        return any(field.unclear for field in self.fields)


@dataclass(frozen=True)
class BulkPreview:
    """The proposals that a bulk decision with a filter would concern."""

    #: The oldest matches that no other person holds.
    items: tuple[BulkItem, ...]
    #: Number of matches that other people hold; they are skipped.
    held: int
    #: Number of all matches of the filter.
    total: int


def preview_bulk(context: Context, actor_id: uuid.UUID, wanted: QueueFilter, limit: int = MAX_BULK) -> BulkPreview:
    """Return the matches of the filter with the changes that approval would make; at most `limit` items."""
    free = SUGGESTION_HOLDS.free_for(actor_id)
    with context.database.session() as session:
        season_id = current_season(session).id
        counted = select(func.count().label("total"), func.count().filter(~free).label("held"))
        counts = session.execute(
            of_suggestions(counted.select_from(ReviewSuggestion), wanted, season_id, joined=False)
        ).one()
        ids = session.scalars(
            of_suggestions(select(ReviewSuggestion.id), wanted, season_id, joined=True)
            .where(free)
            .order_by(ReviewSuggestion.created_at, ReviewSuggestion.id)
            .limit(limit)
        ).all()
        return BulkPreview(tuple(bulk_items(session, ids)), counts.held, counts.total)


def bulk_items(session: Session, suggestion_ids: Sequence[uuid.UUID]) -> list[BulkItem]:
    """Return the proposals with these ids, oldest first."""
    rows = session.execute(
        select(ReviewSuggestion, Submission, Upload.original_filename)
        .join(Submission, Submission.id == ReviewSuggestion.submission_id)
        .join(Upload, Upload.id == Submission.upload_id)
        .where(ReviewSuggestion.id.in_(suggestion_ids))
        .order_by(ReviewSuggestion.created_at, ReviewSuggestion.id)
    ).all()
    pages = _pages(session, suggestion_ids)
    fields = _fields(session, suggestion_ids, [key for key, found in pages.items() if _recognised(found)])
    items = []
    for suggestion, submission, filename in rows:
        views = [page_view(page) for page in pages.get(suggestion.id, [])]
        proposed = sorted(fields.get(suggestion.id, []), key=lambda field: form_order(field.name))
        missing = set(submission.missing_fields) - {field.name for field in proposed}
        items.append(
            BulkItem(
                suggestion.id,
                suggestion.version,
                submission.student_name,
                Document(submission.upload_id, filename, views),
                tuple(proposed),
                tuple(sorted(missing, key=form_order)),
            )
        )
    return items


def _pages(session: Session, suggestion_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, list[Page]]:
    """Return the pages of each proposal's entry."""
    rows = session.execute(
        select(ReviewSuggestion.id, Page)
        .join(Submission, Submission.id == ReviewSuggestion.submission_id)
        .join(Page, Page.upload_id == Submission.upload_id)
        .where(
            ReviewSuggestion.id.in_(suggestion_ids),
            Page.page_no.between(Submission.page_start, Submission.page_end),
        )
        .order_by(ReviewSuggestion.id, Page.page_no)
    )
    found: dict[uuid.UUID, list[Page]] = {}
    for suggestion_id, page in rows:
        found.setdefault(suggestion_id, []).append(page)
    return found


def _recognised(pages: Iterable[Page]) -> bool:
    return any(page.source == Source.OCR.value for page in pages)


def _fields(
    session: Session, suggestion_ids: Sequence[uuid.UUID], on_pictures: Collection[uuid.UUID]
) -> dict[uuid.UUID, list[BulkField]]:
    """Return the proposed fields; `on_pictures` are the proposals whose entry has a page read by OCR."""
    rows = session.execute(
        select(ReviewSuggestionField, SubmissionField)
        .join(ReviewSuggestion, ReviewSuggestion.id == ReviewSuggestionField.suggestion_id)
        .outerjoin(
            SubmissionField,
            (SubmissionField.submission_id == ReviewSuggestion.submission_id)
            & (SubmissionField.name == ReviewSuggestionField.name),
        )
        .where(ReviewSuggestionField.suggestion_id.in_(suggestion_ids))
    )
    found: dict[uuid.UUID, list[BulkField]] = {}
    for row, stands in rows:
        on_picture = row.suggestion_id in on_pictures and row.source not in _EXACT
        source = None if stands is None else stands.source
        answer = preselected(row.current_value, row.proposed_value, row.preferred)
        place = page_place_of(row)
        if place is None and stands is not None and row.proposed_value == stands.value:
            # What is confirmed was read where the field was read.
            place = page_place_of(stands)
        field = BulkField(
            row.name,
            row.current_value,
            row.proposed_value,
            answer,
            on_picture or Source.OCR.value in (row.source, source),
            place,
        )
        found.setdefault(row.suggestion_id, []).append(field)
    return found
