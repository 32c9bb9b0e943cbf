"""Detect proper names in sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from babel import Locale

from research.text.dictionaries import is_word
from research.text.stems import fold_accents, stop_words

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019.-][^\W\d_]+)*")
#: A capitalised word after the first of a text: a name, an acronym or a title.
NAME_WITHIN = re.compile(r"(?<=[\w,;:)] )[A-ZÁÉÍÓÚÑÜ][\w’'-]+")
#: Text after which a sentence, or a sentence within one, begins.
_OPENING = re.compile(
    r"(?:^|(?<!\b[A-Z])(?<!\b[A-Z][a-z])(?<!Mrs)(?<!Dra)(?<!Sra)(?<!Prof)\.\s+"
    r"|[:!?\u2026;|\u2014\u2013]\s+|[\"'\u201c\u2018\u00ab(\[\u00bf\u00a1])\W*$"
)
#: Verbs and phrases whose subject is a person.
_DOES = re.compile(
    r"\s+(?:et\s+al|and\s+colleagues|y\s+colegas|said|says|wrote|writes|found|finds|argue[sd]?|report(?:s|ed)|note[sd]|"
    r"conclude[sd]?|claim(?:s|ed)|stated?|states|told|observe[sd]|estimate[sd]|show(?:s|ed)|describe[sd]|agree[sd]|"
    r"dijo|dice|escrib[e\u00eda\u00f3i]\w*|encontr\u00f3|encuentra|sostiene|sostuvo|se\u00f1al[a\u00f3]|inform[a\u00f3]|"
    r"concluy[e\u00f3]|afirm[a\u00f3]|observ[a\u00f3]|estim[a\u00f3]|muestra|mostr\u00f3|describ[e\u00edi]\w*)\b"
)
_POSSESSIVE = re.compile(r"['\u2019]s?$")
#: Endings of derived words; dictionaries lack many of these, as they lack names.
_DERIVED = re.compile(r"(?:s|ci[o\u00f3]n|si[o\u00f3]n|ismo|dad|[i\u00ed]a|mente|ly|ing|tion|ment|ness|ity|ed)$")
_PRONOUNS = frozenset({"I", "I'm", "I\u2019m", "I've", "I\u2019ve"})


def names_within(sentences: Iterable[str]) -> frozenset[str]:
    """Return the words capitalised within a sentence; `has_name` then takes them for names at a beginning too."""
    return frozenset(match[0] for one in sentences for match, opens in _capitals(one) if not opens)


def has_name(sentence: str, names: frozenset[str] = frozenset()) -> bool:
    """Return whether a word within the sentence is capitalised, or its first word is recognised as a name.

    `names`: words known to be names.
    """
    capitals = list(_capitals(sentence))
    shouted = sum(match[0].isupper() for match, _ in capitals) > len(_WORD.findall(sentence)) / 2
    return any(
        not opens or match[0] in names or _opens_as_name(match[0], sentence[match.end() :], shouted=shouted)
        for match, opens in capitals
    )


def _capitals(sentence: str) -> Iterator[tuple[re.Match[str], bool]]:
    """Yield each capitalised word, and whether it begins a sentence."""
    for match in _WORD.finditer(sentence):
        if match[0][0].isupper() and match[0] not in _PRONOUNS:
            yield match, bool(_OPENING.search(sentence[: match.start()]))


def _opens_as_name(word: str, behind: str, *, shouted: bool) -> bool:
    bare = _POSSESSIVE.sub("", word)
    small = bare.casefold()
    if small in stop_words("en") or small in stop_words("es"):
        return False
    if len(bare) > 1 and bare.isupper():
        return not shouted
    if fold_accents(small) in _countries() or _DOES.match(behind):
        return True
    return not is_word(bare) and not _DERIVED.search(small)


@cache
def _countries() -> frozenset[str]:
    """Return the one-word names of countries in English and Spanish, in lower case, without accents."""
    names = [name for code in ("en", "es") for name in Locale(code).territories.values()]
    return frozenset(fold_accents(name).casefold() for name in names if name.isalpha())
