"""Remove rows of the log by age, and checkpoints that are no longer needed. What was counted of them stays."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.orm import InstrumentedAttribute

from core.clock import utcnow
from core.models import ModelCallRow, OrchestratorLog
from services.context import Context
from services.reconcile import prune as prune_checkpoints
from services.recovery.kinds import ALL


@dataclass(frozen=True)
class Pruned:
    """Numbers of what was removed, or would be."""

    steps: int = 0
    calls: int = 0
    #: Runs, reports and supervisions whose checkpoints went.
    checkpoints: int = 0


def prune(context: Context) -> Pruned:
    """Remove log rows and model calls older than LOG_RETENTION_DAYS, and checkpoints of what is over."""
    end = _end(context)
    return Pruned(
        steps=_remove(context, OrchestratorLog, OrchestratorLog.timestamp, end),
        calls=_remove(context, ModelCallRow, ModelCallRow.created_at, end),
        checkpoints=sum(_all_checkpoints(context)),
    )


def prunable(context: Context) -> Pruned:
    """Return how many log rows and model calls `prune` would remove."""
    end = _end(context)
    with context.database.session() as session:
        steps = session.scalar(select(func.count()).where(OrchestratorLog.timestamp < end))
        calls = session.scalar(select(func.count()).where(ModelCallRow.created_at < end))
    return Pruned(steps or 0, calls or 0)


def _end(context: Context) -> datetime:
    """Return the beginning, in UTC, of the first day that is kept: only whole days go."""
    today = utcnow().replace(hour=0, minute=0, second=0, microsecond=0)
    return today - timedelta(days=context.settings.log_retention_days)


def _remove(context: Context, model: type[Any], at: InstrumentedAttribute[datetime], end: datetime) -> int:
    """Remove day after day, the oldest first, each in a transaction of its own; a recount counts by whole days."""
    removed = 0
    while True:
        with context.database.session() as session:
            oldest = session.scalar(select(func.min(at)).where(at < end))
            if oldest is None:
                return removed
            day = oldest.astimezone(end.tzinfo).replace(hour=0, minute=0, second=0, microsecond=0)
            gone = session.execute(delete(model).where(at < day + timedelta(days=1)).returning(model.id))
            removed += len(gone.all())


def _all_checkpoints(context: Context) -> list[int]:
    found = []
    for work in ALL:
        while number := prune_checkpoints(context, work):
            found.append(number)
    return found
