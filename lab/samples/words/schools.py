"""Invented schools with the ways people write them, and the list an office would import."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from io import StringIO
from random import Random

from lab.samples.words import schools_development, schools_held_out
from lab.samples.words.banks import listed

_SHORT = {
    "Elementary School": ("Elementary", "Elem.", "Elem", "ES"),
    "Middle School": ("Middle", "M.S.", "Jr. High"),
    "High School": ("High", "H.S.", "HS"),
    "Montessori School": ("Montessori",),
    "Catholic School": ("School", ""),
    "Magnet School": ("Magnet", "School"),
    "Dual Language School": ("Dual Language", "School"),
    "Community School": ("School", "Community"),
    "Preparatory": ("Prep", "Prep."),
    "Academy": ("Acad.", ""),
    "Intermediate School": ("Intermediate", "Int. School"),
    "Primary School": ("Primary", "Primary Sch."),
    "Charter School": ("Charter", "Charter Sch."),
    "Christian School": ("Christian", "Christian Sch."),
    "Parish School": ("School", ""),
    "Fine Arts School": ("Fine Arts", "Arts School"),
    "STEM School": ("STEM", "School"),
    "Bilingual School": ("Bilingual", "School"),
    "School": ("Sch.", ""),
}


@dataclass(frozen=True)
class School:
    """A school: its full name, other ways to write it, where it stands."""

    name: str
    aliases: tuple[str, ...]
    city: str
    district: str
    listed: bool = True


@dataclass(frozen=True)
class SchoolList:
    """The schools of one part: those that an office has on its list, and those that stand on none."""

    schools: tuple[School, ...]
    unlisted: tuple[School, ...]


def _school_list(places: dict[str, str], cities: list[str], unlisted: list[str]) -> SchoolList:
    schools: list[School] = []
    for kind, named in places.items():
        for place in listed(named):
            number = len(schools)
            aliases = tuple(f"{place} {short}".strip() for short in _SHORT[kind])
            city = cities[number * 7 % len(cities)]
            schools.append(School(f"{place} {kind}", aliases, city, f"{city} District {30 + number % 11}"))
    return SchoolList(tuple(schools), tuple(School(name, (), "", "", False) for name in unlisted))


DEVELOPMENT = _school_list(schools_development.PLACES, schools_development.CITIES, schools_development.UNLISTED)
HELD_OUT = _school_list(schools_held_out.PLACES, schools_held_out.CITIES, schools_held_out.UNLISTED)


def draw_school(rng: Random, grade: str, known: SchoolList) -> tuple[School, str]:
    """A school and how the pupil writes it."""
    if rng.random() < 0.04:
        school = rng.choice(known.unlisted)
        return school, school.name
    school = rng.choice([school for school in known.schools if _has_grade(school, grade)])
    written = school.name if rng.random() < 0.62 else rng.choice(school.aliases)
    roll = rng.random()
    if roll < 0.05:
        written = written.lower()
    elif roll < 0.09:
        written = written.upper()
    return school, written


def _has_grade(school: School, grade: str) -> bool:
    number = 0 if grade == "K" else int(grade)
    if "Elementary" in school.name:
        return number <= 6
    if "Middle" in school.name:
        return 5 <= number <= 8
    if "High School" in school.name:
        return number >= 9
    if "Primary" in school.name:
        return number <= 3
    if "Intermediate" in school.name:
        return 4 <= number <= 6
    return number <= 8 or "Academy" in school.name or "Prep" in school.name


def accepted(school: School, written: str) -> list[str]:
    """Every way of writing the school that counts as right."""
    return list(dict.fromkeys((written, school.name, *school.aliases)))


def schools_csv(known: SchoolList) -> str:
    """The listed schools as the office would import them; aliases are separated by `;`."""
    out = StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(("name", "aliases", "city", "district"))
    for school in known.schools:
        rows.writerow((school.name, ";".join(school.aliases), school.city, school.district))
    return out.getvalue()
