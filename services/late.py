"""Which entries were received after the deadline of their season."""

from __future__ import annotations

from sqlalchemy import ColumnElement, func, select

from core.models import Season, Submission


def is_late() -> ColumnElement[bool]:
    """Return a condition on `Submission`; without a deadline nothing is late, on its very day neither."""
    deadline = select(Season.deadline).where(Season.id == Submission.season_id).scalar_subquery()
    return func.coalesce(Submission.received_on > deadline, False)
