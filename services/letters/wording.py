"""What letters say: the texts of a season, their places, and how they are checked."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from core.errors import InvalidInputError
from core.labels import LabelledEnum
from services.messages.letter import LetterRefused

LANGUAGES = ("en", "es")
MAX_SUBJECT, MAX_BODY, MAX_OFFICE = 150, 6000, 200
_FILE = Path(__file__).with_name("texts.toml")
#: What lists and models write where there is no name.
_NOBODY = frozenset({"null", "none", "nil", "n/a", "undefined", "unknown", "not given", "desconocido", "ninguno"})
_PLACE = re.compile(r"\{(\w+)\}")


class TextPart(LabelledEnum, places=("letter_part",)):
    """The texts of a letter."""

    SUBJECT = "subject", "Subject"
    BODY = "body", "Letter"
    REMINDER = "reminder", "Sentence for a second letter"
    OFFICE = "office", "Name of the office"
    CONTACT = "contact", "How to reach the office"


#: The places that a text may have, and those that it needs.
PLACES: Mapping[TextPart, tuple[str, ...]] = {
    TextPart.SUBJECT: ("season", "office"),
    TextPart.BODY: ("greeting", "addressee", "missing", "until", "contact", "reminder", "office", "season"),
    TextPart.REMINDER: ("asked_on",),
}
NEEDED: Mapping[TextPart, tuple[str, ...]] = {
    TextPart.SUBJECT: ("season",),
    TextPart.BODY: ("missing", "until", "contact"),
    TextPart.REMINDER: (),
}


@dataclass(frozen=True)
class Wording:
    """The texts of one language."""

    subject: str
    body: str
    reminder: str


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


def usual_wording(language: str) -> Wording:
    """Return the texts that letters have where the office has written none."""
    found = _file()[language]
    return Wording(found["subject"], found["body"].strip(), found["reminder"])


def word(language: str, key: str, **places: str) -> str:
    """Return a word of letters in a language, with its places filled."""
    return filled_in(str(_file()["words"][language][key]), places)


def written_name(text: str | None) -> str | None:
    """Return a name on one line, as a letter may address somebody by it; None for what names nobody."""
    name = " ".join((text or "").split())
    if not any(char.isalpha() for char in name) or name.lower() in _NOBODY:
        return None
    return name


def checked_wording(subject: str, body: str, reminder: str) -> Wording:
    """Return texts as they are kept. Raises InvalidInputError for one that cannot be filled in."""
    subject, body, reminder = (text.replace("\r\n", "\n").strip() for text in (subject, body, reminder))
    for part, text, limit in (
        (TextPart.SUBJECT, subject, MAX_SUBJECT),
        (TextPart.BODY, body, MAX_BODY),
        (TextPart.REMINDER, reminder, MAX_BODY),
    ):
        _check(part, text, limit)
    return Wording(subject, body, reminder)


def one_line(part: TextPart, text: str) -> str:
    """Return a text of one line as it is kept. Raises InvalidInputError."""
    kept = " ".join(text.split())
    if len(kept) > MAX_OFFICE:
        raise InvalidInputError(LetterRefused.TEXT_LONG, letter_part=part.value, limit=MAX_OFFICE)
    return kept


def _check(part: TextPart, text: str, limit: int) -> None:
    if len(text) > limit:
        raise InvalidInputError(LetterRefused.TEXT_LONG, letter_part=part.value, limit=limit)
    if part is TextPart.SUBJECT and not text.isprintable():
        raise InvalidInputError(LetterRefused.ONE_LINE, letter_part=part.value)
    found = set(_PLACE.findall(text))
    if unknown := sorted(found - set(PLACES[part])):
        raise InvalidInputError(
            LetterRefused.PLACE_UNKNOWN,
            letter_part=part.value,
            names=_braced(unknown),
            choices=_braced(PLACES[part]),
        )
    if re.search(r"[{}]", _PLACE.sub("", text)):
        raise InvalidInputError(LetterRefused.BRACES, letter_part=part.value)
    if wanting := [name for name in NEEDED[part] if name not in found]:
        raise InvalidInputError(LetterRefused.PLACE_WANTING, letter_part=part.value, names=_braced(wanting))


def _braced(names: tuple[str, ...] | list[str]) -> list[str]:
    return [f"{{{name}}}" for name in names]


def filled_in(text: str, values: Mapping[str, str]) -> str:
    """Return a text with its places filled, once each; a paragraph that is empty then is left out."""
    filled = _PLACE.sub(lambda found: values.get(found[1], found[0]), text)
    return re.sub(r"\n{3,}", "\n\n", filled).strip()
