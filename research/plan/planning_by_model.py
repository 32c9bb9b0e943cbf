"""Plans proposed by a model, within the limits of the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pydantic import BaseModel, ConfigDict, Field

from core.llm import Model
from research.config import ResearchConfig
from research.memo.context import memo_to_planner_context
from research.memo.types import ResearchMemo
from research.plan.planned_task import PlannedTask, ResearchPlan
from research.readers.model.prompts import PLAN_GAP_TASKS_SYSTEM, PLAN_QUESTIONS_SYSTEM, PLAN_VERIFICATION_SYSTEM
from research.report_type import ReportType

_MAX_QUESTION = 400
_MAX_QUERY = 300
_MAX_TEXT = 800
_MAX_ANGLES = 8
_LANGUAGES = {"en": "English", "es": "Spanish"}


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


class _Questions(_Closed):
    questions: list[str] = Field(min_length=1)
    angles: list[str] = Field(default_factory=list)
    reasoning: str = ""


class _Wording(_Closed):
    """A model's queries for a planned task."""

    task_id: str
    search_query: str = Field(min_length=1)
    instructions: str = ""


class _Wordings(_Closed):
    tasks: list[_Wording]


def proposed_plan(
    query: str, report_type: ReportType, config: ResearchConfig, language: str, model: Model
) -> ResearchPlan:
    """Return the questions and angles that a model proposes. Raises ModelError."""
    user = (
        f"Question: {query[:4000]}\nReport: {report_type}\nQuestions: at most {config.max_questions}\n"
        f"Language: {_LANGUAGES.get(language, 'English')}"
    )
    reply, _ = model.ask(PLAN_QUESTIONS_SYSTEM, user, _Questions, purpose="plan_questions")
    questions = _lines(reply.questions, _MAX_QUESTION)[: config.max_questions] or (query,)
    return ResearchPlan(questions, _lines(reply.angles, 80)[:_MAX_ANGLES], reply.reasoning[:_MAX_TEXT])


def proposed_gap_tasks(
    tasks: Sequence[PlannedTask], memo: ResearchMemo, language: str, model: Model
) -> list[PlannedTask]:
    """Return the tasks of Round 2 with a model's queries before those made by rule. Raises ModelError."""
    return _worded(PLAN_GAP_TASKS_SYSTEM, "plan_gap_tasks", tasks, memo, language, model)


def proposed_verification(
    tasks: Sequence[PlannedTask], memo: ResearchMemo, language: str, model: Model
) -> list[PlannedTask]:
    """Return the tasks of Round 3 with a model's queries before those made by rule. Raises ModelError."""
    return _worded(PLAN_VERIFICATION_SYSTEM, "plan_verification", tasks, memo, language, model)


def _worded(
    system: str, purpose: str, tasks: Sequence[PlannedTask], memo: ResearchMemo, language: str, model: Model
) -> list[PlannedTask]:
    listed = "\n".join(f"{task.task_id}: {task.question[:_MAX_QUESTION]}" for task in tasks)
    wanted = _LANGUAGES.get(language, "English")
    user = f"{memo_to_planner_context(memo)}\n\n## Tasks\n{listed}\n\nSearch in: {wanted}"
    reply, _ = model.ask(system, user, _Wordings, purpose=purpose)
    by_id = {wording.task_id: wording for wording in reply.tasks}
    return [_with(task, by_id.get(task.task_id)) for task in tasks]


def _with(task: PlannedTask, wording: _Wording | None) -> PlannedTask:
    if wording is None:
        return task
    queries = tuple(dict.fromkeys([" ".join(wording.search_query.split())[:_MAX_QUERY], *task.queries_hint]))
    more = f"\n{wording.instructions[:_MAX_TEXT]}" if wording.instructions else ""
    return replace(task, queries_hint=queries, instructions=task.instructions + more)


def _lines(texts: Sequence[str], longest: int) -> tuple[str, ...]:
    told = (" ".join(text.split())[:longest] for text in texts)
    return tuple(dict.fromkeys(text for text in told if text))
