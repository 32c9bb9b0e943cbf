"""A person approves the plan of a report, changed or unchanged. The report's row is the outbox of the resume."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from core.errors import ConflictError, InvalidInputError, NotFoundError
from core.models import Profile, Report, ReportStatus
from research.allocation import AllocationError, parse_allocation
from services.accounts.person_name import name_of
from services.context import Context
from services.recovery.kinds import REPORTS
from services.recovery.work import enqueue
from services.reports.codes import ReportCode

MOST_QUESTIONS = 6
LONGEST_QUESTION = 500


def approve_plan(
    context: Context,
    actor_id: uuid.UUID,
    report_id: uuid.UUID,
    version: int,
    plan: Mapping[str, Any] | None = None,
) -> None:
    """Approve the plan and start the research.

    `plan` holds the changes: {"questions": […], "allocation": "210"}; keys left out keep their values. Raises
    InvalidInputError, NotFoundError, and ConflictError if the plan has changed or does not wait for approval.
    """
    changes = _checked(plan or {})
    with context.database.session() as session:
        report = session.get(Report, report_id)
        if report is None:
            raise NotFoundError("no such report")
        won = session.scalar(
            update(Report)
            .where(
                Report.id == report_id,
                Report.version == version,
                Report.status == ReportStatus.AWAITING_PLAN.value,
                Report.plan_approved_at.is_(None),
            )
            .values(
                plan={**(report.plan or {}), **changes},
                plan_approved_by=actor_id,
                plan_approved_at=func.now(),
                version=Report.version + 1,
                attempts=0,
                enqueued_at=None,
                updated_at=func.now(),
            )
            .returning(Report.id)
        )
        if won is None:
            raise _too_late(session, report_id)
    enqueue(context, REPORTS, report_id)


def _checked(plan: Mapping[str, Any]) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    if "questions" in plan:
        changes["questions"] = _questions(plan["questions"])
    if plan.get("allocation"):
        changes["allocation"] = _allocation(plan["allocation"])
    return changes


def _questions(given: Any) -> list[str]:
    if not isinstance(given, list | tuple) or not all(isinstance(question, str) for question in given):
        raise InvalidInputError(ReportCode.PLAN_QUESTIONS_NOT_A_LIST)
    questions = list(dict.fromkeys(" ".join(question.split()) for question in given if question.strip()))
    if not questions:
        raise InvalidInputError(ReportCode.PLAN_WITHOUT_QUESTION)
    if len(questions) > MOST_QUESTIONS:
        raise InvalidInputError(ReportCode.PLAN_TOO_MANY_QUESTIONS, most=MOST_QUESTIONS)
    if any(len(question) > LONGEST_QUESTION for question in questions):
        raise InvalidInputError(ReportCode.PLAN_QUESTION_TOO_LONG, most=LONGEST_QUESTION)
    return questions


def _allocation(given: Any) -> dict[str, int]:
    try:
        parsed = parse_allocation(given)
    except AllocationError as exc:
        raise InvalidInputError(exc.code, **exc.params) from exc
    return {
        "web_count": parsed["web_count"],
        "academic_count": parsed["academic_count"],
        "book_count": parsed["book_count"],
    }


def _too_late(session: Session, report_id: uuid.UUID) -> ConflictError:
    row = session.execute(
        select(Report.status, Report.plan_approved_at, name_of(Profile).label("who"))
        .outerjoin(Profile, Profile.id == Report.plan_approved_by)
        .where(Report.id == report_id)
        .execution_options(populate_existing=True)
    ).one()
    if row.plan_approved_at is not None:
        return ConflictError(ReportCode.PLAN_APPROVED, who=row.who)
    if row.status != ReportStatus.AWAITING_PLAN:
        return ConflictError(ReportCode.PLAN_NOT_WAITING)
    return ConflictError(ReportCode.PLAN_CHANGED)
