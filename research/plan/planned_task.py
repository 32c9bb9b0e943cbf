"""A task of a round: its researcher, its question and its search queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from research.allocation import ResearcherAllocation, counts_of
from research.memo.worker_result import Kind
from research.readers.protocol import Asked, QueryTask, Reader
from research.readers.query_tidying import distinct, tidy

#: All kinds of researchers: the first of them that is available searches for prices, or for evidence.
FOR_PRICES: tuple[Kind, ...] = ("web", "book", "academic")
FOR_EVIDENCE: tuple[Kind, ...] = ("academic", "web", "book")
#: Most queries of one task.
_MOST_QUERIES = 3


@dataclass(frozen=True)
class PlannedTask:
    """One question for one researcher."""

    #: "r1_1", "r2_3", "v_1"; deterministic for the same plan.
    task_id: str
    kind: Kind
    question: str
    #: Search queries, best first; before a reader was asked for more, those that the plan suggests.
    queries: tuple[str, ...] = ()
    #: The gap that it should close.
    gap_id: str | None = None
    #: What is known and what is missing, for a model that generates the queries.
    instructions: str = ""
    #: Domains to avoid, because they were already used.
    avoid_domains: tuple[str, ...] = ()


def available_kind(kinds: Sequence[Kind], allocation: ResearcherAllocation) -> Kind:
    """Return the first kind that has a researcher."""
    return next((kind for kind in kinds if counts_of(allocation)[kind]), kinds[0])


def with_queries(reader: Reader, asked: Asked, tasks: Sequence[PlannedTask]) -> list[PlannedTask]:
    """Return the tasks with their queries: the first that the plan suggests, then the reader's."""
    if not tasks:
        return []
    wanted = [QueryTask(task.task_id, task.kind, task.question, task.instructions) for task in tasks]
    made = reader.queries(asked, wanted, _MOST_QUERIES)
    return [replace(task, queries=_chosen(task, made[task.task_id].queries)) for task in tasks]


def _chosen(task: PlannedTask, made: Sequence[str]) -> tuple[str, ...]:
    first, others = task.queries[:1], task.queries[1:]
    return tuple(distinct(tidy(query, task.kind) for query in (*first, *made, *others)))[:_MOST_QUERIES]
