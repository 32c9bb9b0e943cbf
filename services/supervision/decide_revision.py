"""A person accepts, edits or rejects a revision; the row is the outbox of the loop's resume."""

from __future__ import annotations

import uuid

from sqlalchemy import func, null, select, update
from sqlalchemy.orm import Session

from core.errors import ConflictError, HeldError, InvalidInputError, NotFoundError
from core.models import Profile, ReportRevision, ReportSupervision, ReportVersion, RevisionStatus
from research.document import ReportDocument
from research.supervision.context import Decided
from research.supervision.revision_store import add_revision_version
from services.accounts.person_name import name_of
from services.boundaries import at_boundary
from services.context import Context
from services.enqueue import enqueue_supervision
from services.review.queue_filter import free_for
from services.supervision.edited_document import edited_document

DECISIONS: tuple[Decided, ...] = ("accepted", "edited", "rejected")
LONGEST_REASON = 2000


def decide_revision(
    context: Context,
    actor_id: uuid.UUID,
    revision_id: uuid.UUID,
    version: int,
    decided: str,
    edited_markdown: str | None = None,
    reason: str | None = None,
) -> int | None:
    """Write the decision and, unless it was rejected, the new version of the report; that version's number.

    `version`: of the revision, as the person saw it. Raises InvalidInputError with what the guard refuses of an
    edited text, NotFoundError, HeldError, and ConflictError, saying who was first.
    """
    at_boundary("decide:begun")
    if decided not in DECISIONS:
        raise InvalidInputError(f"A revision is {', '.join(DECISIONS)}.")
    if (decided == "edited") != (edited_markdown is not None):
        raise InvalidInputError("An edited revision comes with its text, and no other.")
    if reason is not None and len(reason) > LONGEST_REASON:
        raise InvalidInputError(f"The reason has {len(reason)} characters; {LONGEST_REASON} are allowed.")
    with context.database.session() as session:
        revision = _locked(session, revision_id)
        edited = None if edited_markdown is None else _edited(session, revision, edited_markdown)
        _decide(session, actor_id, revision_id, version, decided, reason, edited)
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
    at_boundary("decide:committed")
    enqueue_supervision(context, supervision_id)
    at_boundary("decide:enqueued")
    return made


def _locked(session: Session, revision_id: uuid.UUID) -> ReportRevision:
    """The revision, with its loop's row locked: the loop writes nothing meanwhile."""
    revision = session.get(ReportRevision, revision_id)
    if revision is None:
        raise NotFoundError("no such revision")
    session.execute(
        update(ReportSupervision)
        .where(ReportSupervision.id == revision.supervision_id)
        .values(attempts=0, enqueued_at=None, updated_at=func.now())
    )
    return revision


def _edited(session: Session, revision: ReportRevision, markdown: str) -> ReportDocument:
    if revision.document is None:
        raise ConflictError("this attempt brought no revision")
    before = session.get_one(ReportVersion, (revision.report_id, revision.base_version))
    return edited_document(
        ReportDocument.model_validate(before.document),
        ReportDocument.model_validate(revision.document),
        markdown,
        revision.source_keys,
    )


def _decide(
    session: Session,
    actor_id: uuid.UUID,
    revision_id: uuid.UUID,
    version: int,
    decided: str,
    reason: str | None,
    edited: ReportDocument | None,
) -> None:
    won = session.scalar(
        update(ReportRevision)
        .where(
            ReportRevision.id == revision_id,
            ReportRevision.version == version,
            ReportRevision.status == RevisionStatus.PENDING.value,
            free_for(actor_id, ReportRevision.claimed_by, ReportRevision.claimed_until),
        )
        .values(
            status=decided,
            decided_by=actor_id,
            decided_at=func.now(),
            reason=(reason or "").strip() or None,
            edited_document=null() if edited is None else edited.model_dump(mode="json"),
            version=ReportRevision.version + 1,
            claimed_by=None,
            claimed_until=None,
        )
        .returning(ReportRevision.id)
    )
    if won is None:
        raise lost_revision(session, revision_id, actor_id)


def lost_revision(session: Session, revision_id: uuid.UUID, actor_id: uuid.UUID | None = None) -> ConflictError:
    """Why a revision could not be decided or claimed: who was first, and what they did."""
    row = session.execute(
        select(
            ReportRevision.status,
            ReportRevision.claimed_by,
            (ReportRevision.claimed_until > func.now()).label("claimed"),
            select(name_of(Profile))
            .where(Profile.id == func.coalesce(ReportRevision.decided_by, ReportRevision.claimed_by))
            .scalar_subquery()
            .label("who"),
        ).where(ReportRevision.id == revision_id)
    ).one()
    if row.status == RevisionStatus.WITHDRAWN:
        return ConflictError("the supervision has ended, and the revision was withdrawn")
    if row.status != RevisionStatus.PENDING:
        return ConflictError(f"{row.status} by {row.who or 'the machine'}", who=row.who)
    if row.claimed and row.claimed_by != actor_id:
        return HeldError(f"{row.who} has this revision open", who=row.who)
    return ConflictError("the revision has changed since this page was loaded")
