"""Draws the pupil whom a page is by."""

from __future__ import annotations

from random import Random

from lab.headers import dates, small
from lab.headers.facts import Facts
from lab.headers.flow import fill, text_of
from lab.headers.people import Person, draw_person, written_name
from lab.headers.schools import draw_school, misspelt_school
from lab.headers.words import schools as named
from lab.headers.words import titles
from lab.headers.words.names_words import MEN
from lab.samples.words import names_development as development
from pipeline.extraction.labelling.labeller import Role


def draw_facts(rng: Random, spanish: bool) -> Facts:
    """A pupil; `spanish` is the language of the header."""
    grade = rng.choice((0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 1, 2, 3, 4, 5, 6, 7, 8))
    child = draw_person(rng, rng.random() < (0.9 if spanish else 0.3))
    father = _father(rng, child, spanish)
    school = draw_school(rng, grade, spanish)
    if rng.random() < (0.16 if grade < 6 else 0.05):
        school = misspelt_school(rng, school)
    return Facts(
        rng, spanish, child, written_name(rng, child, grade <= 3), school, grade, small.draw_room_id(rng),
        small.draw_teacher(rng, spanish), dates.draw_date(rng, spanish), _title(rng, father, spanish), father,
    )  # fmt: skip


def _father(rng: Random, child: Person, spanish: bool) -> Person:
    """The father figure, mostly of the child's family, now and then with the child's own name."""
    names = development.FATHERS_SPANISH if spanish or rng.random() < 0.3 else development.FATHERS_ENGLISH
    names = rng.choice((names, MEN))
    given = rng.choice(names) if rng.random() < 0.88 else draw_person(rng, spanish).given[0]
    if rng.random() < 0.06:
        given = child.given[0]
    family = child.family if rng.random() < 0.7 else draw_person(rng, spanish).family
    return Person((given,), family[:1] if rng.random() < 0.7 else family)


def _title(rng: Random, father: Person, spanish: bool) -> str:
    """A title, which may hold the father's name."""
    values = {
        "dad": father.given[0],
        "father": father.full,
        "last": father.family[0],
        "town": rng.choice(named.TOWN),
        "thing": rng.choice(titles.THINGS),
        "trade": rng.choice(titles.TRADES_SPANISH if spanish else titles.TRADES),
    }
    bank = titles.SPANISH if spanish else titles.ENGLISH
    text = text_of(fill(rng.choice(bank), Role.TITLE, lambda slot: fill(values[slot], Role.TITLE, lambda _: [])))
    roll = rng.random()
    if roll < 0.1:
        return text.upper()
    if roll < 0.16:
        return text.lower()
    if roll < 0.3:
        return rng.choice(
            ('"{}"', "“{}”", "*{}*", "**{}**", "{}!", "{}:", "{}.", "~ {} ~", "- {} -", "{}...", "_{}_", "{}!!!")
        ).format(text)
    return text
