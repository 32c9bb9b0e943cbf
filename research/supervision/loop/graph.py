"""The loop's graph and its nodes; start, continue and resume loops.

analyze_review → expand_topic → integrate_content → await_decision → settle_attempt → analyze_review …
and wherever the loop ends: finalize
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, wraps
from itertools import takewhile
from typing import Any

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command, interrupt

from core.errors import AppError, ConflictError, LeaseLostError
from core.messages import Message
from core.models import ReportRevision
from core.plain_data import checked_delta
from core.tracing.log import get_logger
from research.config import BudgetSpentError, CancelRequestedError, ResearchCode
from research.document import ReportDocument
from research.supervision.loop.routing import (
    SupervisionState,
    loop_end,
    revision_problems,
    route_after_analysis,
    should_continue,
)
from research.supervision.revisions import Revisions
from research.supervision.types import (
    INTEGRATION_TRIES,
    AttemptOutcome,
    Depth,
    Ended,
    Expansion,
    Integration,
    InvalidDecisionError,
    Issue,
    SupervisionTier,
    SupervisorDecision,
    explored_key,
    was_explored,
)

# The nodes of the loop; each returns the changed keys of the state. An error or stop never approves a document.


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
    #: Names the most important gap, given `explored_key` of earlier ones and the number of the attempt.
    analyse: Analyse
    #: Researches a gap; repeated for an attempt, it returns the stored findings without fetching again.
    expand: Callable[[ReportDocument, Issue, int, Depth], Expansion]
    #: Integrates findings, given why the guard refused the last try; None if no finding closes the gap.
    integrate: Integrate
    #: Returns why no source could be searched, or None if one could.
    nothing_to_ask: Callable[[], Message | None] = field(default=lambda: None)
    #: Called before each step; returns the end if a person cancelled or the budget is spent.
    stop: Callable[[], Ended | None] = field(default=lambda: None)
    #: Called with the name of each node as it begins, for display.
    begins: Callable[[str], None] = field(default=lambda node: None)


Node = Callable[[SupervisionState, SupervisionContext], SupervisionState]


def _step(work: Node) -> Node:
    """Wrap a step: a stop before it ends the loop, an error in it ends the loop or fails the attempt."""

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
    changes: SupervisionState = {"reasoning": decision.reasoning, "confidence": decision.confidence}
    issue = decision.issue
    if issue is None or issue.severity.weight < context.tier.least_severity.weight:
        return {**begun, **changes, **_passed(decision, state), "iteration": state.get("iteration", 0)}
    found: SupervisionState = {**begun, **changes, "issue": issue.model_dump(mode="json")}
    if was_explored(issue, state.get("explored", [])):
        return {**found, "outcome": AttemptOutcome.ALREADY_EXPLORED.value}
    return {**found, "explored": [explored_key(issue)]}


@_step
def expand_topic(state: SupervisionState, context: SupervisionContext) -> SupervisionState:
    """Research the gap; without findings the attempt ends before integration."""
    _, _, expansion = _expanded(state, context)
    return {} if expansion.findings else {"outcome": AttemptOutcome.NO_EVIDENCE.value}


@_step
def integrate_content(state: SupervisionState, context: SupervisionContext) -> SupervisionState:
    """Store a revision that passes the guard; otherwise the last good document stays."""
    document, issue, expansion = _expanded(state, context)
    refused = list[Message]()
    for _ in range(INTEGRATION_TRIES):
        integration = context.integrate(document, issue, expansion, refused)
        if integration is None:
            break
        refused = revision_problems(document, integration.document, expansion.sources.keys())
        if not refused:
            keys = sorted(expansion.sources)
            return {"revision_id": context.store.record(state, AttemptOutcome.INTEGRATED, integration, keys)}
    # None at the first try: no finding closes the gap.
    outcome = AttemptOutcome.REFUSED_BY_GUARD if refused else AttemptOutcome.NO_EVIDENCE
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
    """Record an attempt without a revision, count failures and attempts without evidence, and check the end."""
    outcome = AttemptOutcome(state.get("outcome") or AttemptOutcome.INTEGRATED)
    if outcome is not AttemptOutcome.INTEGRATED:
        context.store.record(state, outcome)
    counted: SupervisionState = {
        "failures": state.get("failures", 0) + 1 if outcome.is_failure else 0,
        "without_evidence": state.get("without_evidence", 0) + (outcome is AttemptOutcome.NO_EVIDENCE),
    }
    return {**counted, **ended({**state, **counted}, context)}


def ended(state: SupervisionState, context: SupervisionContext) -> SupervisionState:
    """Return the end after an attempt and its basis; NO_EVIDENCE is replaced if no source could be searched."""
    end = loop_end(state, context.tier)
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
        "outcome": AttemptOutcome.FAILED.value,
        "error_code": str(error.code),
        "reasons": [Message(str(error.code)).to_json()],
    }


# The loop's graph; its thread id is the supervision's id. Start, continue and resume loops.


SupervisionGraph = CompiledStateGraph[SupervisionState, SupervisionContext, SupervisionState, SupervisionState]

NODES: dict[str, Node] = {
    "analyze_review": analyze_review,
    "expand_topic": expand_topic,
    "integrate_content": integrate_content,
    "await_decision": await_decision,
    "settle_attempt": settle_attempt,
    "finalize": finalize,
}


@dataclass(frozen=True)
class SupervisionResult:
    """The state of a loop when the graph has stopped."""

    #: The last good version; always present.
    version_no: int
    iterations: int
    integrations: int
    #: None while a revision waits for a person.
    ended: Ended | None
    waiting_revision: str | None = None


def create_supervision_graph(checkpointer: BaseCheckpointSaver[Any] | None = None) -> SupervisionGraph:
    """Compile the graph; without a checkpointer nothing can be resumed, and no revision can wait."""
    return _compiled().copy({"checkpointer": checkpointer})


@lru_cache(maxsize=1)
def _compiled() -> SupervisionGraph:
    builder = StateGraph(SupervisionState, context_schema=SupervisionContext)
    for name, node in NODES.items():
        builder.add_node(name, _bounded(name, node))
    for name, onwards in (
        ("analyze_review", "expand_topic"),
        ("expand_topic", "integrate_content"),
        ("integrate_content", "await_decision"),
    ):
        edges: dict[Hashable, str] = {"proceed": onwards, "settle": "settle_attempt", "finalize": "finalize"}
        builder.add_conditional_edges(name, route_after_analysis, edges)
    for name, onwards in (
        # A loop that starts from its rows may have ended already.
        (START, "analyze_review"),
        ("await_decision", "settle_attempt"),
        ("settle_attempt", "analyze_review"),
    ):
        builder.add_conditional_edges(name, should_continue, {"continue": onwards, "complete": "finalize"})
    builder.add_edge("finalize", END)
    return builder.compile()


def _bounded(name: str, node: Node) -> Any:
    def run(state: SupervisionState, runtime: Runtime[SupervisionContext]) -> SupervisionState:
        runtime.context.begins(name)
        return checked_delta(name, node(state, runtime.context), SupervisionState.__annotations__)

    return run


def state_from_rows(supervision_id: str, version_no: int, rows: Sequence[ReportRevision]) -> SupervisionState:
    """Return the state after the last of these attempts, for a new thread or one without its checkpoints.

    `rows` in order of iterations.
    """
    outcomes = [AttemptOutcome(row.outcome) for row in rows]
    return {
        "supervision_id": supervision_id,
        "version_no": version_no,
        "iteration": rows[-1].iteration if rows else 0,
        "integrations": sum(row.made_version is not None for row in rows),
        "failures": sum(1 for _ in takewhile(lambda outcome: outcome.is_failure, reversed(outcomes))),
        "without_evidence": outcomes.count(AttemptOutcome.NO_EVIDENCE),
        "explored": [
            explored_key(Issue.model_validate(row.issue))
            for row in rows
            if row.issue is not None and row.outcome != AttemptOutcome.ALREADY_EXPLORED
        ],
        "outcome": outcomes[-1].value if outcomes else None,
    }


def run_supervision(
    graph: SupervisionGraph,
    supervision_id: str,
    initial_state: SupervisionState,
    context: SupervisionContext,
    callbacks: Sequence[BaseCallbackHandler] = (),
) -> SupervisionResult:
    """Run the loop until it ends or a revision waits; continue it where a crash left it.

    `initial_state`: see `state_from_rows`. The state of a loop that ended or waits without a decision is returned
    unchanged. Raises what the nodes raise.
    """
    config: RunnableConfig = {
        "configurable": {"thread_id": supervision_id},
        "callbacks": list(callbacks),
        # An upper limit of steps, with any sequence of failures.
        "recursion_limit": len(NODES) * (context.tier.max_iterations + 1),
        "metadata": {"supervision_id": supervision_id},
    }
    before = graph.get_state(config)
    if not before.values and not before.next:
        first: SupervisionState = {**initial_state, **ended(initial_state, context)}
        graph.invoke(first, config, context=context, durability="sync")
    elif before.interrupts:
        revision_id = before.interrupts[0].value["revision_id"]
        if context.store.decision(revision_id) is not None or context.stop() is not None:
            graph.invoke(Command(resume=True), config, context=context, durability="sync")
    elif not before.values.get("finished"):
        # None continues; new input would be added to the old state. `next` does not show the end: it is also empty
        # for a thread that was killed between a step's writes and its checkpoint.
        graph.invoke(None, config, context=context, durability="sync")
    after = graph.get_state(config)
    end = after.values.get("ended_because")
    return SupervisionResult(
        version_no=after.values["version_no"],
        iterations=after.values.get("iteration", 0),
        integrations=after.values.get("integrations", 0),
        ended=Ended(end) if end and after.values.get("finished") else None,
        waiting_revision=after.interrupts[0].value["revision_id"] if after.interrupts else None,
    )
