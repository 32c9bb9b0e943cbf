"""Read counts written in digits or words, in English and Spanish."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from research.questions.tokens import Token
from research.text.numbers import SMALL, TENS

_WORDS = {word: value for word, value in SMALL.items() if value}
_GROUPS = {"dozen": 12, "dozens": 12, "docena": 12, "decena": 10, "veintena": 20, "centenar": 100}
_GROUPS |= {
    "couple": 2,
    "pair": 2,
    "par": 2,
    "trio": 3,
    "score": 20,
    "hundred": 100,
    "cien": 100,
    "cincuentena": 50,
}
_HALF = {"half", "media"}
_ONE = {"a", "an", "un", "una"}
#: Words between the ends of a range.
_TO = {"to", "or", "and", "a", "o", "u", "y", "–"}
_OR = {"or", "o", "and", "y"}
_SO = {"so", "more", "fewer", "less", "mas", "menos"}


@dataclass(frozen=True, slots=True)
class Count:
    """A number of things; `end` is the token after it."""

    value: int
    start: int
    end: int


def count_at(tokens: Sequence[Token], at: int) -> Count | None:
    """Return the count that begins at a token, or None; of a range the upper end, which satisfies the request."""
    first = _single(tokens, at)
    if first is None:
        return None
    return _or_so(tokens, _upper(tokens, first) or first)


def _or_so(tokens: Sequence[Token], count: Count) -> Count:
    """Extend the count by a qualifier after it: "five or more", "cuatro o menos", "3 x"."""
    behind = [token.word for token in tokens[count.end : count.end + 2]]
    if len(behind) > 1 and behind[0] in _OR and behind[1] in _SO:
        return Count(count.value, count.start, count.end + 2)
    if behind[:1] in (["x"], ["×"]) and len(behind) > 1 and count.end == count.start + 1:
        return Count(count.value, count.start, count.end + 1)
    return count


def _upper(tokens: Sequence[Token], first: Count) -> Count | None:
    at = first.end
    if at + 1 >= len(tokens) or tokens[at].word not in _TO:
        return None
    between = first.start > 0 and tokens[first.start - 1].word in {"between", "entre"}
    if tokens[at].word in {"and", "y"} and not between:
        return None
    second = _single(tokens, at + 1)
    if second is None or second.value <= first.value:
        return None
    return Count(second.value, first.start, second.end)


def _single(tokens: Sequence[Token], at: int) -> Count | None:
    if at >= len(tokens):
        return None
    token = tokens[at]
    found = _group(tokens, at) or _plain(tokens, at, token)
    return _said_twice(tokens, found) if found else None


def _plain(tokens: Sequence[Token], at: int, token: Token) -> Count | None:
    value = token.value if token.value is not None else _WORDS.get(token.word)
    if value is not None:
        return _times_group(tokens, Count(value, at, at + 1))
    head, _, tail = token.word.partition("-")
    if head in TENS and (not tail or tail in _WORDS):
        return _compound(tokens, at, TENS[head] + _WORDS.get(tail, 0), bool(tail))
    if token.word in {"cien", "cincuentena"}:
        return Count(_GROUPS[token.word], at, at + 1)
    return None


def _compound(tokens: Sequence[Token], at: int, value: int, whole: bool) -> Count:
    """Extend a multiple of ten by its units: "twenty five", "treinta y cinco"."""
    rest = [token.word for token in tokens[at + 1 : at + 3]]
    if not whole and len(rest) == 2 and rest[0] == "y" and _WORDS.get(rest[1], 10) < 10:
        return Count(value + _WORDS[rest[1]], at, at + 3)
    if not whole and rest and _WORDS.get(rest[0], 10) < 10:
        return Count(value + _WORDS[rest[0]], at, at + 2)
    return Count(value, at, at + 1)


def _times_group(tokens: Sequence[Token], count: Count) -> Count:
    """Multiply by a group noun that follows: "two dozen", "dos docenas"."""
    if count.end < len(tokens):
        word = tokens[count.end].word
        size = _GROUPS.get(word) or _GROUPS.get(word.removesuffix("s"))
        if size and word not in {"pair", "couple", "par"}:
            return _of(tokens, Count(count.value * size, count.start, count.end + 1))
    return count


def _group(tokens: Sequence[Token], at: int) -> Count | None:
    """Return a count that begins with a group: "a dozen", "half a dozen", "media docena", "un par de"."""
    words = [token.word for token in tokens[at : at + 3]]
    if words[:1] == ["a"] and words[1:2] == ["half"]:
        return _group(tokens, at + 1)
    half = bool(words) and words[0] in _HALF
    rest = words[1:] if half else words
    skipped = 1 if rest and rest[0] in _ONE else 0
    if not half and not skipped:
        return None
    if len(rest) <= skipped or rest[skipped] not in _GROUPS:
        return None
    value = _GROUPS[rest[skipped]] // (2 if half else 1)
    return _of(tokens, Count(value, at, at + half + skipped + 1))


def _of(tokens: Sequence[Token], count: Count) -> Count:
    """Extend a group by its preposition: "a couple of", "una docena de"."""
    if count.end < len(tokens) and tokens[count.end].word in {"of", "de"}:
        return Count(count.value, count.start, count.end + 1)
    return count


def _said_twice(tokens: Sequence[Token], count: Count) -> Count:
    """Extend a count by its repetition: "five 5 vendors", from "five (5) vendors"."""
    again = tokens[count.end].value if count.end < len(tokens) else None
    return Count(count.value, count.start, count.end + 1) if again == count.value else count
