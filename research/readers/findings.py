"""Sentences of sources that answer a question, and which sentences can be quoted alone."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from research.citations.claims import quantities_in
from research.questions.wording import field_words
from research.text.language import CARDINALS, fold_accents, in_dictionary
from research.text.markdown import clean_text, without_marks
from research.text.meaning import Meaning, Text, near_duplicates

_LEAST_WORDS, _MOST_WORDS = 6, 60

_ENDS = re.compile(r"[.!][\"'”’»)\]]*$")
_STARTS = re.compile(r"[\"'“‘«(¿¡]*[\dA-ZÁÉÍÓÚÜÑÀÈÇÖÄ]")
_WORD = re.compile(r"[^\W\d_]+")
#: Signs that a text is not a statement: reference numbers, addresses, telephones, volume and pages, captions.
_APPARATUS = re.compile(
    r"\[\s*+\d[\d\s,;–-]*+\]|https?://|www\.|\w[.+-]*+@[\w-]+\.\w|\bdoi:|\(?\b\d{3}\)?[ .-]\d{3}[ .-]\d{4}\b"
    r"|\b\d+\s?\(\d+\)[,:]\s?\d+[–-]\d+|\bpp?\.\s?\d+[–-]\d+|©"
    r"|^(?:fig(?:ure|ura)?|table|tabla|chart|cuadro|gráfic[oa]|box|recuadro|source|fuente)\b\.?\s*[\d:(]",
    re.IGNORECASE,
)
#: An entry of a list of references: surname, initials, year.
_ENTRY = re.compile(r"^[A-ZÁÉÍÓÚÑ][\w'’-]++,\s++(?>(?:[A-Z]\.\s*+)+).{0,1000}\(\d{4}[a-z]?\)")
_RUBBLE = ("|", "@", "\t", "…", "...", "{", "}", "<", ">")
_PAIRS = (("“", "”"), ("«", "»"), ("(", ")"), ("[", "]"))


def is_statement(text: str) -> bool:
    """Return whether a text is a complete statement that belongs to its page's text.

    Headings, questions, captions, addresses, table rows and navigation or boilerplate lines are not.
    """
    words = _WORD.findall(text)
    if not _LEAST_WORDS <= len(words) <= _MOST_WORDS or not _STARTS.match(text) or not _ENDS.search(text):
        return False
    letters = sum(char.isalpha() or char.isspace() for char in text)
    is_balanced = all(text.count(left) == text.count(right) for left, right in _PAIRS) and text.count('"') % 2 == 0
    if _shouted(words) or letters < 0.7 * len(text) or not is_balanced or any(mark in text for mark in _RUBBLE):
        return False
    return not _ENTRY.search(text) and not is_furniture(text)


def is_furniture(text: str) -> bool:
    """Return whether a text is not content of its page: navigation, notices, addresses, captions."""
    return bool(_APPARATUS.search(text) or pattern("furniture").search(folded_in_place(text)))


def speaks_to_machines(text: str) -> bool:
    """Return whether a text gives instructions to programs that read it."""
    return bool(pattern("orders").search(folded_in_place(text)))


def _shouted(words: list[str]) -> bool:
    capitals = sum(word[0].isupper() for word in words)
    return capitals > 0.6 * len(words) or sum(len(word) > 3 and word.isupper() for word in words) > 3


def repeats(texts: Sequence[Text], meaning: Meaning) -> list[tuple[int, int]]:
    """Return the indexes of each pair of texts that say nearly the same with the same figures, earlier first."""
    figures = [frozenset(one.values for one in quantities_in(text.text)) for text in texts]
    return [(one, other) for one, other in near_duplicates(texts, meaning) if figures[one] == figures[other]]


# Clean quotations for display in a report.


_SOFT_HYPHEN = re.compile(r"\b(\w++)[-\u00ad‐][^\S\n]*+\n\s*+(\w++)")
#: A source's own reference numbers, which would look like the report's.
_OWN_NUMBERS = re.compile(r"(?>(?:(?<!\s)\s++)?)\[\s*+\d{1,3}(?>(?:\s*+[,;–-]\s*+\d{1,3})*)\s*+\]")
#: Marks of bold or italic whose other half is in another sentence.
_STRAY = re.compile(r"\*{2,}|(?:^|(?<=\s))\*(?=\s|$)")


def clean_quote(quote: str) -> str:
    """Return a quotation on one line, without marks of Markdown and reference numbers, divided words rejoined."""
    joined = " ".join(_SOFT_HYPHEN.sub(_rejoined, clean_text(quote)).split())
    return " ".join(_STRAY.sub("", without_marks(_OWN_NUMBERS.sub("", joined))).split())


def _rejoined(found: re.Match[str]) -> str:
    """Rejoin a word divided at a line's end; the hyphen stays if only the parts are words."""
    parts = (
        in_dictionary(found[1].lower())
        and in_dictionary(found[2].lower())
        and not in_dictionary(f"{found[1]}{found[2]}".lower())
    )
    return f"{found[1]}-{found[2]}" if parts or found[2][:1].isupper() else found[1] + found[2]


# Recognise kinds of facts, such as costs or hours: words that name one, and texts that state one.


def states(text: str, topic: str) -> bool:
    """Return whether a text states what a topic asks for, such as an amount of money for "costs"."""
    kind = _kind_of(field_words(topic))[1]
    return kind is not None and kind.stated.search(folded_in_place(text)) is not None


def is_label(words: str) -> bool:
    """Return whether most of the words name a kind of fact: "Opening hours", "CUÁNTO CUESTA"."""
    return 2 * _kind_of(words)[0] > len(words.split())


@cache
def _kind_of(label: str) -> tuple[int, FieldPhrases | None]:
    """Return the kind that most words of a label name, with their number; 0 and None if they name none."""
    plain = folded_in_place(label)
    scored = [(sum(len(one[0].split()) for one in kind.labels.finditer(plain)), kind) for kind in field_kinds()]
    most, kind = max(scored, key=lambda pair: pair[0])
    return most, kind if most else None


# Words that identify statements and kinds of facts such as costs, from the files in `words/`.


_NUMBER_WORDS = {*CARDINALS, "half", "medio", "media", "mil", "thousand", "hundred"}
_NUMBERS = "(?:" + "|".join(sorted(_NUMBER_WORDS, key=len, reverse=True)) + ")"
_NUMBER = rf"(?:[$€£]\s?)?\b(?:\d+(?:[.,:]\d+)*|{_NUMBERS}(?:(?: y | and |[ -]){_NUMBERS})*\b)"


@dataclass(frozen=True)
class FieldPhrases:
    """Patterns of the names of a kind of field, and of statements of it."""

    name: str
    #: Matches its names in folded text.
    labels: re.Pattern[str]
    #: Matches a statement in folded text.
    stated: re.Pattern[str]


def folded_in_place(text: str) -> str:
    """Return the text in lower case without accents; the positions of its characters stay the same."""
    plain = (fold_accents(char)[:1] or char for char in text)
    return "".join(low if len(low := char.casefold()) == 1 else char for char in plain).replace("’", "'")


@cache
def pattern(name: str) -> re.Pattern[str]:
    """Match one of the words of a list, in both languages, in folded text."""
    found = {word for table in _tables().values() for word in table.get(name, ())}
    return re.compile(rf"(?<!\w)(?:{_any(found)})(?!\w)")


@cache
def field_kinds() -> tuple[FieldPhrases, ...]:
    """Return the kinds of fields with their words in both languages."""
    return tuple(map(_kind, dict.fromkeys(name for table in _tables().values() for name in table["fields"])))


def _kind(name: str) -> FieldPhrases:
    tables = [table["fields"].get(name, {}) for table in _tables().values()]
    units, signs, labels = (
        _any({word for table in tables for word in table.get(key, ())}) for key in ("units", "signs", "labels")
    )
    alternatives = [table["pattern"] for table in tables if "pattern" in table]
    alternatives += [rf"{_NUMBER}[\s-]*(?:\w+ )?(?:{units})(?!\w)"] if units else []
    alternatives += [rf"(?<!\w)(?:{signs})(?!\w)"] if signs else []
    stated = "|".join(alternatives) or "(?!)"
    return FieldPhrases(name, re.compile(rf"(?<!\w)(?:{labels})(?!\w)"), re.compile(stated))


def _any(alternatives: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(alternatives, key=lambda word: (-len(word), word)))


@cache
def _tables() -> Mapping[str, Mapping[str, Any]]:
    """Return the words of each language."""
    files = sorted(Path(__file__).with_name("words").glob("*.toml"))
    return {file.stem: tomllib.loads(file.read_text(encoding="utf-8")) for file in files}
