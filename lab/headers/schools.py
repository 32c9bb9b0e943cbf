"""Invented schools and the ways their names are written."""

from __future__ import annotations

from random import Random

from lab.headers.people import draw_person
from lab.headers.words import names_spanish, names_words
from lab.headers.words import school_kinds as kinds
from lab.headers.words import schools as named
from lab.samples.words.banks import listed
from lab.samples.words.schools_development import PLACES, UNLISTED

_DEVELOPMENT = [(place, kind) for kind, places in PLACES.items() for place in listed(places)]


def draw_school(rng: Random, grade: int, spanish: bool) -> str:
    """The name of a school that has the grade, as a pupil writes it."""
    roll = rng.random()
    if roll < 0.07:
        return _numbered(rng, grade)
    if roll < 0.1:
        return rng.choice(kinds.ACRONYMS).format(town=rng.choice(named.TOWN))
    if roll < 0.17:
        return _saint(rng)
    if roll < 0.22:
        place, kind = rng.choice(_DEVELOPMENT)
        return rng.choice(
            (f"{place} {kind}", f"{place} {kind.removesuffix(' School')}", place, rng.choice(UNLISTED))
        )
    if spanish and roll < 0.48:
        kind = rng.choice(kinds.SPANISH_KINDS[_level(grade)])
        return f"{kind} {_core(rng, True)}"
    core = _core(rng, spanish)
    if rng.random() < 0.52:
        return core
    return f"{core} {_suffix(rng, grade)}"


def misspelt_school(rng: Random, school: str) -> str:
    """The school with a word spelt as children spell it."""
    for right, wrongs in kinds.MISSPELT.items():
        if right in school and rng.random() < 0.7:
            return school.replace(right, rng.choice(wrongs))
    words = school.split(" ")
    longest = max(range(len(words)), key=lambda number: len(words[number]))
    words[longest] = _slip(rng, words[longest])
    return " ".join(words)


def _slip(rng: Random, word: str) -> str:
    """The word with a letter left out, doubled, changed for another vowel, or two letters swapped."""
    if len(word) < 5:
        return word
    at = rng.randrange(1, len(word) - 1)
    roll = rng.random()
    if roll < 0.4:
        return word[:at] + word[at + 1 :]
    if roll < 0.55:
        return word[:at] + word[at] + word[at:]
    if roll < 0.75 or word[at].lower() not in "aeiou":
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return word[:at] + rng.choice("aeiou") + word[at + 1 :]


def _core(rng: Random, spanish: bool) -> str:
    """What stands before "School"."""
    roll = rng.random()
    if spanish and roll < 0.3:
        return rng.choice(named.SPANISH_PLACES)
    if roll < 0.3:
        return rng.choice(named.PEOPLE_SHORT[:90] if rng.random() < 0.4 else named.PEOPLE_SHORT)
    if roll < 0.42:
        return rng.choice(named.PEOPLE_FULL)
    if roll < 0.6:
        return _nature(rng)
    if roll < 0.68:
        return rng.choice(named.SPANISH_PLACES)
    if roll < 0.76:
        return rng.choice(named.WORDS)
    if roll < 0.86:
        return rng.choice(named.TOWN)
    person = draw_person(rng, spanish and rng.random() < 0.6)
    if roll < 0.93:
        return person.family[0]
    if roll < 0.96:
        return rng.choice((person.given[0], rng.choice(names_words.WORD_FAMILY), rng.choice(names_spanish.FAMILY)))
    return f"{person.given[0]} {person.family[0]}"


def _nature(rng: Random) -> str:
    first = rng.choice(named.NATURE_FIRST).replace("_", " ")
    roll = rng.random()
    if roll < 0.2:
        return first.replace(" ", "") + rng.choice(named.GLUED_LAST)
    name = f"{first} {rng.choice(named.NATURE_LAST)}"
    return (
        f"{rng.choice(('North', 'South', 'East', 'West', 'New', 'Old', 'Upper'))} {name}" if roll > 0.95 else name
    )


def _saint(rng: Random) -> str:
    if rng.random() < 0.3:
        core = rng.choice(named.HOLY)
    else:
        core = f"{rng.choice(('St.', 'St.', 'St', 'Saint', 'St.'))} {rng.choice(named.SAINTS)}"
        core += rng.choice(("", "", "", "", " of Padua", " the Apostle", " of Siena", "'s", " the Great"))
    return core if rng.random() < 0.45 else f"{core} {rng.choice(kinds.CATHOLIC)}"


def _numbered(rng: Random, grade: int) -> str:
    forms = {"elementary": kinds.NUMBERED, "middle": kinds.NUMBERED_MIDDLE, "high": kinds.NUMBERED_HIGH}[
        _level(grade)
    ]
    number = rng.randrange(2, 330)
    return rng.choice(forms).format(
        n=number, word=rng.choice(named.WORDS), person=rng.choice(named.PEOPLE_FULL), town=rng.choice(named.TOWN)
    )


def _suffix(rng: Random, grade: int) -> str:
    return rng.choice({"elementary": kinds.ELEMENTARY, "middle": kinds.MIDDLE, "high": kinds.HIGH}[_level(grade)])


def _level(grade: int) -> str:
    return "elementary" if grade <= 5 else "middle" if grade <= 8 else "high"
