"""Recognise words that are written like the name of an item."""

from __future__ import annotations

import re

from research.markdown_text import without_marks
from research.material import SourceText
from research.readers.rules.vocabulary import folded, words
from research.text.stems import fold_accents
from research.words import words_of

_MARKED = re.compile(
    r"\s*(?:(?P<mark>\*\*|__|\*|_)(?P<strong>[^*_\n]{2,80}?)(?P=mark)|\[(?P<linked>[^\]\n]{2,80})\]\([^)\s]{1,500}\))"
)
_SEPARATOR = re.compile(r":(?=\s)|\s[–—-](?=\s)|[.,](?=\s)|\s(?=\()|$", re.MULTILINE)
_WORD = re.compile(r"[^\W_](?:[\w'’&-]*[\w])?")
_NUMBERED = re.compile(r"^\s*+(?:\(?\d{1,2}[.)]|\d{1,2}(?:\.\d{1,2})+\.?)\s+")
#: What stands in brackets or half brackets behind a name, unless it is an acronym.
_ASIDE = re.compile(r"(?<=\w) \((?![A-Z]{2,}\)).*")
_MOST_WORDS = 8
_TITLE_PARTS = re.compile(r":\s|\s[|–—-]\s")


def lead_of(text: str, *, is_entry: bool) -> tuple[str, int] | None:
    """Return the name that begins a text and where the rest begins; None if it begins with none.

    Outside lists only marked or capital letters, a dash or a colon set off a name.
    """
    if match := _MARKED.match(text):
        name = match["strong"] or match["linked"]
        return (plain_name(name), match.end()) if is_named(name) else None
    for match in _SEPARATOR.finditer(text, 0, 90):
        name = text[: match.start()]
        mark = match[0].strip()
        if mark in {".", ",", ""} and not is_entry and not name.isupper():
            continue
        if is_named(name):
            return plain_name(name), match.end()
    return None


def is_only_a_word(name: str, text: str) -> bool:
    """Return whether a text writes the name in lower case too: "Boxes" above a page on boxes.

    Of one in capital letters, which are no sign of a name, each of its words: "PAYING FOR CAMP".
    """
    if name.isupper():
        small = {word for word in _WORD.findall(text) if word.islower()}
        return small.issuperset(word.casefold() for word in _WORD.findall(name))
    return name.casefold() != name and name.casefold() in text


def plain_name(name: str) -> str:
    """Return a name without marks and punctuation around it."""
    bare = _ASIDE.sub("", _NUMBERED.sub("", without_marks(name), count=1))
    return " ".join(bare.strip(" *_:.,;–—-").split())


def is_named(name: str) -> bool:
    """Return whether a text is written like a name: few words, all but function words with a capital."""
    plain = plain_name(name)
    said = [word for word in _WORD.findall(plain) if word.casefold() not in words_of("joining")]
    folded = [fold_accents(word.casefold()) for word in said]
    return (
        4 <= len(plain) <= 80
        and 0 < len(said) <= _MOST_WORDS
        and not plain.endswith(("?", "!", "…"))
        and all(word[0].isupper() or word[0].isdigit() or not word.islower() for word in said)
        and not (said[0][0].isdigit() and len(said) == 1)
        and fold_accents(plain.split()[0].casefold()) not in words("openings")
        and folded[0] not in words_of("headings")
    )


def own_name(source: SourceText) -> str:
    """Return the name in the title of a page that its domain has too, "" if none."""
    names = filter(is_named, map(plain_name, _TITLE_PARTS.split(source.reference.title)))
    return next((name for name in names if _joined(name) == _joined(source.domain.split(".")[0])), "")


def _joined(text: str) -> str:
    return "".join(char for char in folded(text) if char.isalnum())
