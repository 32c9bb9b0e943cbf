"""Node: apply a revision or wait for a person. It does nothing else, because a resumed node starts again."""

from __future__ import annotations

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from core.errors import ConflictError
from research.codes import ResearchCode
from research.supervision.loop.context import SupervisionContext
from research.supervision.loop.state import SupervisionState


def await_decision(state: SupervisionState, runtime: Runtime[SupervisionContext]) -> SupervisionState:
    """Return the newest good version; the decision is read from the store, not from the resume.

    Raises ConflictError when resumed without a decision.
    """
    context, revision_id = runtime.context, state["revision_id"]
    if revision_id is None:
        raise ConflictError(ResearchCode.NO_DECISION)
    if context.mode == "automatic":
        return _accepted(state, context.store.apply(revision_id))
    interrupt({"revision_id": revision_id})
    decision = context.store.decision(revision_id)
    if decision is None:
        if stop := context.stop():
            return {"ended_because": stop.value, "revision_id": None}
        raise ConflictError(ResearchCode.NO_DECISION)
    if decision.version_no is None:
        return {"revision_id": None}
    return _accepted(state, decision.version_no)


def _accepted(state: SupervisionState, version_no: int) -> SupervisionState:
    return {
        "version_no": version_no,
        "integrations": state.get("integrations", 0) + 1,
        "revision_id": None,
    }
