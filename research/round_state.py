"""State of the round loop: ids and counts only. Questions, memos and texts stand in the report's tables."""

from __future__ import annotations

from typing import Annotated, TypedDict


def united(before: list[str], more: list[str]) -> list[str]:
    """Both without repetition, sorted: researchers come back in any order, the state is the same."""
    return sorted({*before, *more})


class TaskRef(TypedDict):
    """A task by its id, and what researcher does it."""

    task_id: str
    #: A `research.worker_result.Kind`.
    kind: str


class RoundState(TypedDict, total=False):
    """One report on its way. Nodes return what changed."""

    report_id: str
    #: 0 while it is planned, then 1 to 3.
    round_index: int
    #: Of the round at hand, in the order planned.
    tasks: list[TaskRef]
    #: Ids of tasks that are over, of all rounds; a researcher returns its own only.
    finished: Annotated[list[str], united]
    #: Questions to the model without a usable reply when a round was joined; the writer's own come later.
    unanswered: int
    #: Why the loop ends: complete, no_evidence, budget. Empty while it goes on.
    ended_because: str
    #: Whether the report is written.
    written: bool


class ResearcherState(TypedDict, total=False):
    """One task on its way; the state of a researcher's graph."""

    task_id: str
    round_index: int
    queries: list[str]
    #: Hits to read, in this order, as `research.researchers.hits` writes them; nothing to quote from is in it.
    hits: list[dict[str, object]]
    #: Keys of sources that an earlier round has read and that answer this task too.
    known: list[str]
    #: Codes of providers that failed, `provider:code`.
    failures: list[str]


class ResearcherOutput(TypedDict, total=False):
    """What a researcher's graph gives back to the round loop."""

    finished: Annotated[list[str], united]
