"""Node: research the gap."""

from __future__ import annotations

from langgraph.runtime import Runtime

from core.errors import AppError
from research.supervision.loop.context import SupervisionContext
from research.supervision.loop.nodes.stops import after_error
from research.supervision.loop.state import SupervisionState
from research.supervision.types import Issue, Outcome


def expand_topic(state: SupervisionState, runtime: Runtime[SupervisionContext]) -> SupervisionState:
    """Return the keys of the sources found; without any, the attempt ends before integration."""
    context = runtime.context
    if stop := context.stop():
        return {"ended_because": stop.value}
    try:
        expansion = context.expander.expand(
            context.store.document(state["version_no"]),
            Issue.model_validate(state["issue"]),
            state["iteration"],
            context.tier.depth,
        )
    except AppError as error:
        return after_error(error, "expand_topic")
    if not expansion.findings:
        return {"outcome": Outcome.NO_EVIDENCE.value}
    return {"source_keys": sorted(expansion.sources)}
