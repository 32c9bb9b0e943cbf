"""Whether a sentence holds a proper name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from babel import Locale

from research.text.dictionaries import is_word
from research.text.stems import fold_accents, stop_words

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019.-][^\W\d_]+)*")
#: What a sentence, or a sentence within it, begins behind.
_OPENING = re.compile(
    r"(?:^|(?<!\b[A-Z])(?<!\b[A-Z][a-z])(?<!Mrs)(?<!Dra)(?<!Sra)(?<!Prof)\.\s+"
    r"|[:!?\u2026;|\u2014\u2013]\s+|[\"'\u201c\u2018\u00ab(\[\u00bf\u00a1])\W*$"
)
#: What only somebody does.
_DOES = re.compile(
    r"\s+(?:et\s+al|and\s+colleagues|y\s+colegas|said|says|wrote|writes|found|finds|argue[sd]?|report(?:s|ed)|note[sd]|"
    r"conclude[sd]?|claim(?:s|ed)|stated?|states|told|observe[sd]|estimate[sd]|show(?:s|ed)|describe[sd]|agree[sd]|"
    r"dijo|dice|escrib[e\u00eda\u00f3i]\w*|encontr\u00f3|encuentra|sostiene|sostuvo|se\u00f1al[a\u00f3]|inform[a\u00f3]|"
    r"concluy[e\u00f3]|afirm[a\u00f3]|observ[a\u00f3]|estim[a\u00f3]|muestra|mostr\u00f3|describ[e\u00edi]\w*)\b"
)
_POSSESSIVE = re.compile(r"['\u2019]s?$")
#: Endings of words that dictionaries leave out, as they leave out names.
_DERIVED = re.compile(r"(?:s|ci[o\u00f3]n|si[o\u00f3]n|ismo|dad|[i\u00ed]a|mente|ly|ing|tion|ment|ness|ity|ed)$")
_PRONOUNS = frozenset({"I", "I'm", "I\u2019m", "I've", "I\u2019ve"})


def names_within(sentences: Iterable[str]) -> frozenset[str]:
    """Words with a capital within a sentence: at the beginning of another they are names too."""
    return frozenset(match[0] for one in sentences for match, opens in _capitals(one) if not opens)


def has_name(sentence: str, names: frozenset[str] = frozenset()) -> bool:
    """Whether a capital stands within the sentence, or what begins it is known or behaves as a name.

    `names`: words known to be names.
    """
    capitals = list(_capitals(sentence))
    shouted = sum(match[0].isupper() for match, _ in capitals) > len(_WORD.findall(sentence)) / 2
    return any(
        not opens or match[0] in names or _opens_as_name(match[0], sentence[match.end() :], shouted=shouted)
        for match, opens in capitals
    )


def _capitals(sentence: str) -> Iterator[tuple[re.Match[str], bool]]:
    """Words with a capital, and whether that may be for standing at a beginning."""
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
    """Countries whose name is one word, in both languages, without accents."""
    names = [name for code in ("en", "es") for name in Locale(code).territories.values()]
    return frozenset(fold_accents(name).casefold() for name in names if name.isalpha())
