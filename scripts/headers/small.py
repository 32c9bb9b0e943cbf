"""Rooms, teachers, dates and other short things of a header."""

from __future__ import annotations

from random import Random

from scripts.headers.people import draw_person
from scripts.samples.words.banks import listed, words

MONTHS = words("January February March April May June July August September October November December")
SPANISH_MONTHS = words(
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
)
DAYS = words("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
SPANISH_DAYS = words("lunes martes miércoles jueves viernes sábado domingo")
_TITLES = words("Mr. Mr. Mr. Mrs. Mrs. Mrs. Ms. Ms. Ms. Ms. Miss Miss Mr Mrs Ms Dr. Coach Sister Mx. Prof. Teacher Brother Fr.")
_SPANISH_TITLES = listed("""
    Sra.|Sr.|Srta.|Sra|Mtra.|Mtro.|Maestra|Maestro|Maestra|Profe|Profesora|Profesor|Prof.|Miss|Ms.|Mrs.|Mr.|Señora|
    Señorita|Mrs.|Ms.|Mr.|la maestra|Miss
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
    return rng.choice(("Gym", "Library", "Annex 2", "00", "P4", "M3", "T-5", "2 East", "L12", "007"))


def draw_room(rng: Random, identifier: str, spanish: bool) -> str:
    """The identifier behind a word for room."""
    if spanish and rng.random() < 0.7:
        word = rng.choice(("Salón ", "salón ", "Salon ", "Aula ", "Salón #", "Cuarto ", "sal. ", "Salón No. ", "salon "))
    else:
        word = rng.choice(
            (
                *("Room ", "Room ", "room ", "Rm ", "Rm. ", "rm ", "rm. ", "RM ", "RM. ", "rm.", "Rm.", "Rm", "RM", "#"),
                *("HR ", "H.R. ", "Homeroom ", "Room #", "Room # ", "Rm #", "ROOM", "Portable ", "portable ", "Room"),
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


def draw_date(rng: Random, spanish: bool) -> str:
    """A day of a school year."""
    month, day, year = rng.randrange(12), rng.randint(1, 28), rng.choice((2023, 2024, 2025, 2025, 2026))
    if spanish:
        name = SPANISH_MONTHS[month]
        week = rng.choice(SPANISH_DAYS)
        forms = [f"{day} de {name} de {year}", f"{day} de {name}", f"{day} de {name} del {year}", f"{week} {day} de {name}"]
        forms += [f"{name} {day}, {year}", f"{day}/{month + 1}/{year}", f"{day}-{name[:3]}-{year}", f"el {day} de {name}"]
        forms += [f"{name.title()} {year}", f"{week.title()}, {day} de {name.title()} {year}", f"{day} {name} {year}"]
        return rng.choice(forms)
    name, two = MONTHS[month], year % 100
    short = name[:3] + rng.choice((".", ""))
    nth = f"{day}{'st' if day in (1, 21) else 'nd' if day in (2, 22) else 'rd' if day in (3, 23) else 'th'}"
    forms = [f"{name} {day}, {year}", f"{name} {day}, {year}", f"{day} {name} {year}", f"{short} {day}, {year}", f"{name} {nth}"]
    forms += [f"{month + 1}/{day}/{two}", f"{month + 1}/{day}/{year}", f"{month + 1}-{day}-{two}", f"{month + 1}.{day}.{two}"]
    forms += [f"{name} {nth}, {year}", f"{rng.choice(DAYS)}, {name} {day}", f"{name} {day}", f"{short} {day}", f"{month + 1}/{day}"]
    forms += [f"the {nth} of {name}", f"{year}-{month + 1:02d}-{day:02d}", f"{name} {year}", f"{short}{day}", f"{name} {day} {year}"]
    forms += [f"{rng.choice(DAYS)} {month + 1}/{day}", f"{day} {short} {year}", f"{rng.choice(DAYS)[:3]}. {name} {nth} {year}"]
    return rng.choice(forms)


def draw_mail(rng: Random, name: str) -> str:
    """An address that cannot exist, made of a name or of none."""
    words_ = [part for part in "".join(c for c in name.lower() if c.isascii() and (c.isalpha() or c == " ")).split() if part]
    local = rng.choice((".", "", "_")).join(words_[:2]) or rng.choice(("essays", "familydesk", "mom.of.three", "kid"))
    local = rng.choice((local, local, local[:1] + words_[-1] if words_ else local, f"{local}{rng.randint(1, 99)}"))
    return f"{local}@{rng.choice(('example.org', 'students.example.org', 'mail.example.org', 'example.net', 'k12.example.net'))}"


def draw_phone(rng: Random) -> str:
    """A number of the range kept for stories."""
    last, area = f"01{rng.randrange(100):02d}", rng.choice(("312", "773", "217", "505", "718"))
    return rng.choice((f"555-{last}", f"({area}) 555-{last}", f"{area}-555-{last}", f"{area}.555.{last}"))
