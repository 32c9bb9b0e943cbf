"""Message codes of refused requests for reports, plans and stops."""

from __future__ import annotations

from core.messages import MessageCode


class ReportCode(MessageCode):
    """Why a request was refused."""

    QUESTION_MISSING = "question_missing", "Enter a question first."
    QUESTION_TOO_LONG = (
        "question_too_long",
        "The question has %(length)s characters; at most %(most)s are allowed.",
    )
    QUESTION_WITHOUT_WORDS = "question_without_words", "The question has no words."
    TYPE_UNKNOWN = "report_type_unknown", "There is no report type called %(given)s."
    ITEMS_OUT_OF_BOUNDS = "items_out_of_bounds", "A catalog has between 1 and %(most)s items."
    FIELDS_TOO_MANY = "fields_too_many", "A catalog has at most %(most)s fields besides the name."
    FIELD_TOO_LONG = "field_too_long", "A field of a catalog has at most %(most)s characters."
    LANGUAGE_UNKNOWN = (
        "report_language_unknown",
        "Reports are written in English (en) or Spanish (es), not in %(given)s.",
    )
    KIND_UNKNOWN = ("kind_unknown", "There is no kind of researcher called %(given)s. Choose one of: %(known)s.")
    PROVIDER_UNKNOWN = ("provider_unknown", "There is no provider called %(given)s. Choose one of: %(known)s.")
    BUDGET_UNKNOWN = "budget_unknown", "There is no budget of %(given)s. Choose one of: %(known)s."
    BUDGET_NOT_A_NUMBER = "budget_not_a_number", "The budget of %(given)s must be a number of 0 or more."

    PLAN_QUESTIONS_NOT_A_LIST = "plan_questions_not_a_list", "The questions of a plan are a list of sentences."
    PLAN_WITHOUT_QUESTION = "plan_without_question", "A plan has at least one question."
    PLAN_TOO_MANY_QUESTIONS = "plan_too_many_questions", "A plan has at most %(most)s questions."
    PLAN_QUESTION_TOO_LONG = (
        "plan_question_too_long",
        "A question in a plan has at most %(most)s characters.",
    )
    FORM_INCOMPLETE = "report_form_incomplete", "The form is not complete. Reload the page."
    PLAN_APPROVED = "plan_approved", "The plan was approved by %(who)s."
    PLAN_NOT_WAITING = "plan_not_waiting", "This report is not waiting for its plan to be approved."
    PLAN_CHANGED = "plan_changed", "The plan has changed since you opened this page."

    OWN_DOCUMENT_FULL = "own_document_full", "A document of your own holds at most %(most)s passages."
    NOTE_TOO_LONG = "excerpt_note_too_long", "The note has %(length)s characters; at most %(most)s are allowed."

    REPORT_OVER = "report_over", "The report has already ended."
    REPORT_NOT_FAILED = "report_not_failed", "This report has not failed and was not canceled."
