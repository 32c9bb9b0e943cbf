"""The form to change the plan of a report before the research starts."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict

from core.errors import InvalidInputError
from services.reports.approve_plan import LONGEST_QUESTION, MOST_QUESTIONS
from services.reports.codes import ReportCode
from services.reports.report_facts import ReportFacts
from services.reports.request_report import KINDS
from web.research.request_form import counts_problem
from web.whole_number import whole_number

_MOVE = re.compile(r"(up|down|remove)-([0-9]{1,3})", re.ASCII)


@dataclass
class PlanForm:
    """Questions in order, numbers of researchers as typed, and the version that was seen."""

    questions: list[str]
    #: Numbers of researchers by kind, as typed.
    counts: dict[str, str]
    version: int
    errors: dict[str, str] = field(default_factory=dict)

    def plan(self) -> dict[str, Any]:
        """Return the plan to approve: the typed questions and numbers of researchers."""
        return {"questions": self.questions, "allocation": "".join(self.counts.values())}


def plan_form(facts: ReportFacts) -> PlanForm:
    """Return the form of the report's present plan."""
    questions = [str(question) for question in (facts.plan or {}).get("questions", [])]
    digits = facts.allocation_effective or facts.allocation_user or "111"
    return PlanForm(questions, dict(zip(KINDS, digits, strict=False)), facts.version)


def typed_plan(typed: MultiDict[str, str]) -> PlanForm:
    """Return the form that a person sent. Raises InvalidInputError if it has no version."""
    version = typed.get("version", type=whole_number)
    if version is None:
        raise InvalidInputError(ReportCode.FORM_INCOMPLETE)
    counts = {kind: typed.get(f"allocation_{kind}", "").strip() or "0" for kind in KINDS}
    return PlanForm([" ".join(text.split()) for text in typed.getlist("question")], counts, version)


def rearranged(form: PlanForm, action: str) -> bool:
    """Apply a button that only changes the form (add, up, down, remove); return False for any other button."""
    questions = form.questions
    if action == "add":
        questions.append("")
        return True
    found = _MOVE.fullmatch(action)
    if found is None:
        return False
    move, at = found[1], whole_number(found[2])
    if move == "remove" and at < len(questions):
        del questions[at]
    elif move != "remove":
        first = at - 1 if move == "up" else at
        if 0 <= first < len(questions) - 1:
            questions[first : first + 2] = reversed(questions[first : first + 2])
    return True


def checked(form: PlanForm) -> bool:
    """Return whether the plan is valid, without empty and repeated questions; else set `errors`."""
    asked = list(dict.fromkeys(question for question in form.questions if question))
    if not asked:
        form.errors["questions"] = _("A plan needs at least one question.")
    elif len(asked) > MOST_QUESTIONS:
        form.errors["questions"] = _("A plan has at most %(most)d questions; remove some.", most=MOST_QUESTIONS)
    elif any(len(question) > LONGEST_QUESTION for question in asked):
        form.errors["questions"] = _(
            "A question has at most %(most)d characters; shorten it.", most=LONGEST_QUESTION
        )
    else:
        form.questions = asked
    if problem := counts_problem(form.counts):
        form.errors["allocation"] = problem
    return not form.errors
