"""Render messages as sentences in the reader's language; every page, job and command uses `say`.

How a value is shown follows from the name of its place:

- a place that an enum declares (`field`, `fields`, `entry_status`, …): the label of the key, or of each of a list;
- `who`: a person's name; None means the machine;
- `date`: a date in ISO form;
- anything else: numbers in the language's format, lists joined, nested messages as sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from core.labels import LabelledEnum, enum_of_place, label_of, labels_of_place, readable
from core.messages import PLACE, Message, code_of, is_message


class Language(Protocol):
    """Interface of a language."""

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
        """The text itself."""
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
        lambda found: _said(found[1], message.params, language) if found[1] else "%", template
    ).rstrip()


def heading(key: str, language: Language = ENGLISH) -> str:
    """What the messages of a code have in common, for statistics."""
    code = code_of(key)
    return language.translated(code.heading) if code else readable(key)


def say_all(messages: Sequence[Message], language: Language = ENGLISH) -> str:
    """Return several messages as one text."""
    return " ".join(say(message, language) for message in messages)


def _said(place: str, params: Any, language: Language) -> str:
    """Render the value of a place; an ellipsis where the message has no value for it."""
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
