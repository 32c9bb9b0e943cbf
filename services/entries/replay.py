"""The audit trail told again: what the events of an entry make of its first reading."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.models import ReviewEvent

#: Events that gave a field a value; a rejected proposal leaves it as it was.
_GIVES = frozenset({"field_approved", "field_edited", "field_kept", "edited", "undone", "read"})


@dataclass(frozen=True)
class Replayed:
    """An entry's values by its trail."""

    #: Empty fields are left out.
    values: Mapping[str, str]
    #: Events that replaced another value than the trail had led to: something was changed and not told.
    breaks: tuple[int, ...]


def replay(as_read: Mapping[str, str | None], events: Iterable[ReviewEvent]) -> Replayed:
    """Apply the events, oldest first, to the values of the first reading."""
    values = dict(as_read)
    breaks = []
    for event in events:
        if event.field_name is None or event.kind not in _GIVES:
            continue
        if values.get(event.field_name) != event.before_value:
            breaks.append(event.id)
        values[event.field_name] = event.after_value
    return Replayed({name: value for name, value in values.items() if value is not None}, tuple(breaks))
