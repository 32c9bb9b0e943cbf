"""Add search queries to the tasks of a round, all in one question to the reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from research.plan.planned_task import PlannedTask
from research.readers.protocol import Asked, QueryTask, Reader
from research.readers.query_tidying import distinct, tidy

#: Most queries of one task.
MOST_QUERIES = 3


def with_queries(reader: Reader, asked: Asked, tasks: Sequence[PlannedTask]) -> list[PlannedTask]:
    """Return the tasks with their queries: the first that the plan suggests, then the reader's."""
    if not tasks:
        return []
    wanted = [QueryTask(task.task_id, task.kind, task.question, task.instructions) for task in tasks]
    made = reader.queries(asked, wanted, MOST_QUERIES)
    return [replace(task, queries=_chosen(task, made[task.task_id].queries)) for task in tasks]


def _chosen(task: PlannedTask, made: Sequence[str]) -> tuple[str, ...]:
    first, others = task.queries[:1], task.queries[1:]
    return tuple(distinct(tidy(query, task.kind) for query in (*first, *made, *others)))[:MOST_QUERIES]
