"""Plan the three rounds: discovery, filling gaps, verification."""

from __future__ import annotations

from collections.abc import Sequence

from research.allocation import ResearcherAllocation, assign_questions
from research.config import ResearchConfig
from research.memo.types import ResearchMemo
from research.plan.gap_tasks import gap_tasks
from research.plan.planned_task import PlannedTask
from research.plan.verification_tasks import verification_tasks

__all__ = ["PlannedTask", "plan_round"]


def plan_round(
    round_index: int,
    memo: ResearchMemo | None,
    allocation: ResearcherAllocation,
    config: ResearchConfig,
    questions: Sequence[str] = (),
) -> list[PlannedTask]:
    """Return the tasks of a round, at most as many as remain; empty if there is nothing to do.

    Round 1, discovery: the questions, assigned to researchers. Round 2, filling gaps: a task for each question of
    each open gap, most urgent first. Round 3, verification: a task per claim, on domains not yet used.
    """
    remaining = memo.tasks_remaining if memo else config.max_tasks_total
    if remaining <= 0:
        return []
    if round_index == 1:
        return _discovery(allocation, questions, remaining)
    if memo is None:
        return []
    if round_index == 2:
        return gap_tasks(memo, allocation, remaining - _kept_for_verification(remaining, config), config.language)
    return verification_tasks(memo, allocation, min(remaining, config.max_claims), config.language)


def _discovery(allocation: ResearcherAllocation, questions: Sequence[str], remaining: int) -> list[PlannedTask]:
    pairs = [
        (assignment.kind, question)
        for assignment in assign_questions(questions, allocation)
        for question in assignment.questions
    ]
    return [
        PlannedTask(f"r1_{n}", kind, question) for n, (kind, question) in enumerate(pairs[:remaining], start=1)
    ]


def _kept_for_verification(remaining: int, config: ResearchConfig) -> int:
    """Return the number of tasks that Round 2 leaves to Round 3, at most a third."""
    return min(config.max_claims, remaining // 3)
