"""Live fields whose value and whose appearance are two things, as viewers and mergers leave them."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from core.confined.mupdf import pymupdf
from lab.samples.canvas import Canvas, wrap_all
from lab.samples.entry import Entry
from lab.samples.hand import fonts
from lab.samples.page_truth.objects import (
    Box,
    add_look,
    add_object,
    append,
    helvetica,
    lines_shown,
    rect,
    text_string,
)
from lab.samples.page_truth.sheet import FORM, REQUIRED, Sheet, compose, draw_person
from lab.samples.page_truth.trouble import Way, as_pdf
from lab.samples.part import Part
from lab.samples.sample import Sample

#: Field flags (PDF 32000-1, 12.7.4) and annotation flags (12.5.3).
_MULTILINE, _COMBO = 1 << 12, 1 << 17
_PRINTED, _HIDDEN, _NO_VIEW = 4, 2, 36
_SIZE = 10.0
#: Names and places of the fields of the form of 2026.
_WIDGETS: dict[str, tuple[str, Box]] = {
    "student_name": ("Student's Name", (201.1, 111.6, 419.1, 128.8)),
    "father_figure_name": ("Dad's Name", (288.7, 131.2, 418.7, 147.0)),
    "email": ("Dad's Email", (64.1, 151.1, 203.8, 167.7)),
    "phone": ("Dad's Phone", (288.4, 150.2, 418.5, 166.0)),
    "grade": ("Grade", (496.4, 111.4, 578.6, 129.4)),
    "school_name": ("School", (496.6, 130.6, 578.5, 147.8)),
    "essay_text": ("Essay", (32.0, 223.0, 577.0, 647.0)),
}


@dataclass
class Field:
    """A field of one widget. `shown`: what its appearance draws, its value unless given."""

    name: str
    box: Box
    value: str
    shown: str | None = None
    flags: int = 0
    #: Flags of the widget.
    look_flags: int = _PRINTED
    #: Export values and displayed texts of a drop-down.
    options: list[tuple[str, str]] = field(default_factory=list)
    wide: bool = False

    @property
    def text(self) -> str:
        """What is seen."""
        return self.value if self.shown is None else self.shown


def add_field(canvas: Canvas, given: Field) -> None:
    """Add a field of its own."""
    doc: pymupdf.Document = canvas.page.parent
    xref = add_object(doc, f"<<{_kind(given)}/T{text_string(given.name)}{_value(given)}{_widget(canvas, given)}>>")
    append(doc, canvas.page.xref, "Annots", f"{xref} 0 R")
    append(doc, _form(doc), "Fields", f"{xref} 0 R")


def add_shared(doc: pymupdf.Document, places: list[tuple[Canvas, Field]], value: str, *, deep: bool) -> None:
    """Add one field with a widget on each page, as mergers do; the value is that of the field alone.

    `deep`: under a parent without a value, as forms of design programs have it.
    """
    first = places[0][1]
    parent = add_object(doc, "<<>>")
    kids = [add_object(doc, f"<</Parent {parent} 0 R{_widget(canvas, given)}>>") for canvas, given in places]
    for (canvas, _), kid in zip(places, kids, strict=True):
        append(doc, canvas.page.xref, "Annots", f"{kid} 0 R")
    references = " ".join(f"{kid} 0 R" for kid in kids)
    above, root = "", parent
    if deep:
        root = add_object(doc, f"<</T{text_string('Page1[0]')}/Kids[{parent} 0 R]>>")
        above = f"/Parent {root} 0 R"
    doc.update_object(
        parent, f"<<{_kind(first)}/T{text_string(first.name)}/V{text_string(value)}/Kids[{references}]{above}>>"
    )
    append(doc, _form(doc), "Fields", f"{root} 0 R")


def _kind(given: Field) -> str:
    if not given.options:
        return f"/FT/Tx/Ff {given.flags}"
    pairs = "".join(f"[{text_string(export)}{text_string(shown)}]" for export, shown in given.options)
    return f"/FT/Ch/Ff {given.flags | _COMBO}/Opt[{pairs}]"


def _value(given: Field) -> str:
    return f"/V{text_string(given.value, wide=given.wide)}" if given.value else ""


def _widget(canvas: Canvas, given: Field) -> str:
    width, height = given.box[2] - given.box[0], given.box[3] - given.box[1]
    many = bool(given.flags & _MULTILINE)
    lines = wrap_all(given.text.split("\n"), width - 6, _SIZE) if many else [given.text]
    size = _SIZE if many else min(_SIZE, _SIZE * (width - 5) / max(1.0, fonts.width("sans", given.text, _SIZE)))
    y = height - size - 2 if many else (height - size) / 2 + 2
    shown = lines_shown(lines, size, 2, y) if given.text else ""
    content = f"/Tx BMC q 1 1 {width - 2:.2f} {height - 2:.2f} re W n {shown} Q EMC"
    doc = canvas.page.parent
    look = add_look(doc, width, height, content, _font(doc))
    return (
        f"/Type/Annot/Subtype/Widget/Rect[{rect(canvas, given.box)}]/F {given.look_flags}"
        f"/P {canvas.page.xref} 0 R/DA(/Helv {_SIZE:g} Tf 0 g)/AP<</N {look} 0 R>>"
    )


def _form(doc: pymupdf.Document) -> int:
    kind, value = doc.xref_get_key(doc.pdf_catalog(), "AcroForm")
    if kind == "xref":
        return int(value.split()[0])
    font = helvetica(doc)
    form = add_object(doc, f"<</Fields[]/DR<</Font<</Helv {font} 0 R>>>>/DA(/Helv 0 Tf 0 g)>>")
    doc.xref_set_key(doc.pdf_catalog(), "AcroForm", f"{form} 0 R")
    return form


def _font(doc: pymupdf.Document) -> int:
    _, value = doc.xref_get_key(_form(doc), "DR/Font/Helv")
    return int(value.split()[0])


def form_fields(sheet: Sheet) -> dict[str, Field]:
    """The fields of a filled form, by the name of what they hold."""
    fields = {
        name: Field(*_WIDGETS[name], sheet.spots[name].text if name in sheet.spots else "")
        for name in _WIDGETS
        if name != "essay_text"
    }
    fields["essay_text"] = Field(*_WIDGETS["essay_text"], "\n".join(sheet.entry.essay), flags=_MULTILINE)
    return fields


def open_form(rng: Random, part: Part, copies: int = 1) -> tuple[pymupdf.Document, list[Sheet]]:
    """A document of forms without values, one a page, and their sheets. Values fit their fields at one size."""
    doc = pymupdf.open()
    sheets = [compose(rng, part, doc, FORM) for _ in range(copies)]
    for number, sheet in enumerate(sheets):
        sheet.canvas = Canvas.over(doc[number], number + 1)
    return doc, sheets


def filled(change: str, names: tuple[str, ...]) -> Way:
    """A form of which some fields draw another text than their value."""

    def draw(rng: Random, part: Part) -> Sample:
        doc, (sheet,) = open_form(rng, part)
        fields, other = form_fields(sheet), draw_person(rng, part)
        for name in names:
            given = fields[name]
            given.shown, given.value = given.value, _another(name, other, given.value)
        for given in fields.values():
            add_field(sheet.canvas, given)
        if change == "viewer_draws":
            doc.xref_set_key(_form(doc), "NeedAppearances", "true")
        sheet.truth.must_wait = any(name in (*REQUIRED, "essay_text") for name in names)
        return as_pdf(doc, rng, [sheet.truth])

    return draw


def _another(name: str, other: Entry, instead: str) -> str:
    values = {
        "student_name": other.name,
        "school_name": other.school_written,
        "essay_text": "\n".join(other.essay),
        "grade": "7" if instead != "7" and "7" not in instead else "3",
    }
    return values.get(name) or "(312) 555-0100"


def merged(*, first: bool, deep: bool = False, copies: int = 3, own: bool = False) -> Way:
    """Filled forms that were merged: equal names make one field with a widget of each form.

    The field's value is that of the first form or of the last one; each widget draws its own form's. `own`: the
    merger left each form its own fields under equal names.
    """

    def draw(rng: Random, part: Part) -> Sample:
        doc, sheets = open_form(rng, part, copies)
        fields = [form_fields(sheet) for sheet in sheets]
        for name in _WIDGETS:
            places = [(sheet.canvas, given[name]) for sheet, given in zip(sheets, fields, strict=True)]
            if own:
                for canvas, given in places:
                    add_field(canvas, given)
            else:
                add_shared(doc, places, places[0 if first else -1][1].value, deep=deep)
        return as_pdf(doc, rng, [sheet.truth for sheet in sheets])

    return draw


def choices(codes: str) -> Way:
    """Drop-downs for grade and school whose export values are not the texts that are seen."""

    def draw(rng: Random, part: Part) -> Sample:
        doc, (sheet,) = open_form(rng, part)
        fields = form_fields(sheet)
        grade, school = fields["grade"], fields["school_name"]
        grades = ["K", *(str(number) for number in range(1, 13))]
        shown = [_shown_grade(text, part) for text in grades]
        exports = {
            "letters": [f"g{number:02d}" for number in range(13)],
            "places": [str(number) for number in range(13)],
            "years": [str(2039 - number) for number in range(13)],
            "one_less": [str(max(1, number - 1)) for number in range(13)],
        }[codes]
        at = grades.index(sheet.entry.grade or "K")
        grade.value, grade.shown = exports[at], shown[at]
        grade.options = list(zip(exports, shown, strict=True))
        others = [one.name for one in rng.sample(part.schools.schools, 3)]
        names = [*others[:2], school.value, others[2]]
        numbers = [_school_code(rng, name, codes) for name in names]
        school.shown, school.value = school.value, numbers[2]
        school.options = list(zip(numbers, names, strict=True))
        for given in fields.values():
            add_field(sheet.canvas, given)
        return as_pdf(doc, rng, [sheet.truth], no_entry=[numbers[2]] if len(numbers[2]) > 2 else [])

    return draw


def _shown_grade(grade: str, part: Part) -> str:
    if part.held_out:
        return "Kindergarten" if grade == "K" else f"Grade {grade}"
    return grade


def _school_code(rng: Random, name: str, codes: str) -> str:
    if codes in ("letters", "places"):
        return str(rng.randrange(1000, 9000))
    return "".join(word[0] for word in name.split()) + f"-{rng.randrange(10, 99)}x"


#: Prompts that were left in fields, by part.
_PROMPTS: dict[bool, dict[str, tuple[str, ...]]] = {
    False: {
        "student_name": ("Type the student's name here", "Student name"),
        "school_name": ("Type school name", "School name here"),
        "grade": ("Type grade", "Choose grade"),
        "father_figure_name": ("Type father's name", "Father's name here"),
        "email": ("name@example.com", "you@example.com"),
        "phone": ("(555) 555-5555", "555-555-5555"),
    },
    True: {
        "student_name": ("Enter student name", "First and last name", "Click or tap to enter text"),
        "school_name": ("Enter school", "Name of your school", "Select a school"),
        "grade": ("Enter grade", "K-12", "Select..."),
        "father_figure_name": ("Enter father's name", "Parent or guardian name", "Click to enter"),
        "email": ("email@example.com", "yourname@example.com", "Enter e-mail"),
        "phone": ("(000) 000-0000", "###-###-####", "123-456-7890"),
    },
}


def prompts(names: tuple[str, ...]) -> Way:
    """Fields in which the prompts were left."""

    def draw(rng: Random, part: Part) -> Sample:
        doc, (sheet,) = open_form(rng, part)
        fields = form_fields(sheet)
        left = []
        for name in names:
            fields[name].value = rng.choice(_PROMPTS[part.held_out][name])
            left.append(fields[name].value)
            sheet.say(name, None)
        for given in fields.values():
            add_field(sheet.canvas, given)
        sheet.truth.must_wait = any(name in REQUIRED for name in names)
        return as_pdf(doc, rng, [sheet.truth], no_entry=[text for text in left if len(text) > 5])

    return draw


def hidden(how: str) -> Way:
    """Fields that are not seen hold another child."""

    def draw(rng: Random, part: Part) -> Sample:
        doc, (sheet,) = open_form(rng, part)
        fields, other = form_fields(sheet), draw_person(rng, part)
        before = {"student_name": other.name or "", "school_name": other.school_written or "", "grade": "12"}
        added = []
        for name, value in before.items():
            box = fields[name].box
            place = {"outside": (700.0, box[1], 760.0, box[3]), "no_size": (box[0], box[1], box[0], box[1])}
            flags = {"hidden": _HIDDEN, "hidden_same_place": _HIDDEN, "no_view": _NO_VIEW - _PRINTED}
            added.append(
                Field(
                    f"{'prev_' if not part.held_out else 'x'}{fields[name].name}",
                    place.get(how, box if how == "hidden_same_place" else (40, 20, 160, 34)),
                    value,
                    look_flags=flags.get(how, _PRINTED),
                )
            )
        for given in [*added, *fields.values()] if part.held_out else [*fields.values(), *added]:
            add_field(sheet.canvas, given)
        return as_pdf(doc, rng, [sheet.truth], no_entry=[before["student_name"]])

    return draw


def control_characters(signs: str, names: tuple[str, ...]) -> Way:
    """Values with characters that no keyboard has and that are not seen."""

    def draw(rng: Random, part: Part) -> Sample:
        doc, (sheet,) = open_form(rng, part)
        fields = form_fields(sheet)
        for name in names:
            given = fields[name]
            given.shown, given.wide = given.value, True
            for sign in signs:
                at = rng.randrange(1, len(given.value))
                given.value = given.value[:at] + sign + given.value[at:]
        for given in fields.values():
            add_field(sheet.canvas, given)
        return as_pdf(doc, rng, [sheet.truth])

    return draw
