"""Invented values of drawn entries, right and wrong."""

from __future__ import annotations

from lab.simulation.season import Entry

_FIRST = (
    "Marisol",
    "Theo",
    "Ana",
    "Ivo",
    "Noor",
    "Lena",
    "Tomás",
    "Priya",
    "Caleb",
    "Rosa",
    "Emil",
    "Zuri",
    "Anselm",
)
_LAST = (
    "Quintero",
    "Okafor",
    "Ruiz",
    "Marin",
    "Haddad",
    "Vogel",
    "Salas",
    "Brandt",
    "Ibarra",
    "Osei",
    "Lindqvist",
)
_SCHOOLS = ("Lakeview", "Juniper", "Ashgrove", "Riverbend", "Maple Hollow", "Sunfield", "Northgate", "Quail Run")
_GRADES = ("K", *(str(number) for number in range(1, 13)))


def true_value(entry: Entry, field: str) -> str:
    """Return what stands on the page."""
    number = entry.number
    if field == "school_name":
        return school_name(entry.school)
    if field == "grade":
        return _GRADES[number * 7 % len(_GRADES)]
    if field == "phone":
        return f"555-{number % 10_000:04d}"
    places = (number * 5, number * 3) if field == "student_name" else (number * 11 + 4, number * 13 + 7)
    return f"{_FIRST[places[0] % len(_FIRST)]} {_LAST[places[1] % len(_LAST)]}"


def read_value(entry: Entry, field: str) -> str | None:
    """Return what the machine read; None where it read nothing."""
    if field not in entry.confidences:
        return None
    value = true_value(entry, field)
    return misread(value) if field in entry.wrong else value


def misread(value: str) -> str:
    """Return another value of the same kind."""
    if value in _GRADES:
        return _GRADES[(_GRADES.index(value) + 1) % len(_GRADES)]
    if value.startswith("555-"):
        return f"556{value[3:]}"
    return f"{value[:-1]}{'n' if value[-1] != 'n' else 'm'}"


def school_name(number: int) -> str:
    """Return the name of the so many'th school."""
    return f"{_SCHOOLS[number % len(_SCHOOLS)]} Elementary School {number + 1}"
