"""Dates, addresses and phone numbers of a header."""

from __future__ import annotations

from random import Random

from lab.headers.grades import ordinal
from lab.samples.words.banks import words

MONTHS = words("January February March April May June July August September October November December")
SPANISH_MONTHS = words("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre")
DAYS = words("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
SPANISH_DAYS = words("lunes martes miércoles jueves viernes sábado domingo")


def draw_date(rng: Random, spanish: bool) -> str:
    """A day of a school year."""
    month, day, year = rng.randrange(12), rng.randint(1, 28), rng.choice((2023, 2024, 2025, 2025, 2026))
    if spanish:
        name = SPANISH_MONTHS[month]
        week = rng.choice(SPANISH_DAYS)
        forms = [
            f"{day} de {name} de {year}",
            f"{day} de {name}",
            f"{day} de {name} del {year}",
            f"{week} {day} de {name}",
        ]
        forms += [
            f"{name} {day}, {year}",
            f"{day}/{month + 1}/{year}",
            f"{day}-{name[:3]}-{year}",
            f"el {day} de {name}",
        ]
        forms += [
            f"{name.title()} {year}",
            f"{week.title()}, {day} de {name.title()} {year}",
            f"{day} {name} {year}",
        ]
        return rng.choice(forms)
    name, two = MONTHS[month], year % 100
    short = name[:3] + rng.choice((".", ""))
    nth = ordinal(day)
    forms = [
        f"{name} {day}, {year}",
        f"{name} {day}, {year}",
        f"{day} {name} {year}",
        f"{short} {day}, {year}",
        f"{name} {nth}",
    ]
    forms += [
        f"{month + 1}/{day}/{two}",
        f"{month + 1}/{day}/{year}",
        f"{month + 1}-{day}-{two}",
        f"{month + 1}.{day}.{two}",
    ]
    forms += [
        f"{name} {nth}, {year}",
        f"{rng.choice(DAYS)}, {name} {day}",
        f"{name} {day}",
        f"{short} {day}",
        f"{month + 1}/{day}",
    ]
    forms += [
        f"the {nth} of {name}",
        f"{year}-{month + 1:02d}-{day:02d}",
        f"{name} {year}",
        f"{short}{day}",
        f"{name} {day} {year}",
    ]
    forms += [
        f"{rng.choice(DAYS)} {month + 1}/{day}",
        f"{day} {short} {year}",
        f"{rng.choice(DAYS)[:3]}. {name} {nth} {year}",
    ]
    return rng.choice(forms)


def draw_mail(rng: Random, name: str) -> str:
    """An address that cannot exist, made of a name or of none."""
    words_ = "".join(c for c in name.lower() if c.isascii() and (c.isalpha() or c == " ")).split()
    local = rng.choice((".", "", "_")).join(words_[:2]) or rng.choice(
        ("essays", "familydesk", "mom.of.three", "kid")
    )
    local = rng.choice((local, local, local[:1] + words_[-1] if words_ else local, f"{local}{rng.randint(1, 99)}"))
    places = ("example.org", "students.example.org", "mail.example.org", "example.net", "k12.example.net")
    return f"{local}@{rng.choice(places)}"


def draw_phone(rng: Random) -> str:
    """A number of the range kept for stories."""
    last, area = f"01{rng.randrange(100):02d}", rng.choice(("312", "773", "217", "505", "718"))
    return rng.choice((f"555-{last}", f"({area}) 555-{last}", f"{area}-555-{last}", f"{area}.555.{last}"))
