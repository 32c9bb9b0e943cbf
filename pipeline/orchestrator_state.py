"""State of the orchestrator. JSON types only; it is stored in checkpoints.

It never holds tokens, clients or the text of the essay or of the parent's reaction: these texts are in the file
store below `artifact_dir` (see `pipeline/orchestrator/artifacts.py`).
"""

from __future__ import annotations

import operator
from typing import Annotated, Any, TypedDict, cast

from core.messages import LabelledEnum


class Outcome(LabelledEnum):
    """How a run of the graph ended."""

    #: Completed by the machine alone.
    COMPLETED = "completed", "Completed"
    #: Saved as read, with proposals for a person.
    SUGGESTED = "suggested", "Proposed"
    #: Waits for a person at the interrupt, without a proposal.
    ESCALATED = "escalated", "Escalated"
    #: Settled by a person.
    RESOLVED = "resolved", "Settled"
    REJECTED = "rejected", "Rejected"


class AgentState(TypedDict, total=False):
    """State of one run. Nodes return the changed keys; `tries` and `tools_used` accumulate."""

    submission_id: str
    #: `<submission_id>:<run_no>`; also the thread id of the checkpoints.
    run_id: str
    run_no: int
    #: `SubmissionRecord` in JSON, without essay and reaction.
    record: dict[str, Any] | None
    #: The report, without the text of the pages.
    report: dict[str, Any] | None
    #: Number of readings so far, the first included.
    tries: Annotated[int, operator.add]
    #: Names of the tools in the order used; a node returns its own name only.
    tools_used: Annotated[list[str], operator.add]
    #: "processing" | "retry" | "review" | "escalate" | "completed" | "failed"
    status: str
    #: Required fields without a usable value.
    missing_fields: list[str]
    #: Fields with a value that needs a person's review.
    weak_fields: list[str]
    #: 0-1; 0.6 reading + 0.4 completeness.
    confidence: float
    needs_review: bool
    max_steps: int
    #: An `Outcome`, once there is one.
    final_outcome: str
    #: Explanation of the last step for an admin.
    reason: dict[str, Any]

    # Input from the job, never changed by the graph.
    #: Key of the document in the file store.
    image_path: str
    #: Prefix of the run's artifacts in the file store.
    artifact_dir: str
    ocr_provider_name: str
    original_filename: str | None
    chunk_metadata: dict[str, Any] | None
    doc_format: str | None
    owner_user_id: str
    upload_batch_id: str | None


def ocr_provider_of(state: AgentState, default: str) -> str:
    """Return the name of the OCR provider of a run: the one that it was asked for, else the default."""
    return state.get("ocr_provider_name") or default


def applied(state: AgentState, delta: AgentState) -> AgentState:
    """Return the state after applying a node's delta, with the reducers that LangGraph uses."""
    after = {**state, **delta}
    if "tries" in delta:
        after["tries"] = state.get("tries", 0) + delta["tries"]
    if "tools_used" in delta:
        after["tools_used"] = [*state.get("tools_used", []), *delta["tools_used"]]
    return cast(AgentState, after)
