"""Entries as texts with errors of reading, and pairs planted among them: the same twice, and what looks so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import TypeAlias

from lab.samples.entry import Entry, draw_entry
from lab.samples.part import DEVELOPMENT, HELD_OUT, Part
from pipeline.duplicates.comparison import Subject

#: What reading makes of a text: (chance, text, share of letters or words that are misread).
Misread: TypeAlias = Callable[[Random, str, float], str]
_TAKEN_FOR = {
    **{"a": "oeu", "e": "co", "i": "lj", "l": "it", "o": "ae", "u": "nv", "n": "ru", "m": "nr", "r": "nv"},
    **{"s": "z", "t": "lf", "h": "bn", "c": "e", "b": "h", "g": "q", "d": "a", "y": "v", "v": "r", "k": "h"},
}
_SHAPES = (("rn", "m"), ("cl", "d"), ("li", "h"), ("vv", "w"), ("m", "in"), ("d", "cl"), ("w", "vv"), ("h", "li"))
_ASCENDING, _DESCENDING, _SMALL = "bdfhklt", "gjpqy", "aceimnorsuvwxz"
#: Printed above the lines of some forms, and copied by children.
_PROMPT = "Tell us about somebody who is like a father to you and what he means to you and to your family. "
_TWO_LINES = "I love my dad. He is the best dad."
_CHANGED = {"very": "really", "big": "large", "mom": "mother", "helps": "is helping", "always": "all the time"}


@dataclass
class Drawn:
    """Entries in the order in which they come in, with the pairs that are the same."""

    subjects: list[Subject] = field(default_factory=list)
    same: set[tuple[int, int]] = field(default_factory=set)
    #: Two essays of one child: a pair where the season takes one entry of each.
    twice: set[tuple[int, int]] = field(default_factory=set)


def by_letters(rng: Random, text: str, share: float) -> str:
    """Development: letters taken for others, lost or added; spaces lost."""
    out = []
    for char in text:
        chance = rng.random()
        if char == " ":
            out.append("" if chance < share else char)
        elif chance >= share:
            out.append(char)
        elif chance < 0.7 * share:
            out.append(rng.choice(_TAKEN_FOR.get(char.lower(), char)))
        elif chance < 0.85 * share:
            out.append(char + rng.choice("il.'"))
    return "".join(out)


def by_shapes(rng: Random, text: str, share: float) -> str:
    """Held out: words change by the shapes of letters, are cut, joined or left out; a line may be lost."""
    words = text.split(" ")
    if len(words) > 60 and rng.random() < 4 * share:
        begin = rng.randrange(len(words) - 10)
        del words[begin : begin + 9]
    out: list[str] = []
    for word in words:
        chance = rng.random()
        if chance < 0.4 * share and len(words) > 4:
            continue
        if chance < 3.5 * share:
            word = _misshapen(rng, word)
        if chance > 1 - 0.6 * share and len(word) > 4:
            cut = rng.randrange(2, len(word) - 1)
            word = f"{word[:cut]} {word[cut:]}"
        out.append(word)
    glue = ["" if rng.random() < 0.5 * share else " " for _ in out]
    return "".join(word + space for word, space in zip(out, glue, strict=True)).strip()


def _misshapen(rng: Random, word: str) -> str:
    possible = [(old, new) for old, new in _SHAPES if old in word]
    if possible and rng.random() < 0.5:
        return word.replace(*rng.choice(possible), 1)
    letters = list(word.translate(str.maketrans("áéíóúñü", "aeiounu")))
    at = rng.randrange(len(letters)) if letters else 0
    for group in (_ASCENDING, _DESCENDING, _SMALL):
        if letters and letters[at].lower() in group:
            letters[at] = rng.choice(group)
    return "".join(letters)


@dataclass(frozen=True)
class Drawing:
    """A part with a seed and errors of its own."""

    part: Part
    seed: int
    misread: Misread


SEPARATE = {"development": Drawing(DEVELOPMENT, 4701, by_letters), "held_out": Drawing(HELD_OUT, 9203, by_shapes)}


def read(rng: Random, entry: Entry, drawing: Drawing, share: float) -> Subject:
    """Return an entry as it is read."""
    misread = drawing.misread
    return Subject(
        misread(rng, entry.name or "", share),
        misread(rng, entry.school_written or "", share / 2) or None,
        entry.grade if rng.random() > share else None,
        misread(rng, "\n".join(entry.essay), share),
    )


def draw(drawing: Drawing, entries: int, pairs: int) -> Drawn:
    """Return so many entries with so many pairs planted among them, and as many that only look so."""
    rng = Random(drawing.seed)
    drawn = Drawn()
    people = [draw_entry(rng, drawing.part) for _ in range(entries - 2 * pairs)]
    drawn.subjects = [read(rng, one, drawing, rng.choice((0, 0, 0.01, 0.03, 0.05))) for one in people]
    whole = [n for n, one in enumerate(people) if one.words >= 40]
    chosen = rng.sample(whole, 2 * pairs)
    for number, place in enumerate(chosen):
        if number < pairs:
            drawn.same.add((place, len(drawn.subjects)))
            drawn.subjects.append(_again(rng, people[place], drawing, number))
        else:
            other = _unlike(rng, people[place], drawing, number)
            if other.student_name and number % 6 == 0:
                drawn.twice.add((place, len(drawn.subjects)))
            drawn.subjects.append(other)
    return drawn


def _again(rng: Random, entry: Entry, drawing: Drawing, number: int) -> Subject:
    """Return the same entry as it comes a second time."""
    poor = read(rng, entry, drawing, rng.choice((0.06, 0.08, 0.1)))
    fair = read(rng, entry, drawing, rng.choice((0.01, 0.03, 0.05)))
    kind = number % 6
    if kind == 0:
        return poor
    if kind == 1:
        return replace(fair, student_name=" ".join([*entry.family, *entry.given]))
    if kind == 2:
        words = " ".join(entry.essay).split()
        typed = " ".join(_CHANGED.get(word, word) for word in words if rng.random() > 0.01)
        return Subject(f"{entry.given[0]} {entry.family[-1]}", entry.school.name, entry.grade, typed)
    if kind == 3:
        words = (fair.essay or "").split(" ")
        # A page is missing, or the name was not read at all.
        return (
            replace(fair, essay=" ".join(words[: 2 * len(words) // 3]))
            if rng.random() < 0.5
            else replace(fair, student_name=None)
        )
    return fair


def _unlike(rng: Random, entry: Entry, drawing: Drawing, number: int) -> Subject:
    """Return another entry that has much in common with this one."""
    other = draw_entry(rng, drawing.part, count=(60, 200))
    essay = drawing.misread(rng, "\n".join(other.essay), 0.02)
    stands = Subject(entry.name, entry.school_written, entry.grade, essay)
    kind = number % 6
    if kind == 0:
        return stands
    if kind == 1:
        return replace(stands, student_name=f"{other.given[0]} {' '.join(entry.family)}")
    if kind == 2:
        shared = " ".join(" ".join(entry.essay).split()[:25])
        return replace(stands, student_name=other.name, essay=f"{_PROMPT}{shared} {essay}")
    if kind == 3:
        return replace(stands, student_name=other.name, essay=_TWO_LINES)
    if kind == 4:
        return replace(stands, student_name=None, essay=f"{_PROMPT}{essay}")
    return replace(stands, student_name=other.name, essay=None)
