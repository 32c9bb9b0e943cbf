"""Take the names out of an essay: of people, schools and places, and ways to reach somebody.

Names become initials. What could be a name or an ordinary word is left for a person to decide.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pipeline.extraction.values.text import plain
from pipeline.profiles import FieldKind
from pipeline.profiles.declared import FieldNames
from services.library.essays.contacts import MAIL, PHONE, without_contacts
from services.library.essays.find_names import Mark, find_names
from services.library.essays.known_words import NO_NAMES, listed
from services.library.essays.spread import spread
from services.library.essays.tokens import WORD, Token, tokens_of

#: Fields of an entry that contain names of people or schools, and fields with contact data.
NAMING_FIELDS = FieldNames(FieldKind.PERSON, FieldKind.SCHOOL)
_PHONES = FieldNames(FieldKind.PHONE)
REACHING_FIELDS = FieldNames(FieldKind.PHONE, FieldKind.EMAIL)
_OF_SCHOOLS = listed("school")
_LETTERS = {
    "a": "aáàâäãå",
    "e": "eéèêë",
    "i": "iíìîï",
    "o": "oóòôöõ",
    "u": "uúùûü",
    "n": "nñ",
    "c": "cç",
    "y": "yý",
}
#: Characters of the text that are shown on each side of a doubtful word.
_AROUND = 70
#: Most characters of a field's value that are looked for as a whole.
_MOST_OF_VALUE = 200


@dataclass(frozen=True)
class Doubt:
    """A word of an essay that could be a name, with what stands before and behind its first mention."""

    word: str
    #: The word as it is decided on: in lower case, without accents.
    key: str
    before: str
    behind: str


@dataclass(frozen=True)
class Cleaned:
    """An essay without names, and what a person has to decide before others may read it."""

    text: str
    doubts: tuple[Doubt, ...]


def initials(name: str | None) -> str:
    """ "M. Q." for "Marisol Quintero"; empty if no name is given."""
    words = [word for word in WORD.findall(name or "") if plain(word) not in NO_NAMES]
    return " ".join(f"{word[0].upper()}." for word in words)


def clean_essay(text: str, entry: Mapping[str, str | None], decided: Mapping[str, bool]) -> Cleaned:
    """Return the text without the names in `entry` (values by field) and without any other that it mentions.

    `decided`: for keys of doubtful words whether each is taken out.
    """
    text = without_contacts(unicodedata.normalize("NFC", text))
    for field in _PHONES:
        text = _without_phone(text, entry.get(field))
    for field in NAMING_FIELDS:
        text = _without_value(text, entry.get(field))
    tokens = tokens_of(text)
    marks = find_names(tokens)
    for index, token in enumerate(tokens):
        if marks[index] is Mark.DOUBT and token.plain in decided:
            marks[index] = Mark.NAME if decided[token.plain] else None
    spread(
        tokens, marks, {plain(word) for field in NAMING_FIELDS for word in _telling_words(entry.get(field), field)}
    )
    doubts: dict[str, Doubt] = {}
    for token, mark in zip(tokens, marks, strict=True):
        if mark is Mark.DOUBT and token.plain not in doubts:
            doubts[token.plain] = _doubt(text, token)
    text = _rendered(text, tokens, marks)
    # Finally the literal values, for those that no rule above matches.
    for field in (*NAMING_FIELDS, *REACHING_FIELDS):
        text = _literally_without(text, entry.get(field))
    return Cleaned(text, tuple(doubts.values()))


def without_names(text: str, entry: Mapping[str, str | None]) -> str:
    """Return the text with initials for the names that are certain."""
    return clean_essay(text, entry, {}).text


def _doubt(text: str, token: Token) -> Doubt:
    before, behind = text[max(0, token.start - _AROUND) : token.start], text[token.end : token.end + _AROUND]
    return Doubt(token.text, token.plain, before, behind)


def _rendered(text: str, tokens: list[Token], marks: list[Mark | None]) -> str:
    pieces: list[str] = []
    end = 0
    for token, mark in zip(tokens, marks, strict=True):
        if mark is Mark.NAME:
            ends = text[token.end : token.end + 1] == "."
            pieces += [text[end : token.start], token.text[0].upper(), "" if ends else "."]
            end = token.end
    return "".join([*pieces, text[end:]])


def _without_phone(text: str, value: str | None) -> str:
    digits = re.sub(r"\D", "", value or "")[:20]
    if len(digits) < 4:
        return text
    return re.sub(r"(?<!\d)" + r"[\s().-]{0,3}".join(digits) + r"(?!\d)", PHONE, text)


def _without_value(text: str, value: str | None) -> str:
    """Replace the whole value, ignoring differences in spacing, accents and capitals."""
    words = WORD.findall(unicodedata.normalize("NFC", value or "")[:_MOST_OF_VALUE])
    if not words or all(plain(word) in NO_NAMES for word in words):
        return text
    pattern = r"\b" + r"[\W_]{1,4}".join(map(_any_accents, words)) + r"(?:['’]?s)?\b"
    return _replace(text, pattern, initials(" ".join(words)) if len(words) > 1 else "")


def _telling_words(value: str | None, field: str) -> Iterator[str]:
    """Yield the words of a value that can identify a person or school on their own."""
    for word in WORD.findall(unicodedata.normalize("NFC", value or "")):
        known = plain(word)
        if len(known) > 1 and known not in NO_NAMES and not (field == "school_name" and known in _OF_SCHOOLS):
            yield word


def _literally_without(text: str, value: str | None) -> str:
    value = unicodedata.normalize("NFC", value or "").strip()[:_MOST_OF_VALUE]
    words = [plain(word) for word in WORD.findall(value)]
    if len(value) < 2 or (words and all(word in NO_NAMES for word in words)):
        return text
    pattern = rf"(?<!\w){re.escape(value)}(?!\w)"
    mask = MAIL if "@" in value else initials(value) or "[…]"
    return re.sub(pattern, lambda _: mask, text, flags=re.IGNORECASE)


def _replace(text: str, pattern: str, mask: str) -> str:
    """Replace matches by the mask, without doubling the full stop at the end of a sentence."""

    def masked(found: re.Match[str]) -> str:
        ends = found.string[found.end() : found.end() + 1] == "."
        return mask.removesuffix(".") if ends else mask

    return re.sub(pattern, masked, text, flags=re.IGNORECASE) if mask else text


def _any_accents(word: str) -> str:
    return "".join(_letter(char) for char in word)


def _letter(char: str) -> str:
    bare = plain(char)
    return f"[{_LETTERS[bare]}{_LETTERS[bare].upper()}]" if bare in _LETTERS else re.escape(char)
