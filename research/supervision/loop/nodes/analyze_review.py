"""Node: find the next gap to research, or approve."""

from __future__ import annotations

from langgraph.runtime import Runtime

from core.errors import AppError
from research.supervision.loop.context import SupervisionContext
from research.supervision.loop.explored import explored_key, was_explored
from research.supervision.loop.nodes.stops import after_error
from research.supervision.loop.state import SupervisionState
from research.supervision.types import WEIGHT, Ended, Issue, Outcome, SupervisorDecision


def analyze_review(state: SupervisionState, runtime: Runtime[SupervisionContext]) -> SupervisionState:
    """Analyse the document; only this node increments `iteration`, unless it approves."""
    context = runtime.context
    if stop := context.stop():
        return {"ended_because": stop.value}
    begun: SupervisionState = {
        "analyses": state.get("analyses", 0) + 1,
        "iteration": state.get("iteration", 0) + 1,
        "issue": None,
        "outcome": None,
        "source_keys": [],
        "revision_id": None,
        "error_code": None,
        "reasons": [],
        "reasoning": "",
        "confidence": None,
    }
    try:
        decision = context.analyst.analyse(
            context.store.document(state["version_no"]),
            state.get("explored", []),
            begun["iteration"],
            context.tier,
        )
    except AppError as error:
        return {**begun, **after_error(error, "analyze_review")}
    return {**begun, **_follow(decision, state, context)}


def _follow(
    decision: SupervisorDecision, state: SupervisionState, context: SupervisionContext
) -> SupervisionState:
    issue = decision.issue
    said: SupervisionState = {"reasoning": decision.reasoning, "confidence": decision.confidence}
    if issue is None or WEIGHT[issue.severity] < WEIGHT[context.tier.least_severity]:
        return {**said, **_passed(issue, state, context), "iteration": state.get("iteration", 0)}
    found: SupervisionState = {**said, "issue": issue.model_dump(mode="json")}
    if was_explored(issue, state.get("explored", [])):
        return {**found, "outcome": Outcome.ALREADY_EXPLORED.value}
    return {**found, "explored": [explored_key(issue)]}


def _passed(issue: Issue | None, state: SupervisionState, context: SupervisionContext) -> SupervisionState:
    """Return the end: APPROVED if a minor issue was found or one was integrated, or the document was examined."""
    if issue is not None or state.get("integrations"):
        return {"ended_because": Ended.APPROVED.value}
    examination = context.analyst.examination(context.store.document(state["version_no"]))
    ended = Ended.APPROVED if examination.examined else Ended.NOTHING_TO_COMPARE
    return {"ended_because": ended.value, "ended_note": examination.note.to_json() if examination.note else None}
