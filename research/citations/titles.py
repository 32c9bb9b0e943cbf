"""Compare titles to decide whether they belong to the same work."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from html import unescape
from importlib.resources import files
from typing import Literal, NamedTuple

from rapidfuzz.distance import OSA

from research.text.languages import is_word
from research.text.numbers import ORDINALS, SMALL
from research.text.stems import fold_accents

#: Strength of the evidence that titles agree: "none" for generic ones like "Introduction" or "Annual report".
Agreement = Literal["none", "weak", "strong"]
STRONG_WORDS, STRONG_CHARS = 4, 20
#: A missing subtitle is accepted if the main title has at least this many words and characters.
MAIN_TITLE_WORDS, MAIN_TITLE_CHARS = 2, 12
#: Words shorter than this are never treated as misspelt.
MISSPELT_LENGTH = 5
#: Fewest words of a title in which a plural for a singular is taken for a slip.
PLURAL_WORDS = 6
#: Fewest characters of a truncated title that can be compared.
CUT_CHARS = 30

_DATA = tomllib.loads(files(__package__).joinpath("titles.toml").read_text(encoding="utf-8"))
#: The normalised spelling of each variant, and the digits of each number in words.
_ONE_SPELLING = {other: word for word, rest in _DATA["same"].items() for other in rest.split()} | {
    word: str(number) for word, number in (SMALL | ORDINALS).items()
}
_AMERICAN = [(re.compile(british), american) for british, american in _DATA["american"].items()]
_REWRITES = [(re.compile(pattern), new) for pattern, new in _DATA["rewrites"]]
_SUBTITLE = re.compile(r"\s{0,9}(?::|\s[-\u2013\u2014|\u00b7]++\s|\u2014|\||\.\s++(?=\S)|\?\s++(?=\S))\s*+")
_CUT = re.compile(r"(?>(?:(?<!\s)\s++)?)(?:\u2026|\.\.\.)\s*+$")


class _Title(NamedTuple):
    words: tuple[str, ...]
    text: str
    #: The words before and after each colon or dash: what follows may be a subtitle or a site or journal.
    cuts: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    was_cut: bool


def agreement(first: str | None, second: str | None) -> Agreement:
    """Return how strongly two titles agree; any difference in numbers, editions or years means "none".

    Case, accents, punctuation, markup, articles, "and", number words and British or American spelling are ignored.
    One wrong letter is accepted if the result is in no dictionary, and in a long title a plural. A subtitle may be
    missing, and so may the end if an ellipsis marks it.
    """
    one, other = _title(first or ""), _title(second or "")
    if not one.words or not other.words:
        return "none"
    if _same_words(one.words, other.words) or _is_cut(one, other) or _is_cut(other, one):
        if one.text in _DATA["generic"] or len(one.words) < 2:
            return "none"
        return "strong" if len(one.words) >= STRONG_WORDS and len(one.text) >= STRONG_CHARS else "weak"
    for plain, longer in ((one, other), (other, one)):
        for main, rest in longer.cuts:
            long_enough = len(main) >= MAIN_TITLE_WORDS and len(" ".join(main)) >= MAIN_TITLE_CHARS
            if long_enough and _same_words(main, plain.words) and not _makes_another(rest):
                return "strong" if len(main) >= STRONG_WORDS else "weak"
    return "none"


def _makes_another(rest: tuple[str, ...]) -> bool:
    """Return whether the text after a title marks another work: a part, an edition, a year or a reply."""
    numbers = [word for word in rest if word.isdigit()]
    is_part = rest[:1] != () and rest[0] in _DATA["units"] and bool(numbers)
    is_year = rest[:1] == tuple(numbers[:1]) and (len(rest) == 1 or len(rest[0]) == len("2019"))
    return is_part or is_year or not set(rest).isdisjoint(_DATA["answers"])


@lru_cache(maxsize=4096)
def _title(text: str) -> _Title:
    plain = fold_accents(unescape(text)).casefold()
    for pattern, new in _REWRITES:
        plain = pattern.sub(new, plain)
    whole = _CUT.sub("", plain)
    cuts = [(_words(whole[: found.start()]), _words(whole[found.end() :])) for found in _SUBTITLE.finditer(whole)]
    words = _words(whole)
    return _Title(words, " ".join(words), tuple(cuts), was_cut=whole != plain)


def _words(text: str) -> tuple[str, ...]:
    return tuple(_one_spelling(word) for word in re.findall(r"[^\W_]+", text) if word not in _DATA["left_out"])


def _one_spelling(word: str) -> str:
    word = _ONE_SPELLING.get(word, word)
    if len(word) > MISSPELT_LENGTH:
        for pattern, american in _AMERICAN:
            word = pattern.sub(american, word)
    return word


def _is_cut(short: _Title, long: _Title) -> bool:
    """Return whether `short` is `long` truncated, perhaps within a word."""
    return short.was_cut and len(short.text) >= CUT_CHARS and long.text.startswith(short.text)


def _same_words(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    if "".join(one) == "".join(other):
        return True
    if len(one) != len(other):
        return False
    unlike = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
    return len(unlike) <= max(1, len(one) // 5) and all(_is_misspelt(a, b, len(one)) for a, b in unlike)


def _is_misspelt(one: str, other: str, words: int) -> bool:
    """Return whether two words differ by a wrong letter that makes no word, or in a long title by a plural."""
    if min(len(one), len(other)) < MISSPELT_LENGTH or any(map(str.isdigit, one + other)) or one[0] != other[0]:
        return False
    if words >= PLURAL_WORDS and (one in {f"{other}s", f"{other}es"} or other in {f"{one}s", f"{one}es"}):
        return True
    return OSA.distance(one, other, score_cutoff=1) <= 1 and not (is_word(one) and is_word(other))
