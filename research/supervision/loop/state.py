"""State of the loop: ids and numbers in JSON types only; documents stay in the store."""

from __future__ import annotations

from operator import add
from typing import Annotated, Any, TypedDict


class SupervisionState(TypedDict, total=False):
    """State of one loop; nodes return changed keys only, and new items only of accumulated lists."""

    supervision_id: str
    #: The last good version of the document.
    version_no: int
    #: Number of attempts begun, counted only when an analysis begins.
    iteration: int
    integrations: int
    #: Consecutive failures.
    failures: int
    #: Number of attempts without a source.
    without_evidence: int
    #: `Issue` of the current attempt, as JSON.
    issue: dict[str, Any] | None
    #: Outcome of the current attempt; None while it runs, and for one that made a revision.
    outcome: str | None
    #: The revision that waits for a person, or None.
    revision_id: str | None
    #: `explored_key` of every explored issue.
    explored: Annotated[list[str], add]
    #: Reasoning and confidence of the latest decision.
    reasoning: str
    confidence: float | None
    #: Why the current attempt failed, as messages in JSON.
    reasons: list[dict[str, Any]]
    ended_because: str | None
    #: The basis of the end, as a message in JSON.
    ended_note: dict[str, Any] | None
    error_code: str | None
    #: Whether the end has been stored.
    finished: bool
