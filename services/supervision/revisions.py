"""Revisions that wait for a person: listed, shown in full, accepted, edited or rejected."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, and_, func, literal, null, select, tuple_, update
from sqlalchemy.orm import Session, aliased

from core.errors import ConflictError, InvalidInputError, existing
from core.messages import Message
from core.models import Profile, Report, ReportRevision, ReportSupervision, ReportVersion, RevisionStatus, Season
from core.models.leases import REVISION_HOLDS
from core.plain_data import built
from research.document import MARKER, ReportDocument
from research.supervision.revisions import add_revision_version
from research.supervision.types import Issue
from services.accounts.person import name_of
from services.audit import checked_note
from services.context import Context
from services.items.holds import win_pending
from services.keyset import RowPage, fetch_page
from services.recovery.research_kinds import SUPERVISIONS
from services.recovery.work import queue_rows
from services.reports.progress import Spent, spent_of
from services.reports.source_panel import SourcePanel, source_panels
from services.supervision.documents import edited_document
from services.supervision.request import SupervisionCode
from services.supervision.timeline import REPORT_TITLE, BroughtSource, titles_of

PAGE_SIZE = 25
#: Characters of a source shown on either side of a quotation.
_AROUND = 240
#: Limit of quotations shown for one revision.
_MOST_QUOTED = 20
DECISIONS = ("accepted", "edited", "rejected")


@dataclass(frozen=True)
class RevisionRow:
    id: uuid.UUID
    created_at: datetime
    report_id: uuid.UUID
    supervision_id: uuid.UUID
    iteration: int
    report_title: str
    language: str
    issue: Issue | None
    #: Number of sources that it adds.
    sources: int
    #: Id and name of the holder and end of the hold; None if it is free.
    held_by_id: uuid.UUID | None
    held_by: str | None
    held_until: datetime | None


def list_revisions(context: Context, cursor: str | None = None, limit: int = PAGE_SIZE) -> RowPage[RevisionRow]:
    """Return one page of the season's pending revisions. Raises InvalidInputError for a bad cursor."""
    held = and_(Profile.id == REVISION_HOLDS.owner, REVISION_HOLDS.unexpired())
    query = select(
        ReportRevision.id,
        ReportRevision.created_at,
        ReportRevision.report_id,
        ReportRevision.supervision_id,
        ReportRevision.iteration,
        ReportRevision.issue,
        REVISION_HOLDS.until.label("held_until"),
        func.cardinality(ReportRevision.source_keys).label("sources"),
        REPORT_TITLE.label("report_title"),
        Report.language,
        Profile.id.label("held_by_id"),
        name_of(Profile).label("held_by"),
    )
    query = _pending(query).join(Report, Report.id == ReportRevision.report_id).outerjoin(Profile, held)
    with context.database.reading() as session:
        rows, after, before = fetch_page(
            session, query, ReportRevision.created_at, ReportRevision.id, cursor, limit, newest_first=False
        )
    return RowPage([_row(row) for row in rows], after, before)


def next_revision(
    context: Context, after: uuid.UUID | None, person_id: uuid.UUID | None, backwards: bool = False
) -> uuid.UUID | None:
    """Return the next pending revision after `after` that no other person holds, starting again from the first.

    With `backwards`, return the one before; None if there is none.
    """
    place = aliased(ReportRevision)
    here, there = tuple_(ReportRevision.created_at, ReportRevision.id), tuple_(place.created_at, place.id)
    query = _pending(select(ReportRevision.id)).outerjoin(place, place.id == after)
    query = query.where(ReportRevision.id != after, REVISION_HOLDS.free_for(person_id))
    if backwards:
        query = query.where(here < there).order_by(ReportRevision.created_at.desc(), ReportRevision.id.desc())
    else:
        query = query.order_by((here > there).desc(), ReportRevision.created_at, ReportRevision.id)
    with context.database.reading() as session:
        found: uuid.UUID | None = session.scalar(query.limit(1))
        return found


def _pending(query: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    """Restrict the query to the season's pending revisions. The status is a literal, for the partial index."""
    season = select(Season.id).where(Season.is_current).scalar_subquery()
    pending = literal(RevisionStatus.PENDING.value, literal_execute=True)
    return query.where(ReportRevision.season_id == season, ReportRevision.status == pending)


def _row(row: Any) -> RevisionRow:
    return built(
        RevisionRow,
        row,
        issue=Issue.model_validate(row.issue) if row.issue else None,
        held_until=row.held_until if row.held_by_id else None,
    )


@dataclass(frozen=True)
class RevisionDetail:
    id: uuid.UUID
    version: int
    status: str
    outcome: str
    #: Why the attempt failed.
    reasons: list[Message]
    report_id: uuid.UUID
    report_title: str
    language: str
    supervision_id: uuid.UUID
    #: Status of the supervision that made the revision.
    supervision_status: str
    mode: str
    tier: str
    iteration: int
    issue: Issue | None
    base_version: int
    before: ReportDocument
    #: The proposed document; None if the attempt failed.
    proposed: ReportDocument | None
    #: The document as a person changed it.
    edited: ReportDocument | None
    sources: tuple[BroughtSource, ...]
    made_version: int | None
    decided_by: str | None
    decided_at: datetime | None
    reason: str | None
    spent: tuple[Spent, ...]
    created_at: datetime
    #: Id and name of the holder and end of the hold; None if it is free.
    held_by_id: uuid.UUID | None
    held_by: str | None
    held_until: datetime | None

    @property
    def pending(self) -> bool:
        return self.status == RevisionStatus.PENDING

    @property
    def after(self) -> ReportDocument | None:
        """The document that the revision makes or would make."""
        return self.edited or self.proposed


def revision_detail(context: Context, revision_id: uuid.UUID) -> RevisionDetail:
    """Return one revision. Raises NotFoundError."""
    with context.database.reading() as session:
        row = existing(session.execute(_in_full(revision_id)).one_or_none(), "no such revision")
        values = row._asdict()
        revision, held_until = values.pop("ReportRevision"), values.pop("held_until")
        titles = titles_of(session, revision.report_id, revision.source_keys)
        return built(
            RevisionDetail,
            revision,
            issue=Issue.model_validate(revision.issue) if revision.issue else None,
            before=ReportDocument.model_validate(values.pop("base")),
            proposed=_document(revision.document),
            edited=_document(revision.edited_document),
            sources=tuple(BroughtSource(key, titles.get(key) or key) for key in revision.source_keys),
            spent=spent_of({}, revision.spent),
            held_until=held_until if row.held_by_id else None,
            **values,
        )


def _in_full(revision_id: uuid.UUID) -> Select[*tuple[Any, ...]]:
    """Select a revision with what is shown of its report, its supervision, its base version and its people."""
    decider, holder = aliased(Profile), aliased(Profile)
    base = tuple_(ReportVersion.report_id, ReportVersion.version_no)
    held = and_(
        holder.id == REVISION_HOLDS.owner,
        REVISION_HOLDS.unexpired(),
        ReportRevision.status == RevisionStatus.PENDING.value,
    )
    return (
        select(
            ReportRevision,
            ReportVersion.document.label("base"),
            REPORT_TITLE.label("report_title"),
            Report.language,
            ReportSupervision.status.label("supervision_status"),
            ReportSupervision.mode,
            ReportSupervision.tier,
            name_of(decider).label("decided_by"),
            REVISION_HOLDS.until.label("held_until"),
            holder.id.label("held_by_id"),
            name_of(holder).label("held_by"),
        )
        .join(Report, Report.id == ReportRevision.report_id)
        .join(ReportSupervision, ReportSupervision.id == ReportRevision.supervision_id)
        .join(ReportVersion, base == tuple_(ReportRevision.report_id, ReportRevision.base_version))
        .outerjoin(decider, decider.id == ReportRevision.decided_by)
        .outerjoin(holder, held)
        .where(ReportRevision.id == revision_id)
    )


def quoted_sources(context: Context, revision: RevisionDetail) -> list[SourcePanel]:
    """Return the newly cited quotations with their sources, and new sources that are not quoted."""
    if revision.after is None:
        return []
    known = set(_markers(revision.before))
    added = [marker for marker in dict.fromkeys(_markers(revision.after)) if marker not in known]
    named = {key for key, _ in added}
    unquoted = [(one.key, None) for one in revision.sources if one.key not in named]
    return source_panels(context, revision.report_id, [*added, *unquoted][:_MOST_QUOTED], _AROUND, revision.id)


def _markers(document: ReportDocument) -> Iterator[tuple[str, str | None]]:
    for section in document.sections:
        for found in re.finditer(MARKER, section.body):
            yield found["key"], found["claim"]


def _document(stored: dict[str, object] | None) -> ReportDocument | None:
    return None if stored is None else ReportDocument.model_validate(stored)


# A person accepts, edits or rejects a revision. Its row is the outbox of the supervision's resumption.


def decide_revision(
    context: Context,
    actor_id: uuid.UUID,
    revision_id: uuid.UUID,
    version: int,
    decided: str,
    edited_markdown: str | None = None,
    reason: str | None = None,
) -> int | None:
    """Record the decision and queue the supervision. Unless rejected, add a report version and return its number.

    `version` is the revision's, as the person saw it. Raises InvalidInputError, which lists the guard's objections
    to an edited text, NotFoundError, HeldError, and ConflictError, saying who was first.
    """
    if decided not in DECISIONS:
        raise InvalidInputError(SupervisionCode.DECISION_UNKNOWN, given=decided, known=list(DECISIONS))
    if (decided == "edited") != (edited_markdown is not None):
        raise InvalidInputError(SupervisionCode.EDIT_WITHOUT_TEXT)
    reason = checked_note(reason)
    with context.database.session() as session:
        revision = _locked(session, revision_id)
        edited = None if edited_markdown is None else _edited(session, revision, edited_markdown)
        decision = {
            "status": decided,
            "decided_by": actor_id,
            "decided_at": func.now(),
            "reason": reason,
            "edited_document": null() if edited is None else edited.model_dump(mode="json"),
        }
        win_pending(session, "revision", revision_id, version, actor_id, decision)
        session.refresh(revision)
        if decided != "rejected":
            revision.made_version = add_revision_version(
                session,
                revision,
                revision.edited_document or revision.document,
                made_by=actor_id,
                edited=edited is not None,
            )
        made, supervision_id = revision.made_version, revision.supervision_id
    queue_rows(context, SUPERVISIONS, supervision_id)
    return made


def _locked(session: Session, revision_id: uuid.UUID) -> ReportRevision:
    """Return the revision, with the row of its supervision locked, so that no worker writes meanwhile."""
    revision = existing(session.get(ReportRevision, revision_id), "no such revision")
    session.execute(
        update(ReportSupervision)
        .where(ReportSupervision.id == revision.supervision_id)
        .values(attempts=0, enqueued_at=None, updated_at=func.now())
    )
    return revision


def _edited(session: Session, revision: ReportRevision, markdown: str) -> ReportDocument:
    if revision.document is None:
        raise ConflictError(SupervisionCode.NO_REVISION)
    before = session.get_one(ReportVersion, (revision.report_id, revision.base_version))
    return edited_document(
        ReportDocument.model_validate(before.document),
        ReportDocument.model_validate(revision.document),
        markdown,
        revision.source_keys,
    )
