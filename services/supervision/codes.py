"""Message codes of refused requests for supervisions, decisions on revisions and versions."""

from __future__ import annotations

from core.messages import MessageCode


class SupervisionCode(MessageCode):
    """Why a request was refused."""

    MODE_UNKNOWN = "mode_unknown", "There is no mode called %(given)s. Choose one of: %(known)s."
    REPORT_NOT_WRITTEN = "report_not_written", "Only a report that is written can be deepened."
    MODEL_WANTED = (
        "supervision_wants_a_model",
        "Supervision needs a language model: it reads the report, names its gaps, and writes what closes them. "
        "None is set up.",
    )
    SUPERVISION_UNDER_WAY = ("supervision_under_way", "A supervision started by %(who)s is already in progress.")
    SUPERVISION_OVER = "supervision_over", "The supervision has already ended."
    SUPERVISION_NOT_FAILED = (
        "supervision_not_failed",
        "This supervision did not fail, was not canceled, and had something to compare.",
    )
    VERSION_CURRENT = "version_current", "This is already the current version."

    DECISION_UNKNOWN = ("decision_unknown", "There is no decision called %(given)s. Choose one of: %(known)s.")
    EDIT_WITHOUT_TEXT = "edit_without_text", "Only an edited revision is sent with its text."
    TEXT_EMPTY = "revision_text_empty", "The text is empty."
    TEXT_TOO_LONG = ("revision_text_too_long", "The text has %(length)s characters; at most %(most)s are allowed.")
    TEXT_REFUSED = "revision_text_refused", "%(problems)s"
    NO_REVISION = "no_revision", "This attempt did not produce a revision."
    DECIDED_ALREADY = "revision_decided_already", "This revision was decided by %(who)s."
    FORM_INCOMPLETE = "revision_form_incomplete", "The form is not complete. Reload the page and decide again."
    TEXT_CHANGED = (
        "revision_text_changed",
        "You changed the text. Accept it with your changes, or restore the original text.",
    )
    TEXT_UNCHANGED = (
        "revision_text_unchanged",
        "You did not change anything. Change the text, or accept the revision as it is.",
    )
