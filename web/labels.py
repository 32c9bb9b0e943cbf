"""How pages show keys: by the labels of their enums, in the language of the request."""

from __future__ import annotations

from core.labels import LabelledEnum, keys_of, label_of
from core.models import EscalationStatus, SuggestionStatus
from pipeline.profiles import declared
from pipeline.profiles.declared import derived_fields, text_fields
from web.i18n import chosen_language, translated

#: Fields that people read in several lines.
LONG_FIELDS = text_fields()
#: Worked out from others; nobody types them.
DERIVED_FIELDS = derived_fields()
GRADES = ("K", *(str(grade) for grade in range(1, 13)))


class Typed(LabelledEnum):
    """What people type besides the fields of an entry."""

    REASON = "reason", "Reason"
    QUERY = "query", "Question"
    QUESTIONS = "questions", "Questions"


def label(kind: type[LabelledEnum], key: str | None) -> str:
    """The label of a key; a key of another version in readable form; empty for None."""
    return "" if key is None else translated(label_of(kind, key))


def field_label(name: str) -> str:
    """The label of a field of an entry, in the language of the request."""
    return declared.field_label(name, chosen_language())


def queue_status_label(key: str) -> str:
    """The label of where a proposal or an escalation stands; what both may be, both call the same."""
    return label(EscalationStatus if key in keys_of(EscalationStatus) else SuggestionStatus, key)


def typed_label(name: str) -> str:
    """The label of what a person typed, into a field of an entry or of another form."""
    return label(Typed, name) if name in keys_of(Typed) else field_label(name)
