"""Start the supervision of a report, stop it, try it again, restore a version."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from core.errors import ConflictError, InvalidInputError, NotFailedError, existing
from core.messages import MessageCode
from core.models import (
    OPEN_SUPERVISIONS,
    Profile,
    Report,
    ReportStatus,
    ReportSupervision,
    ReportVersion,
    SupervisionStatus,
)
from core.models.leases import SUPERVISION_LEASES
from research.document import ReportDocument
from research.supervision.revisions import add_version, withdraw_pending
from research.supervision.types import Ended, Mode, tier_of
from services.accounts.person import name_of
from services.context import Context
from services.recovery.research_kinds import SUPERVISIONS
from services.recovery.work import queue_rows
from services.reports.request import checked_budget

MODES: tuple[Mode, ...] = ("supervised", "automatic")
_RETRIABLE = (SupervisionStatus.FAILED.value, SupervisionStatus.CANCELLED.value)


def retry_supervision(context: Context, actor_id: uuid.UUID, supervision_id: uuid.UUID) -> uuid.UUID:
    """Start a new supervision of the same tier, mode and budget on the report's current version; return its id.

    That version contains what the earlier supervision integrated. Raises NotFoundError, NotFailedError if the
    earlier one cannot be retried, and ConflictError during another supervision.
    """
    row = existing(context.database.get(ReportSupervision, supervision_id), "no such supervision")
    if row.status not in _RETRIABLE and row.ended_because != Ended.NOTHING_TO_COMPARE:
        raise NotFailedError(SupervisionCode.SUPERVISION_NOT_FAILED)
    return start_supervision(context, actor_id, row.report_id, row.tier, row.mode, row.budget)


def cancel_supervision(context: Context, actor_id: uuid.UUID, supervision_id: uuid.UUID) -> None:
    """Stop the supervision: at once if no worker has it, otherwise after the worker's current step.

    A pending revision is withdrawn: it can still be read but not decided. Raises NotFoundError, and ConflictError
    if the supervision has ended. Repeating it is no error.
    """
    with context.database.session() as session:
        found = session.get(ReportSupervision, supervision_id, with_for_update={"key_share": True})
        row = existing(found, "no such supervision")
        if row.status not in OPEN_SUPERVISIONS:
            raise ConflictError(SupervisionCode.SUPERVISION_OVER)
        if row.cancel_requested_at is None:
            row.cancel_requested_by = actor_id
            row.cancel_requested_at = func.now()
        withdraw_pending(session, supervision_id)
        if SUPERVISION_LEASES.current(session, supervision_id) is None:
            SUPERVISION_LEASES.end(row)
            row.status = SupervisionStatus.CANCELLED.value
            row.phase = ""
            row.ended_because = Ended.CANCELLED.value
            row.finished_at = func.now()
        row.updated_at = func.now()


def restore_version(context: Context, actor_id: uuid.UUID, report_id: uuid.UUID, version_no: int) -> int:
    """Add a copy of the version as the newest one and return its number. Versions are never changed or removed.

    Raises NotFoundError, InvalidInputError for the current version, and ConflictError during a supervision.
    """
    with context.database.session() as session:
        report = existing(session.get(Report, report_id, with_for_update={"key_share": True}), "no such report")
        refuse_while_under_way(session, report_id)
        version = existing(session.get(ReportVersion, (report_id, version_no)), "no such version")
        if version_no == report.current_version:
            raise InvalidInputError(SupervisionCode.VERSION_CURRENT)
        document = ReportDocument.model_validate(version.document)
        return add_version(session, report_id, document, "restored", made_by=actor_id, note=str(version_no))


def start_supervision(
    context: Context,
    person_id: uuid.UUID,
    report_id: uuid.UUID,
    tier: str = "standard",
    mode: str = "supervised",
    budget: Mapping[str, float] | None = None,
    *,
    queue: bool = True,
) -> uuid.UUID:
    """Start a supervision of the report's current version and return its id.

    `budget` has limits by resource (calls, tokens, usd, minutes). With `queue` false the caller must run it.
    Raises InvalidInputError, NotFoundError, and ConflictError if there is no model to ask, the report is not
    written or another supervision of it, whose owner is named, has not ended.
    """
    tier_of(tier)
    if mode not in MODES:
        raise InvalidInputError(SupervisionCode.MODE_UNKNOWN, given=mode, known=list(MODES))
    limits = checked_budget(budget or {})
    if not context.settings.model_configured or limits.get("calls") == 0:
        raise ConflictError(SupervisionCode.MODEL_WANTED)
    with context.database.session() as session:
        report = existing(session.get(Report, report_id, with_for_update={"key_share": True}), "no such report")
        if report.status != ReportStatus.DONE or report.current_version is None:
            raise ConflictError(SupervisionCode.REPORT_NOT_WRITTEN)
        refuse_while_under_way(session, report_id)
        row = ReportSupervision(
            report_id=report_id,
            requested_by=person_id,
            tier=tier,
            mode=mode,
            first_version=report.current_version,
            last_version=report.current_version,
            budget=limits,
        )
        session.add(row)
        session.flush()
        supervision_id = row.id
    if queue:
        queue_rows(context, SUPERVISIONS, supervision_id)
    return supervision_id


def refuse_while_under_way(session: Session, report_id: uuid.UUID) -> None:
    """Raise ConflictError, naming its owner, if a supervision of the report has not ended.

    The caller must have locked the report's row.
    """
    row = session.execute(
        select(name_of(Profile).label("who"))
        .select_from(ReportSupervision)
        .join(Profile, Profile.id == ReportSupervision.requested_by)
        .where(ReportSupervision.report_id == report_id, ReportSupervision.status.in_(OPEN_SUPERVISIONS))
    ).first()
    if row is not None:
        raise ConflictError(SupervisionCode.SUPERVISION_UNDER_WAY, who=row.who)


class SupervisionCode(MessageCode):
    """Why a request was refused."""

    MODE_UNKNOWN = "mode_unknown", "There is no mode called %(given)s. Choose one of: %(known)s."
    REPORT_NOT_WRITTEN = "report_not_written", "Only a report that is written can be deepened."
    MODEL_WANTED = (
        "supervision_wants_a_model",
        "Supervision needs a language model: it reads the report, names its gaps, and writes what closes them. "
        "None is set up.",
    )
    SUPERVISION_UNDER_WAY = ("supervision_under_way", "A supervision started by %(who)s is already in progress.")
    SUPERVISION_OVER = "supervision_over", "The supervision has already ended."
    SUPERVISION_NOT_FAILED = (
        "supervision_not_failed",
        "This supervision did not fail, was not canceled, and had something to compare.",
    )
    VERSION_CURRENT = "version_current", "This is already the current version."

    DECISION_UNKNOWN = ("decision_unknown", "There is no decision called %(given)s. Choose one of: %(known)s.")
    EDIT_WITHOUT_TEXT = "edit_without_text", "Only an edited revision is sent with its text."
    TEXT_EMPTY = "revision_text_empty", "The text is empty."
    TEXT_TOO_LONG = ("revision_text_too_long", "The text has %(length)s characters; at most %(most)s are allowed.")
    TEXT_REFUSED = "revision_text_refused", "%(problems)s"
    NO_REVISION = "no_revision", "This attempt did not produce a revision."
    DECIDED_ALREADY = "revision_decided_already", "This revision was decided by %(who)s."
    FORM_INCOMPLETE = "revision_form_incomplete", "The form is not complete. Reload the page and decide again."
    TEXT_CHANGED = (
        "revision_text_changed",
        "You changed the text. Accept it with your changes, or restore the original text.",
    )
    TEXT_UNCHANGED = (
        "revision_text_unchanged",
        "You did not change anything. Change the text, or accept the revision as it is.",
    )
