"""Words for codes, statuses and confidences."""

from __future__ import annotations

from typing import Any, NamedTuple

from flask import request, url_for
from werkzeug.datastructures import MultiDict

from core.config import Settings
from core.errors import AppError
from core.messages import LabelledEnum, keys_of, label_of
from core.models import EscalationStatus, SetUpKey, SetUpState, SuggestionStatus
from pipeline import reason_codes
from pipeline.extraction import model_fields
from pipeline.extraction.model_fields import all_options
from pipeline.profiles import (
    FieldKind,
    FieldNames,
    declared_fields,
    derived_fields,
    field_label,
    known_profile,
    text_fields,
)
from pipeline.reason_codes import ReasonCode, ReasonInfo
from services.accounts.api_tokens import Scope
from services.accounts.person import Role
from services.audit import LONGEST_NOTE
from services.event_log import ChangedPart, EventDetail
from services.exports.contents import SubmissionColumn
from services.pages import Document
from services.policy import Rule
from web.access import get_person
from web.i18n import mark, say, shown_language, translated

#: Fields whose text has several lines.
LONG_FIELDS = text_fields()
#: Fields that are computed from others and cannot be edited.
DERIVED_FIELDS = derived_fields()
#: Fields that hold a school's name.
SCHOOL_FIELDS = FieldNames(FieldKind.SCHOOL)
GRADES = ("K", *(str(grade) for grade in range(1, 13)))

_EVENT_VALUES: dict[str, type[LabelledEnum]] = {
    EventDetail.ROLE: Role,
    EventDetail.BEFORE: Role,
    EventDetail.SCOPES: Scope,
    EventDetail.RULES: Rule,
    EventDetail.STEP: SetUpKey,
    EventDetail.STATE: SetUpState,
}


class RouteName(LabelledEnum):
    """Edges of the supervisor's graph."""

    COMPLETE = "complete", "Completed without review"
    LOOK = "look", "A second reader looks at the page"
    RETRY = "retry", "A model is asked"
    REVIEW = "review", "Proposals are looked for"
    SUGGESTED = "suggested", "A person decides on proposals"
    ESCALATE = "escalate", "A person settles it"


class Typed(LabelledEnum):
    """Typed values other than the fields of an entry."""

    REASON = "reason", "Reason"
    QUERY = "query", "Question"
    QUESTIONS = "questions", "Questions"


def label(kind: type[LabelledEnum], key: str | None) -> str:
    """Return the label of a key; an unknown key, from another version, in readable form; "" for None."""
    return "" if key is None else translated(label_of(kind, key))


def submission_field_label(name: str) -> str:
    return field_label(name, shown_language())


def form_label(key: str) -> str:
    """Return the name of a form, in the language of the request; the key of a form that is gone."""
    profile = known_profile(key)
    return key if profile is None else profile.label_in(shown_language())


def field_options(name: str) -> tuple[str, ...]:
    """Return the options of a field; none if its value is typed."""
    known = declared_fields().get(name)
    if known is None:
        return ()
    return GRADES if known.kind is FieldKind.GRADE else all_options(name) if known.kind is FieldKind.CHOICE else ()


def submission_option_label(name: str, option: str) -> str:
    """Return what an option of a field is called, in the language of the request."""
    return model_fields.option_label(name, option, shown_language())


def value_label(value: str | None, name: str) -> str | None:
    """Return the value of a field for display: the label of an option, any other value unchanged."""
    return value if value is None or value not in field_options(name) else submission_option_label(name, value)


def column_label(key: str) -> str:
    """Return the label of a column of lists and exports: of a field, or of another property of an entry."""
    return label(SubmissionColumn, key) if key in keys_of(SubmissionColumn) else submission_field_label(key)


def queue_status_label(key: str) -> str:
    """Return the label of the status of a proposal or an escalation; common statuses have the same label."""
    return label(EscalationStatus if key in keys_of(EscalationStatus) else SuggestionStatus, key)


def typed_label(name: str) -> str:
    """Return the label of a typed value: a field of an entry or of another form."""
    return label(Typed, name) if name in keys_of(Typed) else submission_field_label(name)


def event_value(value: Any, key: str) -> str:
    """Return the value of a detail of an event, by its key in `EventDetail`."""
    if isinstance(value, dict):
        return ", ".join(f"{label(ChangedPart, part)}: {event_value(one, part)}" for part, one in value.items())
    kind = _EVENT_VALUES.get(key)
    if kind is None:
        return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return ", ".join(label(kind, one) for one in (value if isinstance(value, list) else [value]))


# Reason codes in the language of the request, for filters and pages.


class ReasonPage(NamedTuple):
    """A page on which the cause of a reason can be fixed."""

    url: str
    name: str


#: Endpoint and name of the page of each reason that has one.
_PAGES = {
    ReasonCode.UNKNOWN_SCHOOL.value: ("schools.index", mark("List of schools")),
    ReasonCode.DUPLICATE_SUBMISSION.value: ("duplicates.index", mark("Duplicate entries")),
}
_ORIGINAL = ("submissions.original", mark("Original file"))
#: The same where the page is that of the file.
_PAGES_OF_FILE = {
    ReasonCode.MORE_IN_FILE.value: _ORIGINAL,
    ReasonCode.ATTACHMENTS.value: _ORIGINAL,
    ReasonCode.DYNAMIC_FORM.value: _ORIGINAL,
    ReasonCode.UNREAD_CONTENT.value: _ORIGINAL,
    ReasonCode.SPLIT_UNCERTAIN.value: ("submissions.split_page", mark("Correct the split")),
}


def shown_reason(code: str, form: str | None = None, version: int | None = None) -> ReasonInfo:
    """Return the label and the advice of a code, in the language of the request.

    `form` and `version`: the form that the entry was read with, if the advice concerns one.
    """
    info = reason_codes.reason_info(code, form, version)
    return info._replace(label=translated(info.label), advice=translated(info.advice))


def reason_options() -> list[tuple[str, ReasonInfo]]:
    """Return (stored key, label and advice) of every reason code."""
    return [(code.value, shown_reason(code.value)) for code in ReasonCode]


def reason_page(code: str, document: Document | None = None) -> ReasonPage | None:
    """Return the page that a code's advice refers to, None without one.

    `document`: the file of the entry; only reviewers correct its split.
    """
    if code in _PAGES:
        endpoint, name = _PAGES[code]
        return ReasonPage(url_for(endpoint), translated(name))
    if document is None or code not in _PAGES_OF_FILE:
        return None
    endpoint, name = _PAGES_OF_FILE[code]
    if code == ReasonCode.SPLIT_UNCERTAIN.value and not get_person().role.may_review:
        return None
    return ReasonPage(url_for(endpoint, upload_id=document.upload_id), translated(name))


# Confidence in words, with the thresholds of the supervisor.


def _words(confidence: float | None, settings: Settings) -> str:
    if confidence is None:
        return mark("unknown")
    if confidence >= settings.complete_confidence:
        return mark("sure")
    if confidence >= settings.weak_field_confidence:
        return mark("fairly sure")
    if confidence >= settings.retry_confidence:
        return mark("unsure")
    return mark("very unsure")


def confidence_words(confidence: float | None, settings: Settings) -> str:
    return translated(_words(confidence, settings))


def confidence_level(confidence: float | None, settings: Settings) -> str:
    """Return the confidence as a class of the stylesheet: high, medium, low or none."""
    words = _words(confidence, settings)
    return {"sure": "high", "fairly sure": "high", "unsure": "medium", "very unsure": "low"}.get(words, "none")


# A refused form: the error message above it, and what was typed.


def problem_sentence(error: AppError) -> str:
    """Return what exactly is wrong, or who was faster, and what to do."""
    exactly = say(error.message).rstrip(".")
    advice = say(error.of_its_kind)
    return f"{exactly[:1].upper()}{exactly[1:]}. {advice}" if exactly else advice


def typed_lines(longest: int = LONGEST_NOTE) -> MultiDict[str, str]:
    """Return what was typed into a form whose fields are of one line each, cut to the longest of them."""
    return MultiDict((name, value[:longest]) for name, value in request.form.items(multi=True))
