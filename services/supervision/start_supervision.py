"""Start a supervision of a report."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.errors import ConflictError, InvalidInputError, NotFoundError
from core.models import OPEN_SUPERVISIONS, Profile, Report, ReportStatus, ReportSupervision
from research.supervision.types import Mode, tier_of
from services.accounts.person_name import name_of
from services.context import Context
from services.recovery.kinds import SUPERVISIONS
from services.recovery.work import enqueue
from services.reports.request_report import checked_budget
from services.supervision.codes import SupervisionCode

MODES: tuple[Mode, ...] = ("supervised", "automatic")


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
        report = session.get(Report, report_id, with_for_update={"key_share": True})
        if report is None:
            raise NotFoundError("no such report")
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
        enqueue(context, SUPERVISIONS, supervision_id)
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
