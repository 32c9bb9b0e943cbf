"""Start the supervision of a finished report, if it was requested."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from sqlalchemy.orm import Session

from core.models import Report, ReportSupervision
from research.budget import RESOURCES


def supervise_written(session: Session, report: Report, has_model: bool) -> uuid.UUID | None:
    """Create the supervision in the transaction that ends the report, so that a crash loses neither.

    The supervision has the report's tier, waits for a person at each revision, and has the rest of the report's
    budget. Returns its id, or None if none was requested, there is no model, the report is not complete or a
    resource of the budget is used up. The caller queues the supervision after the commit.
    """
    if not has_model or report.budget.get("calls") == 0:
        return None
    if not report.supervise or report.current_version is None or report.ended_because != "complete":
        return None
    left = _left(report.budget, report.spent)
    if left is None:
        return None
    row = ReportSupervision(
        report_id=report.id,
        requested_by=report.requested_by,
        tier=report.tier,
        first_version=report.current_version,
        last_version=report.current_version,
        budget=left,
    )
    session.add(row)
    session.flush()
    return row.id


def _left(budget: Mapping[str, Any], spent: Mapping[str, Any]) -> dict[str, float] | None:
    """Return the rest of the budget by resource; None if one is used up."""
    limits = {name: float(budget[name]) for name in RESOURCES if name in budget}
    left = {name: round(limit - float(spent.get(name) or 0), 6) for name, limit in limits.items()}
    return None if any(rest <= 0 for rest in left.values()) else left
