"""The nodes of the loop; each returns the changed keys of the state. No error or stop is an approval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import wraps

from langgraph.types import interrupt

from core.errors import AppError, ConflictError, LeaseLostError
from core.log import get_logger
from core.messages import Message
from research.codes import BudgetSpentError, CancelRequestedError, ResearchCode
from research.document import ReportDocument
from research.supervision.guard import problems_of
from research.supervision.loop.routing import end_of
from research.supervision.loop.state import SupervisionState
from research.supervision.revisions import Revisions
from research.supervision.types import (
    INTEGRATION_TRIES,
    Depth,
    Ended,
    Expansion,
    Integration,
    InvalidDecisionError,
    Issue,
    Outcome,
    SupervisionTier,
    SupervisorDecision,
    explored_key,
    was_explored,
)

log = get_logger(__name__)


Analyse = Callable[[ReportDocument, Sequence[str], int, SupervisionTier], SupervisorDecision]
Integrate = Callable[[ReportDocument, Issue, Expansion, Sequence[Message]], Integration | None]


@dataclass(frozen=True)
class SupervisionContext:
    """The context passed to every node through LangGraph's `Runtime`; it is not checkpointed.

    Each of the three steps may raise AppError.
    """

    tier: SupervisionTier
    store: Revisions
    #: Names the weightiest gap, given `explored_key` of earlier ones and the number of the attempt.
    analyse: Analyse
    #: Researches a gap; repeated for an attempt, it returns what was found without fetching again.
    expand: Callable[[ReportDocument, Issue, int, Depth], Expansion]
    #: Works findings into the document, given why the guard refused the last try; None if none closes the gap.
    integrate: Integrate
    #: Returns why no source could be searched, or None if one could.
    nothing_to_ask: Callable[[], Message | None] = field(default=lambda: None)
    #: Called before each step; returns the end if a person cancelled or the budget is spent.
    stop: Callable[[], Ended | None] = field(default=lambda: None)
    #: Called with the name of each node as it begins, for display.
    begins: Callable[[str], None] = field(default=lambda node: None)


Node = Callable[[SupervisionState, SupervisionContext], SupervisionState]


def _step(work: Node) -> Node:
    """Wrap a step: a stop before it ends the loop, an error in it the loop or the attempt."""

    @wraps(work)
    def run(state: SupervisionState, context: SupervisionContext) -> SupervisionState:
        if stop := context.stop():
            return {"ended_because": stop.value}
        try:
            return work(state, context)
        except AppError as error:
            return _after_error(error, work.__name__)

    return run


@_step
def analyze_review(state: SupervisionState, context: SupervisionContext) -> SupervisionState:
    """Find the next gap, or approve; only this node increments `iteration`, unless it approves."""
    begun: SupervisionState = {
        "iteration": state.get("iteration", 0) + 1,
        "issue": None,
        "outcome": None,
        "revision_id": None,
        "error_code": None,
        "reasons": [],
        "reasoning": "",
        "confidence": None,
    }
    try:
        document = context.store.document(state["version_no"])
        decision = context.analyse(document, state.get("explored", []), begun["iteration"], context.tier)
    except AppError as error:
        return {**begun, **_after_error(error, "analyze_review")}
    said: SupervisionState = {"reasoning": decision.reasoning, "confidence": decision.confidence}
    issue = decision.issue
    if issue is None or issue.severity.weight < context.tier.least_severity.weight:
        return {**begun, **said, **_passed(decision, state), "iteration": state.get("iteration", 0)}
    found: SupervisionState = {**begun, **said, "issue": issue.model_dump(mode="json")}
    if was_explored(issue, state.get("explored", [])):
        return {**found, "outcome": Outcome.ALREADY_EXPLORED.value}
    return {**found, "explored": [explored_key(issue)]}


@_step
def expand_topic(state: SupervisionState, context: SupervisionContext) -> SupervisionState:
    """Research the gap; without findings the attempt ends before integration."""
    _, _, expansion = _expanded(state, context)
    return {} if expansion.findings else {"outcome": Outcome.NO_EVIDENCE.value}


@_step
def integrate_content(state: SupervisionState, context: SupervisionContext) -> SupervisionState:
    """Store a revision that passes the guard; otherwise the last good document stays."""
    document, issue, expansion = _expanded(state, context)
    refused = list[Message]()
    for _ in range(INTEGRATION_TRIES):
        integration = context.integrate(document, issue, expansion, refused)
        if integration is None:
            break
        refused = problems_of(document, integration.document, expansion.sources.keys())
        if not refused:
            keys = sorted(expansion.sources)
            return {"revision_id": context.store.record(state, Outcome.INTEGRATED, integration, keys)}
    # None at the first try: nothing that was found closes the gap.
    outcome = Outcome.REFUSED_BY_GUARD if refused else Outcome.NO_EVIDENCE
    return {"outcome": outcome.value, "reasons": [one.to_json() for one in refused]}


def await_decision(state: SupervisionState, context: SupervisionContext) -> SupervisionState:
    """Return the newest good version; the decision is read from the store, not from the resume.

    It does nothing else, because a resumed node starts again. Raises ConflictError if resumed without a decision.
    """
    revision_id = str(state["revision_id"])
    decision = context.store.decision(revision_id)
    if decision is None:
        interrupt({"revision_id": revision_id})
        if stop := context.stop():
            return {"ended_because": stop.value, "revision_id": None}
        raise ConflictError(ResearchCode.NO_DECISION)
    made = decision.version_no
    integrations = state.get("integrations", 0) + (made is not None)
    return {"version_no": made or state["version_no"], "integrations": integrations, "revision_id": None}


def settle_attempt(state: SupervisionState, context: SupervisionContext) -> SupervisionState:
    """Record an attempt without a revision, count failures and attempts without evidence, and see if it ends."""
    outcome = Outcome(state.get("outcome") or Outcome.INTEGRATED)
    if outcome is not Outcome.INTEGRATED:
        context.store.record(state, outcome)
    counted: SupervisionState = {
        "failures": state.get("failures", 0) + 1 if outcome.is_failure else 0,
        "without_evidence": state.get("without_evidence", 0) + (outcome is Outcome.NO_EVIDENCE),
    }
    return {**counted, **ended({**state, **counted}, context)}


def ended(state: SupervisionState, context: SupervisionContext) -> SupervisionState:
    """Return the end after an attempt and its basis; NO_EVIDENCE is replaced if no source could be searched."""
    end = end_of(state, context.tier)
    note = context.nothing_to_ask() if end is Ended.NO_EVIDENCE else None
    end = Ended.NOTHING_TO_COMPARE if note else end
    return {"ended_because": end.value if end else None, "ended_note": note.to_json() if note else None}


def finalize(state: SupervisionState, context: SupervisionContext) -> SupervisionState:
    """Store how the loop ended, with the last good version."""
    context.store.finish(state)
    return {"finished": True}


def _passed(decision: SupervisorDecision, state: SupervisionState) -> SupervisionState:
    """Return the end: APPROVED if a minor issue was found or one was integrated, or the document was examined."""
    if decision.issue is not None or state.get("integrations"):
        return {"ended_because": Ended.APPROVED.value}
    end = Ended.APPROVED if decision.examined else Ended.NOTHING_TO_COMPARE
    return {"ended_because": end.value, "ended_note": decision.note.to_json() if decision.note else None}


def _expanded(state: SupervisionState, context: SupervisionContext) -> tuple[ReportDocument, Issue, Expansion]:
    document, issue = context.store.document(state["version_no"]), Issue.model_validate(state["issue"])
    return document, issue, context.expand(document, issue, state["iteration"], context.tier.depth)


def _after_error(error: AppError, step: str) -> SupervisionState:
    """End the loop for a spent budget, a cancellation or an invalid decision; else fail the attempt.

    Raises the error again if another worker has taken over.
    """
    if isinstance(error, LeaseLostError):
        raise error
    if isinstance(error, BudgetSpentError):
        return {"ended_because": Ended.BUDGET.value}
    if isinstance(error, CancelRequestedError):
        return {"ended_because": Ended.CANCELLED.value}
    log.warning("supervision_step_failed", step=step, code=error.code, detail=error.detail)
    if isinstance(error, InvalidDecisionError):
        return {"ended_because": Ended.INVALID_DECISION.value, "error_code": str(error.code)}
    return {
        "outcome": Outcome.FAILED.value,
        "error_code": str(error.code),
        "reasons": [Message(str(error.code)).to_json()],
    }
