"""Messages made into sentences: the one function that every edge uses, with the reader's language handed in.

How a value is shown follows from the name of its place:

- a place that an enum declares (`field`, `fields`, `entry_status`, …): the label of the key, or of each of a list;
- `who`: a person's name; None is the machine;
- `date`: a date in ISO form;
- anything else: numbers as the language writes them, lists joined, messages within messages as sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from core.labels import LabelledEnum, enum_of_place, label_of, labels_of_place, readable
from core.messages import PLACE, Message, code_of, is_message


class Language(Protocol):
    """What a language must be able to do."""

    @property
    def code(self) -> str:
        """Its code, "en" or "es"."""

    def translated(self, text: str) -> str:
        """An English label or template in this language."""

    def number(self, value: float) -> str:
        """A number as it is written."""

    def day(self, iso: str) -> str:
        """A date, given in ISO form."""


class Words(LabelledEnum):
    """Words that stand for a value."""

    MACHINE = "machine", "the machine"
    NOTHING = "nothing", "nothing"


class English:
    """English, without a request: commands and logs."""

    code = "en"

    def translated(self, text: str) -> str:
        """The text itself."""
        return text

    def number(self, value: float) -> str:
        """With commas between thousands and at most two decimals."""
        return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}".rstrip("0").rstrip(".")

    def day(self, iso: str) -> str:
        """As it is: ISO form is read everywhere."""
        return iso


ENGLISH = English()


def say(message: Message, language: Language = ENGLISH) -> str:
    """The sentence of a message. A code of another version is shown in readable form with its parameters."""
    code = code_of(message.code)
    if code is None:
        return _unknown(message, language)
    template = language.translated(code.label)
    return PLACE.sub(
        lambda found: _said(found[1], message.params, language) if found[1] else "%", template
    ).rstrip()


def heading(key: str, language: Language = ENGLISH) -> str:
    """What the messages of a code have in common, for statistics."""
    code = code_of(key)
    return language.translated(code.heading) if code else readable(key)


def say_all(messages: Sequence[Message], language: Language = ENGLISH) -> str:
    """Several messages as one text."""
    return " ".join(say(message, language) for message in messages)


def _said(place: str, params: Any, language: Language) -> str:
    """The value of a place; an ellipsis where the message has none."""
    return _value(place, params[place], language) if place in params else "…"


def _value(place: str, value: Any, language: Language) -> str:
    if is_message(value):
        return say(Message.from_json(value), language)
    if isinstance(value, list):
        said = [_value(place, one, language) for one in value]
        # Sentences follow each other; those that begin with a line end begin a line.
        return " ".join(said).replace(" \n", "\n") if any(map(is_message, value)) else ", ".join(said)
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
