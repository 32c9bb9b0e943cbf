"""The address of a run's trace on LangSmith."""

from __future__ import annotations

import uuid

from sqlalchemy import select

from core.errors import NotFoundError
from core.models import OrchestratorLog
from core.tracing.links import trace_url
from services.context import Context


def trace_page(context: Context, trace_id: uuid.UUID) -> str:
    """Return the URL of the trace's page. Raises NotFoundError if no run has this trace or tracing is off."""
    of_a_step = select(OrchestratorLog.id).where(OrchestratorLog.trace_id == str(trace_id)).limit(1)
    with context.database.session() as session:
        known = session.scalar(of_a_step) is not None
    if not known or not context.settings.langsmith_tracing:
        raise NotFoundError("no such trace")
    return trace_url(context.settings, str(trace_id))
