"""What the loop carries from node to node: JSON types only, ids and numbers; documents stay in the store."""

from __future__ import annotations

from operator import add
from typing import Annotated, Any, TypedDict


class SupervisionState(TypedDict, total=False):
    """State of one loop. Nodes return only what they changed, and of added lists only what is new."""

    supervision_id: str
    #: The last good version of the document.
    version_no: int
    #: Attempts begun; counted in one place, when an analysis begins.
    iteration: int
    analyses: int
    integrations: int
    #: Failures without a success in between.
    failures: int
    #: Attempts for which no source was found.
    without_evidence: int
    #: `Issue` of the attempt at hand, as JSON.
    issue: dict[str, Any] | None
    #: What came of the attempt at hand so far; None while it goes on.
    outcome: str | None
    #: Keys of sources that the expansion brought.
    source_keys: list[str]
    #: Waits for a person; None where nothing waits.
    revision_id: str | None
    #: `explored_key` of every issue looked into.
    explored: Annotated[list[str], add]
    #: Of the newest decision: the analyst's own words, and how sure it is.
    reasoning: str
    confidence: float | None
    #: Why nothing came of the attempt at hand, as messages in JSON.
    reasons: list[dict[str, Any]]
    ended_because: str | None
    #: What the end rests on, as a message in JSON.
    ended_note: dict[str, Any] | None
    error_code: str | None
    #: Whether the end is written down.
    finished: bool
