"""Sentences and their citation markers: which need a citation, which have one, and the numbers in a text."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from importlib.resources import files
from itertools import pairwise

from babel import Locale

from research.config import Language
from research.document import MARKER, Reference, ReportDocument
from research.text.language import (
    ORDINALS,
    fold_accents,
    in_dictionary,
    spelled_numbers,
    split_sentences,
    stop_words,
)

#: A capitalised word after the first of a text: a name, an acronym or a title.
NAME_WITHIN = re.compile(r"(?<=[\w,;:)] )[A-ZÁÉÍÓÚÑÜ][\w’'-]+")
_MONTH = re.compile(
    r"\b(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre)\b"
)
_ENUMERATED = re.compile(r"\((?:\d|[ivx]+|[a-z])\)")
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019.-][^\W\d_]+)*")
#: Text after which a sentence, or a sentence within one, begins.
_OPENING = re.compile(
    r"(?:^|(?<!\b[A-Z])(?<!\b[A-Z][a-z])(?<!Mrs)(?<!Dra)(?<!Sra)(?<!Prof)\.\s+"
    r"|[:!?\u2026;|\u2014\u2013]\s+|[\"'\u201c\u2018\u00ab(\[\u00bf\u00a1])\W*$"
)
#: Words that follow a person's name.
_SPEAKS = re.compile(r"\s+(?:et\s+al|said|says|wrote|dijo|dice|escribi\u00f3)\b")
#: Endings of derived words; dictionaries lack many of these, as they lack names.
_DERIVED = re.compile(r"(?:s|ci[o\u00f3]n|si[o\u00f3]n|ismo|dad|[i\u00ed]a|mente|ly|ing|tion|ment|ness|ity|ed)$")
_PRONOUNS = frozenset({"I", "I'm", "I\u2019m", "I've", "I\u2019ve"})


def claims_something(sentence: str, language: Language) -> bool:
    """Return whether a sentence holds a number, a date or a proper name; "one" and a question never count."""
    if sentence.rstrip("\"'\u201d\u2019\u00bb) ").endswith("?"):
        return False
    numbers = quantities_in(without_enumeration(sentence), (language,))
    has_number = any(one.text[0].isdigit() or max(one.values) > 1 for one in numbers)
    return has_number or bool(_MONTH.search(sentence)) or _has_name(sentence)


def without_enumeration(sentence: str) -> str:
    """Return the sentence without "(a)", "(2)", "(iv)"."""
    return _ENUMERATED.sub("", sentence)


def _has_name(sentence: str) -> bool:
    """Return whether a word within the sentence is capitalised, or its first word is recognised as a name."""
    return any(
        not _OPENING.search(sentence[: match.start()]) or _is_name(match)
        for match in _WORD.finditer(sentence)
        if match[0][0].isupper() and match[0] not in _PRONOUNS
    )


def _is_name(word: re.Match[str]) -> bool:
    """Return whether the first word of a sentence would be capitalised anywhere."""
    bare = re.sub(r"['\u2019]s?$", "", word[0])
    small = bare.casefold()
    if small in stop_words("en") | stop_words("es"):
        return False
    is_acronym = len(bare) > 1 and bare.isupper() and not word.string.isupper()
    if is_acronym or _SPEAKS.match(word.string, word.end()):
        return True
    return fold_accents(small) in _countries() or not (in_dictionary(bare) or _DERIVED.search(small))


@cache
def _countries() -> frozenset[str]:
    """Return the one-word names of countries in English and Spanish, in lower case, without accents."""
    names = [name for code in ("en", "es") for name in Locale(code).territories.values()]
    return frozenset(fold_accents(name).casefold() for name in names if name.isalpha())


# Number the cited references of a document, and split its paragraphs into sentences with their markers.


_MARKER = re.compile(MARKER)
#: Consecutive markers, and the punctuation mark after them.
_MARKERS = re.compile(rf"(?>(?:(?>(?:(?<![ \t])[ \t]++)?){MARKER})+)(?P<stop>[.,;:!?…]*+)")


def citation_numbers(document: ReportDocument) -> dict[str, int]:
    """Return the number of each cited reference, by key, in order of first citation; omit uncited ones."""
    known = {reference.key for reference in document.references}
    bodies = [text for section in document.sections for text in (section.heading, section.body)]
    keys = dict.fromkeys(match["key"] for body in (*bodies, *document.limits) for match in _MARKER.finditer(body))
    return {key: number for number, key in enumerate((key for key in keys if key in known), 1)}


def cited_references(document: ReportDocument) -> list[tuple[int, Reference]]:
    """Return the cited references with their numbers, in order."""
    by_key = {reference.key: reference for reference in document.references}
    return [(number, by_key[key]) for key, number in citation_numbers(document).items()]


def sentences_of(text: str, language: str, *, whole: bool = False) -> list[str]:
    """Split a paragraph with its markers, each of which belongs to the sentence before it.

    Text in one pair of quote marks is one sentence, and so is the text if `whole` is true.
    """
    # Replace markers by spaces, so the length stays, and move the full stop behind markers before them.
    plain = _MARKERS.sub(lambda found: found["stop"].ljust(len(found[0])), text)
    spans: list[tuple[int, int]] = []
    for start, end in split_sentences(plain, language):
        if spans and (whole or _is_open(plain[slice(*spans[-1])])):
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    # A sentence cannot begin with the punctuation mark after a marker: begin after both.
    marked = {place: found.end() for found in _MARKERS.finditer(text) for place in range(*found.span())}
    begins = [0, *(marked.get(start, start) for start, _ in spans[1:]), len(text)]
    return [text[start:end] for start, end in pairwise(begins) if start < end]


def _is_open(text: str) -> bool:
    """Return whether the text opens a quotation without closing it."""
    return any(text.count(mark[0]) > text.count(mark[1]) for mark in ("“”", "«»")) or text.count('"') % 2 == 1


# Extract the numbers in a text by value, whether written in digits or in words.


_SPACES = " \u00a0\u2009\u202f"
_FIGURE = re.compile(
    rf"(?<![\w.,])(?<!\d[{_SPACES}])(?:\d{{1,3}}(?:[{_SPACES}'\u2019]\d{{3}})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*)"
)
_SCALE = re.compile(r"^[\s-]?(mil\s+millones|[^\W\d_]+)")
_SCALES = tomllib.loads(files(__package__).joinpath("quantities.toml").read_text(encoding="utf-8"))
_PERCENT = re.compile(
    r"^(?:\s?(?:[-\u2010-\u2015]|(?:to|and|or|al?|y|o|hasta)\b(?:\s?el\b)?)\s?[\d.,]+)?[\s\u00a0\u202f-]?"
    r"(?:%|per\s?cent\b|pct\b|percentage|por\s?cien(?:to)?\b|puntos\s+porcentuales)",
    re.IGNORECASE,
)
#: Values of words that are not quantities by themselves, but match the same number in digits.
_COUNTED = ORDINALS | {"un": 1, "una": 1, "uno": 1, "one": 1, "zero": 0, "cero": 0}


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in a text and its possible values: "1.200" may be 1.2 or 1200."""

    text: str
    values: frozenset[Decimal]
    percent: bool
    #: Index of its first character in the text.
    start: int = field(default=0, compare=False)

    def is_in(self, others: Iterable[Quantity]) -> bool:
        """Return whether one of the others may have the same value; a percentage matches only a percentage."""
        return any(self.values & other.values and (other.percent or not self.percent) for other in others)


def quantities_in(text: str, languages: Sequence[Language] = ("en", "es")) -> list[Quantity]:
    """Return the numbers in a text: figures with their scale ("1.5 million"), words, years, ends of ranges."""
    found = []
    ends = set()
    for match in _FIGURE.finditer(text):
        scale, length = _scale(text[match.end() :])
        ends.add(match.end() + length)
        values = frozenset(value * scale for value in _values(match[0]))
        found.append((match.start(), match.end() + length, values))
    for start, end, value in spelled_numbers(text, languages):
        # "million" in "1.5 million" is the scale of the figure.
        if end not in ends:
            found.append((start, end, frozenset({Decimal(value)})))
    return [
        Quantity(text[start:end], values, bool(_PERCENT.match(text[end : end + 40])), start)
        for start, end, values in sorted(found, key=lambda one: one[:2])
    ]


def quantities_implied(text: str) -> list[Quantity]:
    """Return the quantities in a text, including the values of its ordinals, "one" and "zero"."""
    words = re.findall(r"\w+", fold_accents(text.casefold()))
    return quantities_in("; ".join([text, *(str(_COUNTED[word]) for word in words if word in _COUNTED)]))


def _values(figure: str) -> frozenset[Decimal]:
    """Return the possible values of a figure, in which a comma or point may mark decimals or thousands."""
    plain = re.sub(rf"[{_SPACES}'\u2019]", "", figure)
    marks, groups = re.findall(r"[.,]", plain), re.split(r"[.,]", plain)
    as_thousands = Decimal("".join(groups))
    as_decimal = Decimal(".".join(["".join(groups[:-1]), groups[-1]]))
    in_threes = all(len(group) == 3 for group in groups[1:])
    if len(set(marks)) > 1:
        return frozenset({as_decimal})
    if len(marks) != 1:
        return frozenset({as_thousands}) if in_threes else frozenset(map(Decimal, groups))
    if in_threes and groups[0] != "0" and len(groups[0]) <= 3 and len(plain) == len(figure):
        return frozenset({as_thousands, as_decimal})
    return frozenset({as_decimal})


def _scale(behind: str) -> tuple[int, int]:
    """Return the factor in the word after a figure ("million"), and that word's end; (1, 0) without one."""
    match = _SCALE.match(behind)
    if match is None:
        return 1, 0
    word = " ".join(fold_accents(match[1]).casefold().split())
    scale = _SCALES["words"].get(word) or (match.start(1) == 0 and _SCALES["letters"].get(word))
    return (scale, match.end()) if scale else (1, 0)
