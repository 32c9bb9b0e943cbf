"""Start the supervision of a finished report, if it was requested."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from sqlalchemy.orm import Session

from core.models import Report, ReportSupervision
from research.budget import RESOURCES


def supervise_written(session: Session, report: Report) -> uuid.UUID | None:
    """Create the supervision in the transaction that ends the report, so that a crash loses neither.

    The supervision has the report's tier, waits for a person at each revision, and has the rest of the report's
    budget. Returns its id, or None if none was requested, the report is not complete or a resource of the budget
    is used up. The caller queues the supervision after the commit.
    """
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
    """Return the rest of the budget by resource; None if one is used up. A limit of 0 calls means no model."""
    left: dict[str, float] = {}
    for name in RESOURCES:
        if name in budget:
            without_model = name == "calls" and budget[name] == 0
            left[name] = 0 if without_model else round(float(budget[name]) - float(spent.get(name) or 0), 6)
            if left[name] <= 0 and not without_model:
                return None
    return left
