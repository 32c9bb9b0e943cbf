"""Node: store how the loop ended, with the last good version."""

from __future__ import annotations

from langgraph.runtime import Runtime

from core.messages import Message
from research.supervision.loop.context import End, SupervisionContext
from research.supervision.loop.state import SupervisionState
from research.supervision.types import Ended


def finalize(state: SupervisionState, runtime: Runtime[SupervisionContext]) -> SupervisionState:
    """Store the end; without an integration the last good version is the one that the loop began with."""
    ended = Ended(str(state["ended_because"]))
    note, decided = state.get("ended_note"), ended in (Ended.APPROVED, Ended.NOTHING_TO_COMPARE)
    runtime.context.store.finish(
        End(
            ended,
            state["version_no"],
            state.get("iteration", 0),
            state.get("integrations", 0),
            state.get("error_code"),
            Message.from_json(note) if note else None,
            reasoning=state.get("reasoning", "") if decided else "",
            confidence=state.get("confidence") if decided else None,
        )
    )
    return {"ended_because": ended.value, "finished": True}
