"""The request, limits and status of a report, shown at the top of each of its pages."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session, aliased

from core.errors import NotFoundError
from core.messages import Message
from core.models import Profile, Report, ReportStatus
from services.accounts.person_name import name_of

#: Statuses in which the report changes without an action by a person.
UNDER_WAY = frozenset({ReportStatus.QUEUED, ReportStatus.RUNNING})
#: Statuses in which a person can stop the report.
STOPPABLE = frozenset({*UNDER_WAY, ReportStatus.AWAITING_PLAN})


@dataclass(frozen=True)
class Spent:
    """The use of one resource of the budget."""

    #: "minutes", "calls", "tokens" or "usd".
    name: str
    spent: float
    #: None if it has no limit.
    limit: float | None

    @property
    def used_up(self) -> bool:
        return self.limit is not None and self.spent >= self.limit


@dataclass(frozen=True)
class ReportFacts:
    """A row of `reports` prepared for display."""

    id: uuid.UUID
    query: str
    title: str
    origin: str
    report_type: str
    type_chosen: bool
    target_items: int | None
    fields: tuple[str, ...]
    language: str
    tier: str
    kinds: tuple[str, ...]
    providers: tuple[str, ...]
    domains_allowed: tuple[str, ...]
    domains_denied: tuple[str, ...]
    #: Numbers of researchers as three digits, None if not given.
    allocation_user: str | None
    allocation_model: str | None
    allocation_effective: str | None
    #: As changed by the person who approved the plan, None if unchanged.
    allocation_approved: str | None
    #: Who decided on the numbers of researchers, and what was changed for lack of providers.
    allocation_notes: tuple[Message, ...]
    #: The model's reasons for its choice of researchers; "" if it made none.
    allocation_reasoning: str
    approve_plan: bool
    #: Whether a supervision starts once the report is written.
    supervise: bool
    plan: dict[str, Any] | None
    plan_approved_by: str | None
    plan_approved_at: datetime | None
    budget: tuple[Spent, ...]
    status: str
    phase: str
    ended_because: str | None
    error_code: str | None
    cancel_requested_by: str | None
    cancel_requested_at: datetime | None
    current_version: int | None
    is_sample: bool
    version: int
    asked_by: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None

    @property
    def working(self) -> bool:
        """Whether the report changes without an action by a person."""
        return self.standing in UNDER_WAY

    @property
    def standing(self) -> str:
        """The status for display: "queued" once the plan is approved, before a worker continues."""
        approved = self.status == ReportStatus.AWAITING_PLAN and self.plan_approved_at is not None
        return ReportStatus.QUEUED.value if approved else self.status

    @property
    def stoppable(self) -> bool:
        return self.status in STOPPABLE and self.cancel_requested_at is None


def report_facts(session: Session, report_id: uuid.UUID) -> ReportFacts:
    """Return the facts of one report. Raises NotFoundError."""
    asker, approver, canceller = (aliased(Profile) for _ in range(3))
    row = session.execute(
        select(
            Report,
            name_of(asker).label("asked_by"),
            name_of(approver).label("approved_by"),
            name_of(canceller).label("cancelled_by"),
        )
        .join(asker, asker.id == Report.requested_by)
        .outerjoin(approver, approver.id == Report.plan_approved_by)
        .outerjoin(canceller, canceller.id == Report.cancel_requested_by)
        .where(Report.id == report_id)
    ).one_or_none()
    if row is None:
        raise NotFoundError("no such report")
    report = row.Report
    values: dict[str, Any] = {name: getattr(report, name) for name in _AS_THEY_ARE}
    values |= {name: tuple(getattr(report, name)) for name in _LISTS}
    values |= {f"allocation_{who}": digits(report.allocation.get(who)) for who in ("user", "model", "effective")}
    planned = digits((report.plan or {}).get("allocation"))
    changed = report.plan_approved_at is not None and planned != values["allocation_effective"]
    return ReportFacts(
        **values,
        allocation_approved=planned if changed else None,
        allocation_notes=tuple(Message.from_json(note) for note in report.allocation.get("notes", ())),
        budget=spent_of(report.budget, report.spent),
        asked_by=row.asked_by or "",
        plan_approved_by=row.approved_by,
        cancel_requested_by=row.cancelled_by,
    )


_LISTS = ("fields", "kinds", "providers", "domains_allowed", "domains_denied")
_AS_THEY_ARE = (
    "id",
    "query",
    "title",
    "origin",
    "report_type",
    "type_chosen",
    "target_items",
    "language",
    "tier",
    "allocation_reasoning",
    "approve_plan",
    "supervise",
    "plan",
    "plan_approved_at",
    "status",
    "phase",
    "ended_because",
    "error_code",
    "cancel_requested_at",
    "current_version",
    "is_sample",
    "version",
    "created_at",
    "started_at",
    "finished_at",
)
_LIMITED = ("minutes", "calls", "tokens", "usd")


def digits(allocation: Any) -> str | None:
    """Return {"web_count": 2, "academic_count": 1, "book_count": 0} as "210"; one digit alone is the web count."""
    if isinstance(allocation, Mapping):
        return "".join(str(allocation.get(f"{kind}_count", 0)) for kind in ("web", "academic", "book"))
    return f"{allocation:0<3}" if allocation else None


def spent_of(budget: Mapping[str, Any], spent: Mapping[str, Any]) -> tuple[Spent, ...]:
    """Return the use and the limit of each resource."""
    return tuple(
        Spent(name, float(spent.get(name) or 0), None if budget.get(name) is None else float(budget[name]))
        for name in _LIMITED
    )
