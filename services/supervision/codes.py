"""Message codes of refused requests for supervisions, decisions on revisions and versions."""

from __future__ import annotations

from core.messages import MessageCode


class SupervisionCode(MessageCode):
    """Why a request was refused."""

    MODE_UNKNOWN = "mode_unknown", "There is no mode called %(given)s; there are %(known)s."
    REPORT_NOT_WRITTEN = "report_not_written", "Only a report that is written can be deepened."
    SUPERVISION_UNDER_WAY = "supervision_under_way", "A supervision begun by %(who)s is under way."
    SUPERVISION_OVER = "supervision_over", "The supervision has ended already."
    SUPERVISION_NOT_FAILED = (
        "supervision_not_failed",
        "This supervision has neither failed, nor was it cancelled, nor was it without anything to compare.",
    )
    VERSION_CURRENT = "version_current", "This is the current version already."

    DECISION_UNKNOWN = "decision_unknown", "There is no decision called %(given)s; there are %(known)s."
    EDIT_WITHOUT_TEXT = "edit_without_text", "An edited revision comes with its text, and no other decision does."
    REASON_TOO_LONG = "revision_reason_too_long", "The reason has %(length)s characters; %(most)s are allowed."
    TEXT_EMPTY = "revision_text_empty", "The text is empty."
    TEXT_TOO_LONG = "revision_text_too_long", "The text has %(length)s characters; %(most)s are allowed."
    TEXT_REFUSED = "revision_text_refused", "%(problems)s"
    NO_REVISION = "no_revision", "This attempt brought no revision."
    DECIDED_ALREADY = "revision_decided_already", "This revision was decided by %(who)s."
    FORM_INCOMPLETE = "revision_form_incomplete", "The form is not complete. Reload the page and decide again."
    TEXT_CHANGED = (
        "revision_text_changed",
        "You changed the text. Accept it with your changes, or put the text back as it was.",
    )
    TEXT_UNCHANGED = (
        "revision_text_unchanged",
        "You changed nothing. Change the text, or accept the revision as it stands.",
    )
