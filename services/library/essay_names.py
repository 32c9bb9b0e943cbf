"""Replace the names in an essay by initials: of the child, the family, the teacher and the school.

Readers of a report see only the initials and the grade. In doubt a word is replaced.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rapidfuzz.distance import OSA

from pipeline.extraction.values.text import plain
from pipeline.pages.plausibility import COMMON_WORDS
from pipeline.profiles import FieldKind
from pipeline.profiles.declared import fields_of_kind

#: Fields of an entry that contain names of people or schools, and fields with contact data.
NAMING_FIELDS = fields_of_kind(FieldKind.PERSON, FieldKind.SCHOOL)
REACHING_FIELDS = ("phone", "email")

_LISTS = [line.split() for line in (Path(__file__).parent / "no_names.txt").read_text("utf-8").splitlines()]


def _listed(name: str) -> frozenset[str]:
    return frozenset(word for first, *words in _LISTS if first == name for word in words)


_OF_SCHOOLS = _listed("school")
#: Words in a name field that are not part of a name: kinship terms, honorifics, particles.
NO_NAMES = _listed("kin") | _listed("honorific") | _listed("particle")
#: Names that are also ordinary words; they are replaced only if they begin with a capital letter.
_WORDS_TOO = COMMON_WORDS | _listed("word")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_CAPITALISED = re.compile(r"\b[^\W\d_][^\W\d_'’]*[^\W\d_]\b")
_NAME = r"[A-ZÀ-ÖØ-Þ][^\W\d_'’]+(?:[ -][A-ZÀ-ÖØ-Þ][^\W\d_'’]+)*"
_NAMES = rf"({_NAME}(?:(?:,\s*|,?\s+(?:and|y|e|&)\s+){_NAME})*)"
#: Phrases that introduce the name of a person who is in no field: a brother, a friend, an uncle.
_INTRODUCED = (
    rf"\b(?i:named|called|name\s+is|name['’]s|nicknamed|me\s+llamo|se\s+llaman?|nombre\s+es|llamad[oa]s?)\s+{_NAMES}",
    rf"\b(?i:brothers?|sisters?|cousins?|friends?|twins?|sons?|daughters?|nephews?|nieces?|hermanit[oa]s?|herman[oa]s?|"
    rf"prim[oa]s?|amig[oa]s?|hij[oa]s?|sobrin[oa]s?|neighbou?rs?|vecin[oa]s?),?\s+{_NAMES}",
    rf"\b(?i:mr|mrs|ms|miss|dr|sr|sra|srta|coach|uncle|aunt|auntie|t[ií][oa]|grandpa|grandma|don|doña|pastor|maestr[oa]|"
    rf"profesora?|teacher|cousin|abuel[oa])\.?\s+{_NAMES}",
)
_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]++\s?@\s?[\w-]++(?:\.[\w-]++)++")
_PHONE = re.compile(r"(?<!\w)\+?\(?\d(?:[\s().-]{0,3}\d){6,14}(?!\w)")
MAIL, PHONE = "[e-mail]", "[phone]"
#: Least letters of a short form of a name ("Sam"), and of a name and a word that may differ by one error.
_SHORT_FORM, _SLIP = 3, 5
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


def initials(name: str | None) -> str:
    """ "M. Q." for "Marisol Quintero"; empty if no name is given."""
    words = [word for word in _WORD.findall(name or "") if plain(word) not in NO_NAMES]
    return " ".join(f"{word[0].upper()}." for word in words)


def without_names(text: str, entry: Mapping[str, str | None]) -> str:
    """Return the text with initials for the names in `entry` (values by field) and those that it introduces."""
    text = unicodedata.normalize("NFC", text)
    text = _PHONE.sub(PHONE, _MAIL.sub(MAIL, text))
    for field, mask in zip(REACHING_FIELDS, (PHONE, MAIL), strict=True):
        text = _without_value(text, entry.get(field), mask)
    for field in NAMING_FIELDS:
        text = _without_value(text, entry.get(field), None)
    own = [word for field in NAMING_FIELDS for word in _telling_words(entry.get(field), field)]
    text = _without_words(text, [*own, *_introduced(text)])
    # Finally the literal values, for those that no rule above matches.
    for field in (*NAMING_FIELDS, *REACHING_FIELDS):
        text = _literally_without(text, entry.get(field))
    return text


def _without_value(text: str, value: str | None, mask: str | None) -> str:
    """Replace the whole value, ignoring differences in spacing, accents and capitals."""
    if mask is not None:
        digits = re.sub(r"\D", "", value or "")
        if len(digits) >= 4 and mask == PHONE:
            return re.sub(r"(?<!\d)" + r"[\s().-]{0,3}".join(digits) + r"(?!\d)", mask, text)
        return text
    words = _WORD.findall(unicodedata.normalize("NFC", value or ""))
    if not words or all(plain(word) in NO_NAMES for word in words):
        return text
    pattern = r"\b" + r"[\W_]{1,4}".join(map(_any_accents, words)) + r"(?:['’]?s)?\b"
    return _replace(text, pattern, initials(" ".join(words)), re.IGNORECASE)


def _telling_words(value: str | None, field: str) -> Iterator[str]:
    """Yield the words of a value that can identify a person or school on their own."""
    for word in _WORD.findall(unicodedata.normalize("NFC", value or "")):
        known = plain(word)
        if len(known) > 1 and known not in NO_NAMES and not (field == "school_name" and known in _OF_SCHOOLS):
            yield word


def _introduced(text: str) -> Iterator[str]:
    for pattern in _INTRODUCED:
        for found in re.finditer(pattern, text):
            yield from (word for word in _WORD.findall(found[1]) if word[0].isupper() and len(word) > 1)


def _without_words(text: str, names: Sequence[str]) -> str:
    known = {plain(name) for name in names if plain(name) not in NO_NAMES}
    for name in sorted({name for name in names if plain(name) in known}, key=len, reverse=True):
        # "Will" and "will": a name that is also an ordinary word is replaced only if capitalised.
        common = plain(name) in _WORDS_TOO
        pattern = r"\b" + (_capital(name) if common else _any_accents(name)) + r"(?:['’]?e?s)?\b"
        text = _replace(text, pattern, initials(name) or f"{name[0].upper()}.", 0 if common else re.IGNORECASE)
    return _CAPITALISED.sub(lambda found: _if_alike(found, known), text)


def _if_alike(found: re.Match[str], known: set[str]) -> str:
    """Return the initial of a short or misspelled form of a known name; return any other word unchanged."""
    word = plain(found[0])
    if not found[0][0].isupper() or len(word) < _SHORT_FORM or word in _WORDS_TOO or word in NO_NAMES:
        return found[0]
    for name in known:
        short = len(name) > len(word) and name.startswith(word)
        slip = min(len(name), len(word)) >= _SLIP and OSA.distance(name, word, score_cutoff=1) <= 1
        if short or slip:
            return f"{found[0][0].upper()}." if found.string[found.end() : found.end() + 1] != "." else found[0][0]
    return found[0]


def _literally_without(text: str, value: str | None) -> str:
    value = unicodedata.normalize("NFC", value or "").strip()
    words = [plain(word) for word in _WORD.findall(value)]
    if len(value) < 2 or (words and all(word in NO_NAMES for word in words)):
        return text
    pattern = rf"(?<!\w){re.escape(value)}(?!\w)"
    return re.sub(pattern, initials(value) or "[…]", text, flags=re.IGNORECASE)


def _replace(text: str, pattern: str, mask: str, flags: int) -> str:
    """Replace matches by the mask, without doubling the full stop at the end of a sentence."""

    def masked(found: re.Match[str]) -> str:
        ends = found.string[found.end() : found.end() + 1] == "."
        return mask.removesuffix(".") if ends else mask

    return re.sub(pattern, masked, text, flags=flags)


def _any_accents(word: str) -> str:
    return "".join(_letter(char) for char in word)


def _capital(word: str) -> str:
    """Return a pattern for the word capitalised or in all capitals."""
    return f"(?:{re.escape(word[0].upper() + word[1:].lower())}|{re.escape(word.upper())})"


def _letter(char: str) -> str:
    bare = plain(char)
    return f"[{_LETTERS[bare]}{_LETTERS[bare].upper()}]" if bare in _LETTERS else re.escape(char)
