"""What recognition adds to a person's name: the end of the label before it, the same name a second time."""

from __future__ import annotations

import re
from functools import cache

from rapidfuzz import fuzz

from pipeline.extraction.text import squeezed
from pipeline.profiles import FieldKind, PrintedRole, all_profiles
from pipeline.spelling.alphabet import letters
from pipeline.spelling.prior import names

#: A label's last word of so many letters is known where it is glued to a name, misread as "Patema".
_TAIL_LETTERS = 6
_TAIL_LIKENESS = 75
#: Halves of a text that are so alike (0-100) are one name.
_ALIKE = 80
_WORD = re.compile(r"[^\s-]+")


def mended_name(text: str) -> str:
    """The name alone, once."""
    return _once(_without_label(text))


def _without_label(text: str) -> str:
    first, _, rest = text.partition(" ")
    if len(first) == 1 and first.casefold() in {tail[-1] for tail in _tails()} and len(rest.split()) > 1:
        return rest
    for tail in _tails():
        if squeezed(first) == tail and len(rest.split()) > 1:
            return rest
        for end in range(len(tail) - 1, len(tail) + 2):
            begins, name = squeezed(first[:end]), first[end:]
            is_tail = begins[-1:] == tail[-1] and fuzz.ratio(begins, tail) >= _TAIL_LIKENESS
            if is_tail and rest and names().knows(letters(name)):
                return f"{name[0].upper()}{name[1:]} {rest}"
    return text


@cache
def _tails() -> tuple[str, ...]:
    """The last words of labels of persons' fields."""
    labels = {
        squeezed(text.split()[-1])
        for profile in all_profiles().values()
        for printed in profile.printed
        if printed.role is PrintedRole.LABEL
        and printed.field in profile.fields
        and profile.fields[printed.field].kind is FieldKind.PERSON
        for text in printed.texts
    }
    return tuple(sorted(label for label in labels if len(label) >= _TAIL_LETTERS))


def _once(text: str) -> str:
    """Of a name that was written, crossed out and written again, the half that lists of names know better."""
    words = list(_WORD.finditer(text))
    if len(words) < 4 or len(words) % 2:
        return text
    half = len(words) // 2
    first, second = text[: words[half - 1].end()], text[words[half].start() :]
    if fuzz.ratio(squeezed(first), squeezed(second)) < _ALIKE:
        return text
    known = [sum(names().knows(letters(word)) for word in _WORD.findall(part)) for part in (first, second)]
    return first if known[0] > known[1] else second
