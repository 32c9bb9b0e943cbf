"""State of the round loop: ids and counts only; questions, memos and texts are in the report's tables."""

from __future__ import annotations

from typing import TypedDict

from research.memo.worker_result import Kind


class RoundState(TypedDict, total=False):
    """The state of a report; nodes return changed keys only."""

    #: 0 during planning, then 1 to 3.
    round_index: int
    #: Kind by id of the round's tasks that were not done when it was planned, in planned order.
    tasks: dict[str, Kind]
    #: Number of model calls without a usable reply when the round was joined, before the writer's calls.
    unanswered: int
    #: Why the loop ended: "complete", "no_evidence", "budget"; empty while it runs.
    ended_because: str
    #: Whether the report has been written.
    written: bool


class ResearcherState(TypedDict, total=False):
    """The state of a researcher's graph for one task."""

    task_id: str
    #: Hits to read, in order, as JSON.
    hits: list[dict[str, object]]
    #: Keys of sources read in earlier rounds that this task's searches found again.
    known: list[str]
