"""A typed sheet whose printed words are drawn; its values are put by a trouble, or as they are."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from random import Random

from core.confined.mupdf import pymupdf
from lab.samples.canvas import BLACK, Canvas, Colour, line_box, union, wrap_all
from lab.samples.entry import Entry, draw_entry, grade_in_words
from lab.samples.forms import form_2026
from lab.samples.hand import fonts
from lab.samples.part import Part
from lab.samples.truth import Truth

#: Words of an essay: enough for an entry that can be completed, few enough to be read quickly.
WORDS = (62, 110)
REQUIRED = ("student_name", "school_name", "grade")
FORM, LABELLED, BARE = "form", "labelled", "bare"
#: Where the values of the form of 2026 stand: x, baseline, and the room to the right.
_ON_FORM = {
    "student_name": (203.0, 119.3, 214.0),
    "father_figure_name": (290.7, 138.2, 126.0),
    "email": (66.0, 157.4, 137.0),
    "phone": (290.4, 156.2, 126.0),
    "grade": (498.4, 119.0, 78.0),
    "school_name": (498.6, 137.2, 79.0),
}
#: Labels over an essay without a form, by part.
LABELS = {
    False: (("Name: ", "School: ", "Grade: ", "Father: "), ("Student: ", "School: ", "Grade: ", "Dad: ")),
    True: (
        ("Student Name: ", "School: ", "Grade: ", "Father's Name: "),
        ("NAME - ", "SCHOOL - ", "GRADE - ", "FATHER - "),
        ("Full name:  ", "School name:  ", "Grade level:  ", "Father figure:  "),
    ),
}
#: The smallest size at which a value of the form is still read without effort.
_LEGIBLE = 7.2


@dataclass
class Spot:
    """A line of a value: where it stands, and in which type."""

    x: float
    y: float
    text: str
    size: float
    face: str

    @property
    def box(self) -> pymupdf.Rect:
        """The rectangle of its ink."""
        return line_box(self.x, self.y, self.text, self.size, self.face)


@dataclass
class Sheet:
    """One page with its entry. Its truth speaks of every value as if it were put as it is."""

    canvas: Canvas
    entry: Entry
    truth: Truth
    face: str
    layout: str
    spots: dict[str, Spot] = field(default_factory=dict)
    lines: list[Spot] = field(default_factory=list)

    def put(
        self, name: str, text: str | None = None, *, move: tuple[float, float] = (0, 0), colour: Colour = BLACK
    ) -> Spot:
        """Write a value, or another text in its place."""
        spot = self.spots[name]
        text = spot.text if text is None else text
        size = min(spot.size, spot.size * self.room(name) / max(1.0, fonts.width(spot.face, text, spot.size)))
        put = Spot(spot.x + move[0], spot.y + move[1], text, size, spot.face)
        self.canvas.text(put.x, put.y, text, size, spot.face, colour)
        return put

    def put_values(self, but: Collection[str] = (), **how: tuple[float, float]) -> None:
        """Write the values of the header."""
        for name in self.spots:
            if name not in but:
                self.put(name, move=how.get("move", (0, 0)))

    def put_essay(self, but: Collection[int] = (), move: tuple[float, float] = (0, 0)) -> None:
        """Write the lines of the essay, except some."""
        for number, line in enumerate(self.lines):
            if number not in but:
                self.canvas.text(line.x + move[0], line.y + move[1], line.text, line.size, line.face)

    def put_all(self) -> None:
        """Write everything as it is."""
        self.put_values()
        self.put_essay()

    def say(self, name: str, value: str | None) -> None:
        """Change what the page says: another value, or none."""
        self.truth.values[name] = value
        self.truth.accepted.pop(name, None)
        self.truth.boxes.pop(name, None)

    def room(self, name: str) -> float:
        """Width that a value may have."""
        return _ON_FORM[name][2] if self.layout == FORM else 380.0

    def around(self, name: str, text: str | None = None) -> tuple[float, float, float, float]:
        """A rectangle that hides a value, and the text that is put in its place."""
        box = self.spots[name].box
        wide = fonts.width(self.face, text, self.spots[name].size) if text else 0
        right = max(box.x1, box.x0 + min(wide, self.room(name)))
        return (box.x0 - 1, box.y0 - 1, right + 1.5, box.y1 + 0.5)


def draw_person(rng: Random, part: Part, words: tuple[int, int] = WORDS, spanish_share: float = 0.15) -> Entry:
    """An entry that can be completed, whose values fit the form in legible type."""
    while True:
        entry = draw_entry(rng, part, spanish_share=spanish_share, count=words)
        # The youngest write less than was asked for.
        if entry.words >= 0.85 * words[0] and _fits(entry):
            return entry


def _fits(entry: Entry) -> bool:
    values = {"student_name": entry.name, "school_name": entry.school_written}
    values |= {"father_figure_name": entry.father, "email": entry.email}
    return all(fonts.width("sans", value or "", _LEGIBLE) <= _ON_FORM[name][2] for name, value in values.items())


def compose(
    rng: Random,
    part: Part,
    doc: pymupdf.Document,
    layout: str | None = None,
    entry: Entry | None = None,
    words: tuple[int, int] = WORDS,
) -> Sheet:
    """Add a page with all that is printed on it; the values are not put yet."""
    entry = entry or draw_person(rng, part, words)
    layout = layout or rng.choice((FORM, FORM, LABELLED) if not part.held_out else (FORM, LABELLED, BARE))
    canvas = Canvas(doc)
    face = rng.choice(part.typefaces if layout != FORM else _form_faces(part))
    sheet = Sheet(canvas, entry, Truth(canvas.number, canvas.number), face, layout)
    written = _written(rng, sheet)
    if layout == FORM:
        form_2026.draw_printed(canvas)
        sheet.spots = {name: _form_spot(name, text, face) for name, text in written.items()}
        sheet.lines = list(_essay_lines(entry, face, 34, 237, 541, 11.5))
    else:
        _head(rng, part, sheet, written)
    _say_all(sheet)
    return sheet


def _form_faces(part: Part) -> tuple[str, ...]:
    return ("carlito", "caladea", "sans") if part.held_out else ("sans", "sans", "serif")


def _written(rng: Random, sheet: Sheet) -> dict[str, str]:
    entry = sheet.entry
    grade = grade_in_words(rng, entry)
    if sheet.layout == BARE and grade and "rade" not in grade and "rado" not in grade:
        grade = f"Grade {entry.grade}"
    values = {
        "student_name": entry.name,
        "school_name": entry.school_written,
        "grade": grade,
        "father_figure_name": entry.father,
        "email": entry.email,
        "phone": entry.phone,
    }
    if sheet.layout != FORM:
        values["email"] = values["phone"] = None
    if sheet.layout == BARE or (sheet.layout == LABELLED and rng.random() < 0.5):
        values["father_figure_name"] = None
    return {name: value for name, value in values.items() if value}


def _form_spot(name: str, text: str, face: str) -> Spot:
    x, y, room = _ON_FORM[name]
    return Spot(x, y, text, min(12.0, 12.0 * room / max(1.0, fonts.width(face, text, 12))), face)


def _head(rng: Random, part: Part, sheet: Sheet, written: dict[str, str]) -> None:
    """The lines over an essay without a form, and below them where the essay's lines stand."""
    labels = dict(zip((*REQUIRED, "father_figure_name"), rng.choice(LABELS[part.held_out]), strict=True))
    size = rng.choice((11.0, 12.0))
    margin, y = rng.choice((60.0, 72.0)), rng.choice((72.0, 84.0))
    for name, text in written.items():
        label = labels[name] if sheet.layout == LABELLED else ""
        if label:
            sheet.canvas.text(margin, y, label, size, sheet.face)
        sheet.spots[name] = Spot(margin + fonts.width(sheet.face, label, size), y, text, size, sheet.face)
        y += size * 1.5
    width = 612 - 2 * margin
    sheet.lines = list(_essay_lines(sheet.entry, sheet.face, margin, y + size * 1.2, width, size, 1.35))


def _essay_lines(
    entry: Entry, face: str, x: float, y: float, width: float, size: float, leading: float = 1.16
) -> Iterator[Spot]:
    for number, line in enumerate(wrap_all(entry.essay, width, size, face)):
        yield Spot(x, y + number * size * leading, line, size, face)


def _say_all(sheet: Sheet) -> None:
    truth, entry = sheet.truth, sheet.entry
    values = {"grade": entry.grade, "school_name": entry.school_written}
    for name, spot in sheet.spots.items():
        truth.put(name, values.get(name, spot.text), sheet.canvas, [spot.box])
    truth.accept_school(entry)
    truth.values["essay_text"] = "\n".join(entry.essay)
    around = union([line.box for line in sheet.lines])
    if around is not None:
        truth.put("essay_text", "\n".join(entry.essay), sheet.canvas, [around])
