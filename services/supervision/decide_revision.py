"""A person accepts, edits or rejects a revision. Its row is the outbox of the supervision's resume."""

from __future__ import annotations

import uuid

from sqlalchemy import func, null, update
from sqlalchemy.orm import Session

from core.errors import ConflictError, InvalidInputError, NotFoundError
from core.models import ReportRevision, ReportSupervision, ReportVersion, RevisionStatus
from core.models.leases import REVISION_HOLDS
from research.document import ReportDocument
from research.supervision.revisions import add_revision_version
from services.audit import checked_note
from services.context import Context
from services.entries.lost_race import lost_race
from services.recovery.kinds import SUPERVISIONS
from services.recovery.work import enqueue
from services.supervision.codes import SupervisionCode
from services.supervision.edited_document import edited_document

DECISIONS = ("accepted", "edited", "rejected")


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
    enqueue(context, SUPERVISIONS, supervision_id)
    return made


def _locked(session: Session, revision_id: uuid.UUID) -> ReportRevision:
    """Return the revision, with the row of its supervision locked, so that a worker writes nothing meanwhile."""
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
        raise ConflictError(SupervisionCode.NO_REVISION)
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
            REVISION_HOLDS.free_for(actor_id),
        )
        .values(
            status=decided,
            decided_by=actor_id,
            decided_at=func.now(),
            reason=reason,
            edited_document=null() if edited is None else edited.model_dump(mode="json"),
            version=ReportRevision.version + 1,
            **REVISION_HOLDS.ended,
        )
        .returning(ReportRevision.id)
    )
    if won is None:
        raise lost_race(session, ReportRevision, revision_id, actor_id)
