"""Typed essays without any form: a few header lines, a title perhaps, the essay."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import pymupdf

from scripts.samples import fonts
from scripts.samples.canvas import Canvas, wrap
from scripts.samples.damage.garble import spaces_to_zero_width
from scripts.samples.entry import Entry, draw_entry, grade_in_words
from scripts.samples.sample import Sample, to_bytes
from scripts.samples.truth import Truth


@dataclass(frozen=True)
class Piece:
    """A part of a header line: its text, and the field whose value it is."""

    text: str
    field: str | None = None
    value: str | None = None


Line = list[Piece]


def draw(rng: Random) -> Sample:
    """A freeform essay as text."""
    doc, truth = compose(rng)
    data = to_bytes(doc, rng)
    if rng.random() < 0.15:
        truth.hazards.append("zero_width_spaces")
        data = spaces_to_zero_width(data)
    return Sample("freeform_native", ".pdf", data, [truth], stem="essay")


def compose(rng: Random) -> tuple[pymupdf.Document, Truth]:
    """The pages of a freeform essay."""
    entry = draw_entry(rng, spanish_share=0.25, count=(60, 420))
    header, title = draw_header(rng, entry)
    truth = Truth()
    truth.optional_words = len((title or "").split())
    doc = pymupdf.open()
    style = _Style.drawn(rng)
    _write(doc, truth, entry, header, title, style)
    truth.page_end = doc.page_count
    truth.doc_class = "SINGLE_TYPED" if doc.page_count == 1 else "MULTI_PAGE_SINGLE"
    return doc, truth


def draw_header(rng: Random, entry: Entry) -> tuple[list[Line], str | None]:
    """Header lines in one of the ways that pupils write them, and a title."""
    name = Piece(entry.name or "", "student_name", entry.name)
    school = Piece(entry.school_written or "", "school_name", entry.school_written)
    grade = _grade_piece(rng, entry)
    room = Piece(f"{rng.choice(('Room', 'Rm.', 'Salón' if entry.spanish else 'Room'))} {entry.room}")
    style = rng.choices(
        ("lines", "one_line", "glued", "labelled", "name_only", "no_name", "name_grade"), (40, 14, 8, 18, 6, 6, 8)
    )[0]
    header: list[Line]
    if style == "lines":
        rest = [[school], [grade]] + ([[room]] if rng.random() < 0.4 else [])
        if rng.random() < 0.35:
            rng.shuffle(rest)
        header = [[name], *rest]
    elif style == "one_line":
        separator = Piece(rng.choice((", ", " - ", " / ", "   ", " | ")))
        header = [[name, separator, school, separator, grade]]
    elif style == "glued":
        header = [[name], [school, Piece(entry.room)], [grade]]
    elif style == "labelled":
        words = ("Nombre: ", "Escuela: ", "Grado: ") if entry.spanish else ("Name: ", "School: ", "Grade: ")
        header = [[Piece(words[0]), name], [Piece(words[1]), school], [Piece(words[2]), grade]]
    elif style == "name_only":
        header = [[name]]
    elif style == "name_grade":
        header = [[name], [grade] if rng.random() < 0.5 else [grade, Piece(" "), room]]
    else:
        header = []
    if rng.random() < 0.12 and header:
        header.append([Piece(rng.choice(("March 3, 2026", "3/12/26", "2/27/2026", "February 20, 2026")))])
    title = entry.title if rng.random() < 0.55 else None
    return header, title


def _grade_piece(rng: Random, entry: Entry) -> Piece:
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


@dataclass(frozen=True)
class _Style:
    face: str
    size: float
    leading: float
    margin: float
    right_header: bool
    indent: float

    @classmethod
    def drawn(cls, rng: Random) -> _Style:
        return cls(
            face=rng.choice(("sans", "serif", "serif", "dejavu")),
            size=rng.choice((11, 12, 12, 13, 14)),
            leading=rng.choice((1.2, 1.5, 2.0)),
            margin=rng.choice((72, 72, 54, 60)),
            right_header=rng.random() < 0.12,
            indent=rng.choice((0, 36)),
        )


def _write(
    doc: pymupdf.Document, truth: Truth, entry: Entry, header: list[Line], title: str | None, style: _Style
) -> None:
    canvas = Canvas(doc)
    y = style.margin + style.size
    for line in header:
        _write_header_line(canvas, truth, entry, line, y, style)
        y += style.size * min(style.leading, 1.5)
    y += style.size * 0.6
    if title:
        width = fonts.width(style.face, title, style.size + 2)
        canvas.text((canvas.width - width) / 2, y, title, style.size + 2, style.face)
        y += style.size * 1.8
    _write_body(doc, canvas, truth, entry, y, style)


def _write_header_line(canvas: Canvas, truth: Truth, entry: Entry, line: Line, y: float, style: _Style) -> None:
    whole = "".join(piece.text for piece in line)
    x = (
        canvas.width - style.margin - fonts.width(style.face, whole, style.size)
        if style.right_header
        else style.margin
    )
    for piece in line:
        rect = canvas.text(x, y, piece.text, style.size, style.face)
        x += fonts.width(style.face, piece.text, style.size)
        if piece.field == "school_name":
            truth.put_school(entry, canvas, [rect])
        elif piece.field:
            truth.put(piece.field, piece.value, canvas, [rect])


def _write_body(
    doc: pymupdf.Document, canvas: Canvas, truth: Truth, entry: Entry, y: float, style: _Style
) -> None:
    step, first_page = style.size * style.leading, canvas
    rects: list[pymupdf.Rect] = []
    for paragraph in entry.essay:
        lines = wrap(paragraph, canvas.width - 2 * style.margin, style.size, style.face, style.indent)
        for i, line in enumerate(lines):
            if y > canvas.height - style.margin:
                canvas, y = Canvas(doc), style.margin + style.size
            x = style.margin + (style.indent if i == 0 else 0)
            rect = canvas.text(x, y, line, style.size, style.face)
            if canvas.number == 1:
                rects.append(rect)
            y += step
        y += 0 if style.indent else style.size * 0.6
    truth.put_essay(entry, first_page, rects)
