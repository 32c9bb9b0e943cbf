"""A re-flowed form whose header is two columns of narrow cells: labels and values wrap wherever a cell ends.

The cells of a row, or the flows of two columns, have their own lines, so that the second line of one value stands
at the height of the other column's value.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from core.confined.mupdf import pymupdf
from lab.samples.canvas import Canvas, line_box
from lab.samples.entry import Entry, draw_entry, grade_in_words
from lab.samples.forms import form_2026, gdocs
from lab.samples.forms.cells import Cell, Piece, Stroke, set_cell
from lab.samples.part import Part
from lab.samples.sample import Sample, to_bytes
from lab.samples.truth import Truth
from lab.samples.words.banks import listed

KIND = "wrapped_cells_26"
#: Labels by field, in English and in Spanish; whoever re-flowed the form may have kept only one language.
_LABELS = {
    "student_name": ("Student’s Name", "Nombre del Estudiante"),
    "father_figure_name": ("Father/Father-Figure Name", "Nombre del Padre/Figura Paterna"),
    "email": ("Email", "Email"),
    "phone": ("Phone", "Teléfono"),
    "grade": ("Grade", "Grado"),
    "school_name": ("School", "Escuela"),
}
_ABOUT = ("Writing About", "Escribiendo Sobre:")
#: What follows a label, by part.
_SEPARATORS = {
    False: (" ", " ", " - ", ": ", "-", ":", "- ", " : ", ""),
    True: (" ", " ", " – ", ": ", "-", ":", " :", " -", ""),
}
_KIN = {
    False: listed("Grandpa | Papá | Abuelo | My dad | Stepdad | Tío"),
    True: listed("Grandfather | Papi | Abuelito | Dad | Padrastro | Mi papá | Uncle"),
}
_SCHOOL_TAILS = {
    False: (" of Science and the Arts", " for Young Writers"),
    True: (" of Language and Technology", " at the Old Mill Campus"),
}


@dataclass
class _Head:
    """What is drawn, and how."""

    rng: Random
    part: Part
    entry: Entry
    truth: Truth
    language: int | None
    separator: str
    label_face: str
    value_face: str
    #: Whether values begin a paragraph of their own under their labels.
    below: bool
    grade: str | None

    def label(self, english: str, spanish: str) -> str:
        """The label as this form prints it."""
        if self.language is None and english != spanish:
            return f"{english} / {spanish}"
        return (english, spanish)[self.language or 0]

    def value(self, field: str) -> str:
        """What the writer put into a field; "" for nothing."""
        values = {
            "student_name": self.entry.name,
            "father_figure_name": self.entry.father,
            "email": self.entry.email,
            "phone": self.entry.phone,
            "grade": self.grade,
            "school_name": self.entry.school_written,
        }
        return values[field] or ""

    def paragraphs(self, *fields: str) -> list[list[Piece]]:
        """The fields of one cell, each with its label in a paragraph of its own."""
        found: list[list[Piece]] = []
        for field in fields:
            label = Piece(self.label(*_LABELS[field]), self.label_face)
            value = Piece(self.value(field), self.value_face, field)
            if not value.text:
                found.append([label])
            elif self.below:
                found += [[label], [value]]
            else:
                found.append([label, Piece(self.separator, self.label_face), value])
        return found


def draw(rng: Random, part: Part) -> Sample:
    """A form whose header wraps at every word."""
    doc, truth = draw_pages(rng, part)
    return Sample(KIND, ".pdf", to_bytes(doc, rng), [truth])


def draw_pages(rng: Random, part: Part, count: tuple[int, int] = (70, 200)) -> tuple[pymupdf.Document, Truth]:
    """The same as an open document, with the truth about it; `count`: words of the essay."""
    entry = draw_entry(rng, part, spanish_share=0.4, count=count)
    _lengthen(rng, part, entry)
    truth = Truth()
    head = _Head(
        rng,
        part,
        entry,
        truth,
        language=rng.choice((None, None, None, 0, 1)),
        separator=rng.choice(_SEPARATORS[part.held_out]),
        label_face=rng.choice(("sans", "sans", "sans-bold")),
        value_face=rng.choice(("sans", *part.typefaces)),
        below=rng.random() < 0.15,
        grade=grade_in_words(rng, entry) if rng.random() < 0.95 else None,
    )
    doc = pymupdf.open()
    pen = gdocs.Pen(doc, Canvas(doc), 0)
    if rng.random() < 0.9:
        pen.canvas.text(rng.choice((72, 153)), 62, form_2026.TITLE, rng.choice((18, 22)), "sans-bold")
    pen.y = _write_head(head, pen.canvas)
    gdocs.write_essay(rng, part, pen, truth, entry)
    gdocs.write_tail(rng, part, pen, truth, entry, gdocs.SCATTERED if rng.random() < 0.5 else ())
    truth.page_end = doc.page_count
    truth.doc_class = "SINGLE_TYPED" if doc.page_count == 1 else "MULTI_PAGE_SINGLE"
    return doc, truth


def _lengthen(rng: Random, part: Part, entry: Entry) -> None:
    """Give some people a second surname, some schools a longer name, and some fathers no name but a kinship."""
    if rng.random() < 0.5:
        family = part.names.last_spanish if entry.spanish else part.names.last_english
        entry.family.append(rng.choice([name for name in family if name not in entry.family]))
        entry.name = " ".join(entry.given + entry.family)
    roll = rng.random()
    if entry.father and roll < 0.12:
        entry.father = rng.choice(_KIN[part.held_out])
    elif entry.father and roll < 0.6:
        entry.father = f"{entry.father} {rng.choice(part.names.last_spanish)}"
    if entry.school_written and rng.random() < 0.3:
        entry.school_written = f"{entry.school.name}{rng.choice(_SCHOOL_TAILS[part.held_out])}"
    elif rng.random() < 0.04:
        entry.school_written = None


def _write_head(head: _Head, canvas: Canvas) -> float:
    """Draw the cells; returns the baseline at which the prompts begin."""
    rng = head.rng
    size = rng.choice((8.5, 9.0, 10.0, 11.0, 12.0))
    leading = size * rng.choice((1.15, 1.3, 1.5))
    left = Cell(rng.uniform(24, 60), rng.uniform(11, 24) * size, size, leading)
    x = left.x + left.width + rng.uniform(6, 30)
    right_leading = leading if rng.random() < 0.6 else size * rng.choice((1.2, 1.4))
    right = Cell(x, min(rng.uniform(7, 18) * size, 594 - x), size, right_leading)
    lefts, rights = _contents(head)
    top = rng.uniform(95, 140)
    layout = rng.choices((_rows, _flows, _four_columns), (45, 35, 20))[0]
    if head.below or head.truth.hazards:
        layout = _rows if layout is _four_columns else layout
    cells, bottom = layout(head, left, right, lefts, rights, top)
    _put(head, canvas, cells)
    return bottom + rng.uniform(6, 20)


def _contents(head: _Head) -> tuple[list[list[list[Piece]]], list[list[list[Piece]]]]:
    """The paragraphs of each cell of the left and of the right column."""
    rng = head.rng
    lefts = [
        head.paragraphs("student_name"),
        head.paragraphs("father_figure_name"),
        head.paragraphs("email", "phone"),
    ]
    if head.entry.father and rng.random() < 0.08:
        head.truth.hazards.append("labels_of_people_deleted")
        people = [
            Piece(head.value(field), head.value_face, field) for field in ("student_name", "father_figure_name")
        ]
        lefts[:2] = [[[person] for person in people]]
    rights = [head.paragraphs("grade"), head.paragraphs("school_name")]
    if rng.random() < 0.4:
        rights.reverse()
    if rng.random() < 0.5:
        rights.append([[Piece(head.label(*_ABOUT), head.label_face)]])
        if rng.random() < 0.5:
            rights[-1] += [[Piece(option, head.label_face)] for option in form_2026.RADIO_LABELS.values()]
    if rng.random() < 0.4:
        rng.choice((lefts, rights)).insert(0, [[Piece("Deadline: March 19", "sans-bold")]])
    return lefts, rights


Cells = list[list[Stroke]]
Contents = list[list[list[Piece]]]


def _rows(
    head: _Head, left: Cell, right: Cell, lefts: Contents, rights: Contents, top: float
) -> tuple[Cells, float]:
    """Each row is as high as the higher of its two cells."""
    pad = head.rng.uniform(0, 8)
    cells: Cells = []
    for n in range(max(len(lefts), len(rights))):
        bottoms = [top]
        for cell, contents in ((left, lefts), (right, rights)):
            if n < len(contents):
                strokes, bottom = set_cell(cell, top, contents[n])
                cells.append(strokes)
                bottoms.append(bottom)
        top = max(bottoms) + pad
    return cells, top


def _flows(
    head: _Head, left: Cell, right: Cell, lefts: Contents, rights: Contents, top: float
) -> tuple[Cells, float]:
    """Both columns flow by themselves."""
    cells: Cells = []
    bottoms = []
    for cell, contents in ((left, lefts), (right, rights)):
        y, pad = top + head.rng.choice((0.0, 0.0, head.rng.uniform(-12, 12))), head.rng.uniform(0, 8)
        for content in contents:
            strokes, y = set_cell(cell, y, content)
            cells.append(strokes)
            y += pad
        bottoms.append(y)
    return cells, max(bottoms)


def _four_columns(
    head: _Head, left: Cell, right: Cell, lefts: Contents, rights: Contents, top: float
) -> tuple[Cells, float]:
    """Labels and values in cells of their own."""
    size, leading = min(left.size, 10.0), left.leading
    edges = [left.x, left.x + 12 * size, left.x + 26 * size, left.x + 36 * size]
    columns = [Cell(x, w * size, size, leading) for x, w in zip(edges, (11, 13, 9, 15), strict=True)]
    cells: Cells = []
    for n in range(max(len(lefts), len(rights))):
        bottoms = [top]
        for at, contents in ((0, lefts), (2, rights)):
            y = top
            for paragraph in contents[n] if n < len(contents) else []:
                below = []
                for column, pieces in ((columns[at], paragraph[:1]), (columns[at + 1], paragraph[2:])):
                    strokes, bottom = set_cell(column, y, [pieces])
                    cells.append(strokes)
                    below.append(bottom)
                y = max(below)
            bottoms.append(y)
        top = max(bottoms) + 4
    return cells, top


def _put(head: _Head, canvas: Canvas, cells: Cells) -> None:
    """Write the strokes in the order of one or another editor: by cell, by line, or by no order."""
    strokes = [stroke for cell in cells for stroke in cell]
    order = head.rng.choice(("cells", "cells", "lines", "lines", "none"))
    if order == "lines":
        strokes.sort(key=lambda stroke: (round(stroke.y), stroke.x))
    elif order == "none":
        head.rng.shuffle(strokes)
    rects: dict[str, list[pymupdf.Rect]] = {}
    for stroke in strokes:
        canvas.text(stroke.x, stroke.y, stroke.text, stroke.size, stroke.face)
        if stroke.field:
            rects.setdefault(stroke.field, []).append(
                line_box(stroke.x, stroke.y, stroke.text, stroke.size, stroke.face)
            )
    for field, places in rects.items():
        value = head.entry.grade if field == "grade" else head.value(field)
        head.truth.put(field, value, canvas, places)
    school = head.entry.school_written
    if "school_name" in rects and school and school in (head.entry.school.name, *head.entry.school.aliases):
        head.truth.accept_school(head.entry)
