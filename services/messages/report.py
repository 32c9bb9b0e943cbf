"""What was wrong with what was asked of a report or its plan."""

from __future__ import annotations

from core.messages import MessageCode


class ReportRefused(MessageCode):
    """Why a question, a plan or an option of a report was not taken."""

    NO_QUESTION = "no_question", "Write a question first."
    QUESTION_TOO_LONG = "question_too_long", "The question has %(count)s characters; %(limit)s are allowed."
    QUESTION_NO_WORDS = "question_no_words", "The question has no words."
    NO_SUCH_TYPE = "no_such_report_type", "There is no type of report called %(name)s."
    NO_SUCH_TIER = "no_such_tier", "There is no tier called %(name)s; there are %(choices)s."
    NO_SUCH_RESEARCHER = (
        "no_such_researcher",
        "There is no kind of researcher called %(name)s; there are %(choices)s.",
    )
    NO_SUCH_PROVIDER = "no_such_provider", "There is no provider called %(name)s; there are %(choices)s."
    NO_SUCH_BUDGET = "no_such_budget", "There is no budget of %(name)s; there are %(choices)s."
    BUDGET_NUMBER = "budget_number", "The budget of %(name)s must be a number of 0 or more."
    ITEMS = "items_of_catalog", "A catalog has between 1 and %(limit)s items."
    LANGUAGE = "report_language", "Reports are written in English (en) or Spanish (es), not in %(name)s."
    QUESTIONS_NOT_A_LIST = "questions_not_a_list", "The questions of a plan are a list of sentences."
    NO_QUESTIONS = "no_questions", "A plan has at least one question."
    TOO_MANY_QUESTIONS = "too_many_questions", "A plan has %(limit)s questions at the most."
    PLAN_QUESTION_TOO_LONG = (
        "plan_question_too_long",
        "A question of a plan has %(limit)s characters at the most.",
    )
    NOT_FAILED = "report_not_failed", "this report has not failed"
    NO_SUCH_FORMAT = "no_such_format", "there is no format %(name)s; there are %(choices)s"
