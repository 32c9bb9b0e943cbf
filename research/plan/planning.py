"""Plan the three rounds (discovery, filling gaps, verification) by rule, with a model if there is one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.errors import ModelError
from core.llm import Model
from core.log import get_logger
from research.allocation import ResearcherAllocation, assign_questions
from research.config import ResearchConfig
from research.memo.types import ResearchMemo
from research.plan.gap_tasks import gap_tasks
from research.plan.planned_task import PlannedTask, ResearchPlan
from research.plan.planning_by_model import proposed_gap_tasks, proposed_plan, proposed_verification
from research.plan.verification_tasks import verification_tasks
from research.questions.angles import angles_of
from research.readers.rules.questions import questions_of
from research.report_type import ReportType
from research.text import detect_language

__all__ = ["PlannedTask", "ResearchPlan", "plan_questions", "plan_round"]

log = get_logger(__name__)

_Proposal = Callable[[Sequence[PlannedTask], ResearchMemo, str, Model], list[PlannedTask]]


def plan_questions(
    query: str,
    report_type: ReportType,
    config: ResearchConfig,
    language: str,
    model: Model | None = None,
) -> ResearchPlan:
    """Plan the questions and angles of a report; if the model fails, by rule."""
    if model is not None:
        try:
            return proposed_plan(query, report_type, config, language, model)
        except ModelError as error:
            log.warning("plan_by_rule", code=error.code)
    angles = angles_of(query, language)
    questions = questions_of(query, report_type, angles, language)[: config.max_questions]
    told = f" Angles: {', '.join(angles)}." if angles else ""
    return ResearchPlan(tuple(questions), tuple(angles), f"Planned by rule from the words of the question.{told}")


def plan_round(
    round_index: int,
    query: str,
    report_type: ReportType,
    memo: ResearchMemo | None,
    allocation: ResearcherAllocation,
    config: ResearchConfig,
    questions: Sequence[str] | None = None,
    model: Model | None = None,
) -> list[PlannedTask]:
    """Return the tasks of a round, at most as many as remain; empty if there is nothing to do.

    Round 1, discovery: the questions, assigned to researchers. Round 2, filling gaps: a task for each question of
    each open gap, most urgent first. Round 3, verification: a task per claim, on domains not yet used.
    """
    remaining = memo.tasks_remaining if memo else config.max_tasks_total
    if remaining <= 0:
        return []
    if round_index == 1:
        return _discovery(query, report_type, allocation, config, questions, remaining)
    if memo is None:
        return []
    language = detect_language(query) if query.strip() else config.language
    if round_index == 2:
        tasks = gap_tasks(memo, allocation, remaining - _kept_for_verification(remaining, config), language)
        return _by_model(proposed_gap_tasks, tasks, memo, language, model)
    tasks = verification_tasks(memo, allocation, min(remaining, config.max_claims), language)
    return _by_model(proposed_verification, tasks, memo, language, model)


def _discovery(
    query: str,
    report_type: ReportType,
    allocation: ResearcherAllocation,
    config: ResearchConfig,
    questions: Sequence[str] | None,
    remaining: int,
) -> list[PlannedTask]:
    asked = questions or plan_questions(query, report_type, config, detect_language(query)).questions
    pairs = [
        (assignment.kind, question)
        for assignment in assign_questions(asked, allocation)
        for question in assignment.questions
    ]
    instructions = "Find what sources say on the question; bring sentences word for word, with where they stand."
    return [
        PlannedTask(f"r1_{place}", kind, question, instructions=instructions)
        for place, (kind, question) in enumerate(pairs[:remaining], start=1)
    ]


def _kept_for_verification(remaining: int, config: ResearchConfig) -> int:
    """Return the number of tasks that Round 2 leaves to Round 3, at most a third."""
    return min(config.max_claims, remaining // 3)


def _by_model(
    propose: _Proposal, tasks: list[PlannedTask], memo: ResearchMemo, language: str, model: Model | None
) -> list[PlannedTask]:
    if model is None or not tasks:
        return tasks
    try:
        return propose(tasks, memo, language, model)
    except ModelError as error:
        log.warning("tasks_by_rule", code=error.code)
        return tasks
