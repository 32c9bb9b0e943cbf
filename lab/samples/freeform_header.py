"""The lines that pupils put over an essay without a form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from lab.samples.entry import Entry, grade_in_words


@dataclass(frozen=True)
class Piece:
    """A part of a header line: its text, and the field whose value it is."""

    text: str
    field: str | None = None
    value: str | None = None


Line = list[Piece]


@dataclass(frozen=True)
class Header:
    """What stands over the essay; lines under the title come after it."""

    lines: list[Line]
    title: str | None = None
    under_title: tuple[Line, ...] = ()

    @property
    def pieces(self) -> list[Piece]:
        """All pieces in reading order."""
        return [piece for line in (*self.lines, *self.under_title) for piece in line]


@dataclass(frozen=True)
class _Parts:
    name: Piece
    school: Piece
    grade: Piece
    room: Piece
    spanish: bool


def draw_header(rng: Random, entry: Entry) -> Header:
    """A header in one of the ways that pupils write them."""
    parts = _Parts(
        name=Piece(entry.name or "", "student_name", entry.name),
        school=Piece(entry.school_written or "", "school_name", entry.school_written),
        grade=_grade(rng, entry),
        room=Piece(f"{rng.choice(('Room', 'Rm.', 'Salón' if entry.spanish else 'Room'))} {entry.room}"),
        spanish=entry.spanish,
    )
    styles, weights = zip(*_STYLES, strict=True)
    lines = rng.choices(styles, weights)[0](rng, parts)
    if lines and rng.random() < 0.12:
        lines.append([Piece(rng.choice(("March 3, 2026", "3/12/26", "2/27/2026", "February 20, 2026")))])
    title = entry.title if rng.random() < 0.55 else None
    if title and len(lines) > 1 and rng.random() < 0.15:
        by = Piece("Por " if entry.spanish else rng.choice(("By ", "by ", "By: ", "Written by ")))
        return Header([], title, ([by, parts.name], *lines[1:]))
    return Header(lines, title)


def _below_each_other(rng: Random, parts: _Parts) -> list[Line]:
    rest = [[parts.school], [parts.grade]] + ([[parts.room]] if rng.random() < 0.4 else [])
    if rng.random() < 0.35:
        rng.shuffle(rest)
    return [[parts.name], *rest]


def _on_one_line(rng: Random, parts: _Parts) -> list[Line]:
    between = Piece(rng.choice((", ", " - ", " / ", "   ", " | ")))
    return [[parts.name, between, parts.school, between, parts.grade]]


def _glued_room(rng: Random, parts: _Parts) -> list[Line]:
    return [[parts.name], [parts.school, Piece(parts.room.text.split()[-1])], [parts.grade]]


def _labelled(rng: Random, parts: _Parts) -> list[Line]:
    words = ("Nombre: ", "Escuela: ", "Grado: ") if parts.spanish else ("Name: ", "School: ", "Grade: ")
    pairs = [[Piece(words[0]), parts.name], [Piece(words[1]), parts.school], [Piece(words[2]), parts.grade]]
    if rng.random() < 0.25:
        return [[*pairs[0], Piece("   "), *pairs[1], Piece("   "), *pairs[2]]]
    return pairs


def _name_and_grade(rng: Random, parts: _Parts) -> list[Line]:
    if rng.random() < 0.5:
        return [[parts.name, Piece(rng.choice((", ", " - ", " "))), parts.grade], [parts.school]]
    return [[parts.name], [parts.grade, Piece(" "), parts.room], [parts.school]]


def _without_school(rng: Random, parts: _Parts) -> list[Line]:
    return [[parts.name], [parts.grade] if rng.random() < 0.5 else [parts.grade, Piece(", "), parts.room]]


def _only_a_name(rng: Random, parts: _Parts) -> list[Line]:
    return [[parts.name]]


def _nothing(rng: Random, parts: _Parts) -> list[Line]:
    return []


_STYLES: tuple[tuple[Callable[[Random, _Parts], list[Line]], int], ...] = (
    (_below_each_other, 38),
    (_on_one_line, 14),
    (_glued_room, 8),
    (_labelled, 16),
    (_name_and_grade, 8),
    (_without_school, 6),
    (_only_a_name, 5),
    (_nothing, 5),
)


def _grade(rng: Random, entry: Entry) -> Piece:
    """Outside a field a bare number would say nothing, so the word "grade" stands with it."""
    number = int(entry.grade) if entry.grade not in (None, "K") else 0
    if entry.grade == "K":
        text = rng.choice(("Kindergarten", "Kinder", "Grade K"))
    elif entry.spanish:
        text = rng.choice((f"{number}° grado", f"Grado {number}", grade_in_words(rng, entry) or ""))
        text = text if "rado" in text else f"{text} grado"
    else:
        text = grade_in_words(rng, entry) or ""
        text = rng.choice((f"Grade {number}", f"{text} grade" if "rade" not in text else text))
        text = text.replace(f"{number} grade", f"Grade {number}")
    return Piece(text, "grade", entry.grade)
