"""Replay the audit trail of an entry, to see that no change is missing from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.models import ReviewEvent

#: Kinds of events that set a field's value; the rejection of a proposal does not.
_GIVES = frozenset(
    {"field_approved", "field_edited", "field_kept", "edited", "undone", "read", "defaults_changed"}
)


@dataclass(frozen=True)
class Replayed:
    """An entry's values according to its audit trail."""

    #: Empty fields are left out.
    values: Mapping[str, str]
    #: Ids of events whose `before_value` differs from the replayed value: a change is missing from the trail.
    breaks: tuple[int, ...]


def replay_events(as_read: Mapping[str, str | None], events: Iterable[ReviewEvent]) -> Replayed:
    """Apply the events, given oldest first, to the values of the first reading."""
    values = dict(as_read)
    breaks = []
    for told in events:
        if told.field_name is None or told.kind not in _GIVES:
            continue
        if values.get(told.field_name) != told.before_value:
            breaks.append(told.id)
        values[told.field_name] = told.after_value
    return Replayed({name: value for name, value in values.items() if value is not None}, tuple(breaks))
