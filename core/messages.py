"""Messages as codes with parameters, their sentences and labels in a language.

A code is a member of a `MessageCode` enum; its label is an English template with named places in the manner of
gettext: `TOO_LONG = "too_long", "%(field)s: at most %(limit)s characters"`. The stored keys of all codes are
unique, so that a row needs the key alone. Parameters are JSON: ids, numbers, keys of fields and enums; a person's
name only where the record itself holds it. The name of a place says how its value is shown, see `core.messages`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Any, Protocol, Self, TypeAlias

# Enums whose members have a stored key and a human-readable label: `QUEUED = "queued", "Queued"`.
#
# The key is what databases, APIs and logs hold. The label is English and is translated where it is shown; Babel
# finds it through `web.i18n`. An enum may declare the `places` of messages that its keys fill: the
# place `%(entry_status)s` of a template is then shown by the label of the key, in the reader's language.


_PLACES: dict[str, type[LabelledEnum]] = {}
#: (key, language) -> label, by place.
_LABELS: dict[str, Callable[[str, str], str]] = {}


class LabelledEnum(StrEnum):
    """Base of enums of (stored key, English label)."""

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
    """Declare places of messages that hold keys with their own labels: `label` takes the key and a language."""
    _LABELS.update(dict.fromkeys(places, label))


def labels_of_place(place: str) -> Callable[[str, str], str] | None:
    """What gives the label of a key in a language, for a place that `declare_labels` declared."""
    return _LABELS.get(place)


def enum_of_place(place: str) -> type[LabelledEnum] | None:
    """The enum whose keys fill a place of messages, None for a place that holds values."""
    return _PLACES.get(place)


def keys_of(kind: type[LabelledEnum]) -> tuple[str, ...]:
    return tuple(str(member) for member in kind)


def label_of(kind: type[LabelledEnum], key: str) -> str:
    """Return the English label of a key; an unknown key (of another version) is made readable."""
    return next((member.label for member in kind if member == key), readable(key))


def readable(key: str) -> str:
    """Return a key as words: "late_files" becomes "Late files"."""
    return key.replace("_", " ").replace(".", ": ").strip().lower().capitalize()


# Render messages as sentences in the reader's language; every page, job and command uses `say`.
#
# How a value is shown follows from the name of its place:
#
# - a place that an enum declares (`field`, `fields`, `entry_status`, …): the label of the key, or of each of a
#   list;
# - `who`: a person's name; None means the machine;
# - `date`: a date in ISO form;
# - anything else: numbers in the language's format, lists joined, nested messages as sentences.


class Language(Protocol):
    @property
    def code(self) -> str:
        """Its code, "en" or "es"."""

    def translated(self, text: str) -> str:
        """Translate an English label or template."""

    def number(self, value: float) -> str:
        """Format a number."""

    def day(self, iso: str) -> str:
        """Format a date given in ISO form."""


class Words(LabelledEnum):
    """Words that stand for a value."""

    MACHINE = "machine", "the machine"
    NOTHING = "nothing", "nothing"


class English:
    """English, for commands and logs, which have no request."""

    code = "en"

    def translated(self, text: str) -> str:
        return text

    def number(self, value: float) -> str:
        """With commas between thousands and at most two decimals."""
        return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}".rstrip("0").rstrip(".")

    def day(self, iso: str) -> str:
        """Return the date unchanged, in ISO form."""
        return iso


ENGLISH = English()


def say(message: Message, language: Language = ENGLISH) -> str:
    """Return the sentence of a message. An unknown code (of another version) is made readable."""
    code = code_of(message.code)
    if code is None:
        return _unknown(message, language)
    template = language.translated(code.label)
    return PLACE.sub(
        lambda found: _rendered(found[1], message.params, language) if found[1] else "%", template
    ).rstrip()


def heading(key: str, language: Language = ENGLISH) -> str:
    """What the messages of a code have in common, for statistics."""
    code = code_of(key)
    return language.translated(code.heading) if code else readable(key)


def say_all(messages: Sequence[Message], language: Language = ENGLISH) -> str:
    """Return several messages as one text."""
    return " ".join(say(message, language) for message in messages)


def _rendered(place: str, params: Any, language: Language) -> str:
    """Render the value of a place; an ellipsis where the message has no value for it."""
    return _value(place, params[place], language) if place in params else "…"


def _value(place: str, value: Any, language: Language) -> str:
    if is_message(value):
        return say(Message.from_json(value), language)
    if isinstance(value, list):
        parts = [_value(place, one, language) for one in value]
        # Sentences follow each other; those that begin with a line end begin a line.
        return " ".join(parts).replace(" \n", "\n") if any(map(is_message, value)) else ", ".join(parts)
    if value is None:
        return language.translated(Words.MACHINE.label if place == "who" else Words.NOTHING.label)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return language.number(value)
    if label := labels_of_place(place):
        return label(str(value), language.code)
    if kind := enum_of_place(place):
        return language.translated(label_of(kind, str(value)))
    return language.day(str(value)) if place == "date" else str(value)


def _unknown(message: Message, language: Language) -> str:
    values = [_value(name, value, language) for name, value in message.params.items()]
    return f"{readable(message.code)} ({', '.join(values)})" if values else readable(message.code)


# What happened, as data: a code and its parameters. `core.messages` turns them into sentences for people.


#: Types that a parameter may have when passed; it is stored as plain JSON.
Param: TypeAlias = "bool | int | float | str | date | Message | Sequence[Param] | Mapping[str, Param] | None"

#: A place of a template, or an escaped percent sign.
PLACE = re.compile(r"%\((\w+)\)s|%%")

_CODES: dict[str, MessageCode] = {}


class MessageCode(LabelledEnum):
    """Base of enums whose labels are templates: (stored key, template), and a heading where codes are counted."""

    #: What the code means without its parameters, for statistics.
    heading: str

    def __new__(cls, key: str, label: str = "", heading: str = "") -> Self:
        member = str.__new__(cls, key)
        member._value_, member.label, member.heading = key, label, heading or label
        return member

    def __init_subclass__(cls, *, places: Sequence[str] = ()) -> None:
        super().__init_subclass__(places=places)
        for code in cls:
            known = _CODES.setdefault(str(code), code)
            if type(known).__qualname__ != cls.__qualname__:
                raise TypeError(f"the code {str(code)!r} is of {type(known).__qualname__} already")

    @property
    def places(self) -> frozenset[str]:
        return frozenset(name for name in PLACE.findall(self.label) if name)


def code_of(key: str) -> MessageCode | None:
    """Return the code with this stored key; None for an unknown key (of another version)."""
    return _CODES.get(key)


@dataclass(frozen=True, slots=True)
class Message:
    """What happened: the stored key of a code and its parameters, plain JSON both."""

    code: str
    params: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, code: MessageCode, /, **params: Param) -> Self:
        """A message of a code.

        Raises TypeError when the parameters are not exactly the template's places, which is a bug in the caller.
        """
        if params.keys() != code.places:
            raise TypeError(f"{code!r} takes {sorted(code.places)}, not {sorted(params)}")
        return cls(str(code), {name: _plain(value) for name, value in params.items()})

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Return the message of the output of `to_json`, even if its code is unknown to this version."""
        return cls(str(stored["code"]), dict(stored.get("params") or {}))

    def to_json(self) -> dict[str, Any]:
        """`{"code": …, "params": {…}}`."""
        return {"code": self.code, "params": dict(self.params)}


def is_message(value: object) -> bool:
    """Whether a parameter is itself a message, in JSON."""
    return isinstance(value, Mapping) and "code" in value


def _plain(value: Param) -> Any:
    """Return a parameter as plain JSON that every serializer preserves: no enums, tuples or dates."""
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, Message):
        return value.to_json()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, Sequence):
        return [_plain(one) for one in value]
    return value
