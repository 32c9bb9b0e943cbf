"""Correct recognised names: remove the end of the label before them and repetitions, separate joined words."""

from __future__ import annotations

import re

from rapidfuzz import fuzz

from pipeline.extraction.values.text import squeezed
from pipeline.profiles import FieldKind, PrintedRole, all_profiles
from pipeline.profiles.generation import by_generation
from pipeline.spelling.alphabet import letters
from pipeline.spelling.prior import PARTICLES, names

#: A label's last word of this many letters is recognisable when joined to a name, even misread ("Patema").
_TAIL_LETTERS = 6
_TAIL_LIKENESS = 75
#: Halves of a text with at least this similarity (0-100) are one name.
_ALIKE = 80
_WORD = re.compile(r"[^\s-]+")
#: A word with the following space or hyphen.
_PIECE = re.compile(r"([^\s-]+)(\s+|-|$)")
_MC = re.compile(r"(?<=[a-zà-ÿ])Mc ?(?=[A-ZÀ-Þ])")
#: Minimum letters of each name when a word is split.
_SHORTEST = 4


def mended_name(text: str) -> str:
    """Return the name without label and repetition, its words separated."""
    return _once(_without_label(_apart(text)))


def _apart(text: str) -> str:
    """Correct the spaces of "JEROMESUTTON", "ReeseMc Bride" and "Fig Ueroa"."""
    pieces = _PIECE.findall(_MC.sub(" Mc", text))
    for at in range(len(pieces) - 2, -1, -1):
        (one, gap), (other, after) = pieces[at], pieces[at + 1]
        parts = [letters(one), letters(other)]
        is_broken = gap == " " and all(len(part) > 2 and part not in PARTICLES for part in parts)
        if is_broken and names().knows("".join(parts)) and not all(names().knows(part) for part in parts):
            pieces[at : at + 2] = [(f"{one}{other.lower() if one[1:].islower() else other}", after)]
    return "".join(f"{word}{gap}" for word, gap in pieces) if len(pieces) != 1 else _in_two(pieces[0][0])


def _in_two(word: str) -> str:
    """Split a single unlisted word into the two names that it most likely is."""
    known = names()
    if len(word) < 2 * _SHORTEST or not word.isalpha() or known.knows(letters(word)):
        return word
    cuts = [
        at
        for at in range(_SHORTEST, len(word) - _SHORTEST + 1)
        if known.knows(letters(word[:at])) and known.knows(letters(word[at:]))
    ]
    if not cuts:
        return word
    at = max(cuts, key=lambda at: known.of(word[:at]) + known.of(word[at:]))
    return f"{word[:at]} {word[at].upper()}{word[at + 1 :]}"


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


@by_generation
def _tails() -> tuple[str, ...]:
    """Return the last words of labels of persons' fields."""
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
    """Reduce a name written twice (the first crossed out) to the half with more listed words, else the second."""
    words = list(_WORD.finditer(text))
    if len(words) < 4 or len(words) % 2:
        return text
    half = len(words) // 2
    first, second = text[: words[half - 1].end()], text[words[half].start() :]
    if fuzz.ratio(squeezed(first), squeezed(second)) < _ALIKE:
        return text
    known = [sum(names().knows(letters(word)) for word in _WORD.findall(part)) for part in (first, second)]
    return first if known[0] > known[1] else second
