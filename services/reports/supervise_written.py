"""Have a report deepened once it is written, where that was asked for."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from sqlalchemy.orm import Session

from core.models import Report, ReportSupervision
from research.budget import RESOURCES


def supervise_written(session: Session, report: Report) -> uuid.UUID | None:
    """Begin the loop in the transaction that ends the report, so that a crash loses neither; the loop's id.

    The loop has the report's tier, waits for a person at each revision, and may spend what the report left of its
    budget. None where no loop was asked for, where nothing was found that could be deepened, or where nothing is
    left to spend. The caller puts the loop on the queue after the commit.
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
    """By resource; None where one is used up. No calls at all asks for rules, not for nothing."""
    left: dict[str, float] = {}
    for name in RESOURCES:
        if name in budget:
            without_model = name == "calls" and budget[name] == 0
            left[name] = 0 if without_model else round(float(budget[name]) - float(spent.get(name) or 0), 6)
            if left[name] <= 0 and not without_model:
                return None
    return left
