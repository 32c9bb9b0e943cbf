"""Read numbers written as English and Spanish words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from research.text.cardinals import CARDINALS
from research.text.stems import fold_accents

#: Words that multiply the number before them. A Spanish billón is a million millions.
SCALES = {
    "hundred": 100, "thousand": 1_000, "mil": 1_000, "million": 10**6, "millions": 10**6, "millon": 10**6,
    "millones": 10**6, "mill": 10**6, "billion": 10**9, "billions": 10**9, "trillion": 10**12, "billon": 10**12,
    "billones": 10**12,
}  # fmt: skip
#: Words that alone are more often pronouns or articles than numbers.
_HARDLY_NUMBERS = frozenset({"one", "uno", "zero", "cero", "cien", "mil", "hundred", "million", "once"})
_WORD = re.compile(r"[^\W\d_]+")
_BETWEEN = re.compile(r"^(?:[\s-]+|[\s-]+(?:and|y)\s+)$")


def spelled_numbers(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield start, end and value of each number in words; "one" and the like only as part of a longer number."""
    at = 0
    words = [(match.start(), match.end(), fold_accents(match[0]).casefold()) for match in _WORD.finditer(text)]
    words = [word for word in words if word[2] in CARDINALS or word[2] in SCALES]
    while at < len(words):
        run = _run(text, words, at)
        if len(run) > 1 or run[0][2] not in _HARDLY_NUMBERS:
            yield run[0][0], run[-1][1], _value([word for _, _, word in run])
        at += len(run)


def _run(text: str, words: list[tuple[int, int, str]], at: int) -> list[tuple[int, int, str]]:
    """Return the words from `at` on that form one number."""
    run = [words[at]]
    for word in words[at + 1 :]:
        between = text[run[-1][1] : word[0]]
        joined = _BETWEEN.match(between) and _may_follow(run[-1][2], word[2], "d" in between or "y" in between)
        if not joined:
            break
        run.append(word)
    return run


def _may_follow(before: str, word: str, linked: bool) -> bool:
    """Return whether `word` can continue the number after `before`; `linked`: joined by "and" or "y".

    "twenty five", "treinta y cinco", "two hundred and six"; not "two three", not "two and three".
    """
    if word in SCALES:
        return not linked and (before not in SCALES or SCALES[word] > SCALES[before] or SCALES[before] < 10**6)
    if before in SCALES:
        return True
    return CARDINALS[before] >= 20 and CARDINALS[word] < _lowest(CARDINALS[before])


def _lowest(value: int) -> int:
    return 100 if value >= 100 else 10 if value % 10 == 0 else 0


def _value(words: list[str]) -> int:
    total = current = 0
    for word in words:
        scale = SCALES.get(word)
        if scale is None:
            current += CARDINALS[word]
        elif scale == 100:
            current = max(1, current) * scale
        elif total and scale > total:
            total, current = (total + current) * scale, 0
        else:
            total, current = total + max(1, current) * scale, 0
    return total + current
