"""Node: integrate the findings into the document, with repeated tries if the guard refuses."""

from __future__ import annotations

from langgraph.runtime import Runtime

from core.errors import AppError
from core.messages import Message
from research.document import ReportDocument
from research.supervision.guard import problems_of
from research.supervision.loop.context import Attempt, Expansion, Integration, SupervisionContext
from research.supervision.loop.nodes.stops import after_error
from research.supervision.loop.state import SupervisionState
from research.supervision.types import Issue, Outcome


def integrate_content(state: SupervisionState, runtime: Runtime[SupervisionContext]) -> SupervisionState:
    """Store a revision that passes the guard; otherwise the last good document stays."""
    context = runtime.context
    if stop := context.stop():
        return {"ended_because": stop.value}
    issue = Issue.model_validate(state["issue"])
    try:
        document = context.store.document(state["version_no"])
        expansion = context.expander.recall(document, state["iteration"], state["source_keys"])
        integration, refused = _integrated(context, document, issue, expansion)
    except AppError as error:
        return after_error(error, "integrate_content")
    if integration is None:
        outcome = Outcome.REFUSED_BY_GUARD if refused else Outcome.NO_EVIDENCE
        return {"outcome": outcome.value, "reasons": [one.to_json() for one in refused]}
    revision_id = context.store.record(
        Attempt(
            iteration=state["iteration"],
            issue=issue,
            outcome=Outcome.INTEGRATED,
            base_version=state["version_no"],
            source_keys=tuple(state["source_keys"]),
            integration=integration,
            reasoning=state.get("reasoning", ""),
            confidence=state.get("confidence"),
        )
    )
    return {"revision_id": revision_id, "outcome": Outcome.INTEGRATED.value}


def _integrated(
    context: SupervisionContext, document: ReportDocument, issue: Issue, expansion: Expansion
) -> tuple[Integration | None, list[Message]]:
    """Return the first integration that passes the guard; else None and the reasons for refusing the last.

    None without reasons: nothing that was found closes the gap.
    """
    refused = list[Message]()
    for _ in range(context.tier.integration_attempts):
        integration = context.integrator.integrate(document, issue, expansion, refused)
        if integration is None:
            break
        refused = problems_of(document, integration.document, expansion.sources.keys())
        if not refused:
            return integration, []
    return None, refused
