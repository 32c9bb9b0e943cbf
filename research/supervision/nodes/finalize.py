"""Node: say how the loop ended, with the last good document."""

from __future__ import annotations

from langgraph.runtime import Runtime

from research.supervision.context import SupervisionContext
from research.supervision.state import SupervisionState
from research.supervision.types import Ended


def finalize(state: SupervisionState, runtime: Runtime[SupervisionContext]) -> SupervisionState:
    """There is a document whatever happened: where nothing was integrated, the one that the loop began with."""
    ended = Ended(str(state["ended_because"]))
    runtime.context.store.finish(
        ended,
        state["version_no"],
        state.get("iteration", 0),
        state.get("integrations", 0),
        state.get("error_code"),
    )
    return {"ended_because": ended.value, "finished": True}
