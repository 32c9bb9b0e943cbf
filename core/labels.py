"""Enums whose members have a stored key and a human-readable label: `QUEUED = "queued", "Queued"`.

The key is what databases, APIs and logs hold. The label is English and is translated where it is shown; Babel
finds it through `web.sentences_below`. An enum may declare the `places` of messages that its keys fill: the place
`%(entry_status)s` of a template is then shown by the label of the key, in the reader's language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Self

_PLACES: dict[str, type[LabelledEnum]] = {}
#: (key, language) -> label, by place.
_LABELS: dict[str, Callable[[str, str], str]] = {}


class LabelledEnum(StrEnum):
    """Base of enums of (stored key, English label)."""

    #: The label in English.
    label: str
    _value_: str

    def __new__(cls, key: str, label: str = "") -> Self:
        member = str.__new__(cls, key)
        member._value_ = key
        member.label = label
        return member

    def __init_subclass__(cls, *, places: Iterable[str] = ()) -> None:
        """`places`: names of places in messages that hold a key, or a list of keys, of this enum."""
        super().__init_subclass__()
        for place in places:
            known = _PLACES.setdefault(place, cls)
            if known.__qualname__ != cls.__qualname__:
                raise TypeError(f"the place {place!r} is of {known.__qualname__} already")


def declare_labels(places: Iterable[str], label: Callable[[str, str], str]) -> None:
    """Declare places of messages that hold keys with labels of their own: `label` takes the key and a language."""
    _LABELS.update(dict.fromkeys(places, label))


def labels_of_place(place: str) -> Callable[[str, str], str] | None:
    """What gives the label of a key in a language, for a place that `declare_labels` declared."""
    return _LABELS.get(place)


def enum_of_place(place: str) -> type[LabelledEnum] | None:
    """The enum whose keys fill a place of messages, None for a place that holds values."""
    return _PLACES.get(place)


def keys_of(kind: type[LabelledEnum]) -> tuple[str, ...]:
    """The stored keys of an enum, in its order."""
    return tuple(str(member) for member in kind)


def label_of(kind: type[LabelledEnum], key: str) -> str:
    """Return the English label of a key; an unknown key (of another version) is made readable."""
    return next((member.label for member in kind if member == key), readable(key))


def readable(key: str) -> str:
    """Return a key as words: "late_files" becomes "Late files"."""
    return key.replace("_", " ").replace(".", ": ").strip().lower().capitalize()
