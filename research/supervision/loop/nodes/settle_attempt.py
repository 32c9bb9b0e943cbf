"""Node: record and count a finished attempt, and decide whether the loop ends."""

from __future__ import annotations

from langgraph.runtime import Runtime

from core.messages import Message
from research.supervision.loop.context import Attempt, SupervisionContext
from research.supervision.loop.routing import end_of
from research.supervision.loop.state import SupervisionState
from research.supervision.types import Ended, Issue, Outcome

_FAILURES = (Outcome.FAILED, Outcome.REFUSED_BY_GUARD)


def settle_attempt(state: SupervisionState, runtime: Runtime[SupervisionContext]) -> SupervisionState:
    """Count consecutive failures and attempts without evidence, and return the end if there is one."""
    context, outcome = runtime.context, Outcome(str(state["outcome"]))
    if outcome is not Outcome.INTEGRATED:
        context.store.record(
            Attempt(
                iteration=state["iteration"],
                issue=Issue.model_validate(state["issue"]) if state.get("issue") else None,
                outcome=outcome,
                base_version=state["version_no"],
                reasons=tuple(Message.from_json(one) for one in state.get("reasons", ())),
                reasoning=state.get("reasoning", ""),
                confidence=state.get("confidence"),
            )
        )
    counted: SupervisionState = {
        "failures": state.get("failures", 0) + 1 if outcome in _FAILURES else 0,
        "without_evidence": state.get("without_evidence", 0) + (outcome is Outcome.NO_EVIDENCE),
    }
    ended, note = true_end(end_of({**state, **counted}, context.tier), context)
    return {
        **counted,
        "ended_because": ended.value if ended else None,
        "ended_note": note.to_json() if note else None,
    }


def true_end(ended: Ended | None, context: SupervisionContext) -> tuple[Ended | None, Message | None]:
    """Return the end and its basis; NO_EVIDENCE is replaced if no source could be searched."""
    note = context.expander.nothing_to_ask() if ended is Ended.NO_EVIDENCE else None
    return (Ended.NOTHING_TO_COMPARE, note) if note else (ended, None)
