"""Labels of stored keys, from their enums, in the language of the request."""

from __future__ import annotations

from typing import Any

from core.labels import LabelledEnum, keys_of, label_of
from core.models import EscalationStatus, SetUpKey, SetUpState, SuggestionStatus
from pipeline.extraction import model_text
from pipeline.extraction.model_text import options_of
from pipeline.profiles import FieldKind, declared, known_profile
from pipeline.profiles.declared import FieldNames, declared_fields, derived_fields, text_fields
from services.accounts.roles import Role
from services.accounts.tokens.scopes import Scope
from services.event_log.details import EventDetail
from services.exports.columns import SubmissionColumn
from services.policy.rules import Rule
from web.i18n import shown_language, translated

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


def field_label(name: str) -> str:
    """Return the label of a field of an entry, in the language of the request."""
    return declared.field_label(name, shown_language())


def form_label(key: str) -> str:
    """Return the name of a form, in the language of the request; the key of a form that is gone."""
    profile = known_profile(key)
    return key if profile is None else profile.label_in(shown_language())


def field_options(name: str) -> tuple[str, ...]:
    """Return the values that a field is chosen from, none for one that is typed."""
    known = declared_fields().get(name)
    if known is None:
        return ()
    return GRADES if known.kind is FieldKind.GRADE else options_of(name) if known.kind is FieldKind.CHOICE else ()


def option_label(name: str, option: str) -> str:
    """Return what an option of a field is called, in the language of the request."""
    return model_text.option_label(name, option, shown_language())


def value_label(value: str | None, name: str) -> str | None:
    """Return the value of a field as people read it: an option in the language of the request, else as it is."""
    return value if value is None or value not in field_options(name) else option_label(name, value)


def column_label(key: str) -> str:
    """Return the label of a column of lists and exports: of a field, or of what else is known of an entry."""
    return label(SubmissionColumn, key) if key in keys_of(SubmissionColumn) else field_label(key)


def queue_status_label(key: str) -> str:
    """Return the label of the status of a proposal or an escalation; common statuses have the same label."""
    return label(EscalationStatus if key in keys_of(EscalationStatus) else SuggestionStatus, key)


def typed_label(name: str) -> str:
    """Return the label of a typed value: a field of an entry or of another form."""
    return label(Typed, name) if name in keys_of(Typed) else field_label(name)


def event_value(value: Any, key: str) -> str:
    """Return the value of a detail of an event, by its key in `EventDetail`."""
    kind = _EVENT_VALUES.get(key)
    if kind is None:
        return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return ", ".join(label(kind, one) for one in (value if isinstance(value, list) else [value]))
