"""Rooms and teachers of a header."""

from __future__ import annotations

from random import Random

from lab.headers.people import draw_person
from lab.samples.words.banks import listed, words

_TITLES = words(
    "Mr. Mr. Mr. Mrs. Mrs. Mrs. Ms. Ms. Ms. Ms. Miss Miss Mr Mrs Ms Dr. Coach Sister Mx. Prof. Teacher Brother Fr."
)
_SPANISH_TITLES = listed("""
    Sra.|Sr.|Srta.|Sra|Mtra.|Mtro.|Maestra|Maestro|Maestra|Profe|Profesora|Profesor|Prof.|Miss|Ms.|Mrs.|Mr.|Señora|
    Señorita|Mrs.|Ms.|Mr.|Miss
""")


def draw_room_id(rng: Random) -> str:
    """ "101", "K2", "B-12" """
    roll = rng.random()
    if roll < 0.3:
        return str(rng.randint(1, 40))
    if roll < 0.72:
        return str(rng.randint(100, 420))
    if roll < 0.8:
        return f"{rng.choice('ABCDEK')}{rng.choice(('-', '', ''))}{rng.randint(1, 30)}"
    if roll < 0.88:
        return f"{rng.randint(1, 312)}{rng.choice('ABCDE')}"
    if roll < 0.92:
        return f"{rng.randint(1, 3)}-{rng.randint(100, 220)}"
    return rng.choice(("Gym", "Library", "Annex 2", "P4", "M3", "T-5", "2 East", "L12", "007"))


def draw_room(rng: Random, identifier: str, spanish: bool) -> str:
    """The identifier behind a word for room."""
    if " " in identifier or not any(letter.isdigit() for letter in identifier):
        return identifier
    if spanish and rng.random() < 0.7:
        word = rng.choice(
            ("Salón ", "salón ", "Salon ", "Aula ", "Salón #", "Cuarto ", "sal. ", "Salón No. ", "salon ")
        )
    else:
        word = rng.choice(
            (
                *(
                    "Room ",
                    "Room ",
                    "room ",
                    "Rm ",
                    "Rm. ",
                    "rm ",
                    "rm. ",
                    "RM ",
                    "RM. ",
                    "rm.",
                    "Rm.",
                    "Rm",
                    "RM",
                    "#",
                ),
                *(
                    "HR ",
                    "H.R. ",
                    "Homeroom ",
                    "Room #",
                    "Room # ",
                    "Rm #",
                    "ROOM",
                    "Portable ",
                    "portable ",
                    "Room",
                ),
                *("Classroom ", "Rm# ", "Room No. ", "# ", "Trailer ", "R ", "Pod ", "Rm- ", "Hr. "),
            )
        )
    return word + identifier


def draw_teacher(rng: Random, spanish: bool) -> str:
    """A teacher, mostly with the title."""
    person = draw_person(rng, rng.random() < (0.6 if spanish else 0.2))
    title = rng.choice(_SPANISH_TITLES if spanish else _TITLES)
    family = person.family[0]
    roll = rng.random()
    if roll < 0.62:
        name = family
    elif roll < 0.72:
        name = person.given[0]
        if title in ("Sister", "Brother", "Fr."):
            name = f"{rng.choice(('Mary', 'John', 'Ann', 'Jean', 'Michael'))} {name}"
    elif roll < 0.8:
        name = f"{person.given[0][0]}. {family}"
    elif roll < 0.87:
        name = f"{person.given[0]} {family}"
    elif roll < 0.93:
        name = family[0] + rng.choice(("", ".", ""))
    elif roll < 0.97:
        return f"{person.given[0]} {family}"
    else:
        return family
    return f"{title}{'' if rng.random() < 0.05 and title.endswith('.') else ' '}{name}"
