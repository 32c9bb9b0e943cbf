"""Forms with live widgets: 2022, 2026, 2026 with garbled labels, and the official blank."""

from __future__ import annotations

from random import Random

from core.confined.mupdf import pymupdf
from lab.samples.canvas import Canvas
from lab.samples.damage.garble import garble_text_layer
from lab.samples.entry import Entry, draw_entry, grade_in_words
from lab.samples.forms import form_2022, form_2026, instructions, sideways, widgets
from lab.samples.part import Part, aside
from lab.samples.sample import Sample, to_bytes
from lab.samples.truth import Truth

_RADIOS = ("Father-Figure", "Stepdad", "Grandfather", "Father")
_RADIO_RECTS = [
    (425.7, 207.1, 439.4, 218.4),
    (426.1, 192.6, 439.8, 204.0),
    (426.1, 178.2, 439.8, 189.5),
    (426.5, 163.3, 440.2, 174.7),
]


def draw_2026(rng: Random, part: Part) -> Sample:
    """A filled 2026 form; now and then grade or school was left empty."""
    entry = draw_entry(rng, part, count=(70, 430))
    _leave_out(rng, entry)
    doc, truth = _form_2026(rng, entry)
    sideways.turn_native(aside(rng, "sideways"), part, doc, [truth])
    return Sample("acroform_26", ".pdf", to_bytes(doc, rng), [truth])


def draw_2026_garbled(rng: Random, part: Part) -> Sample:
    """The same, re-saved so that the printed labels extract as wrong characters."""
    entry = draw_entry(rng, part, count=(70, 380))
    _leave_out(rng, entry)
    doc, truth = _form_2026(rng, entry)
    data, family = garble_text_layer(to_bytes(doc, rng), rng, part)
    truth.damage.append(family)
    return Sample("acroform_26_garbled_text", ".pdf", data, [truth])


def draw_blank(rng: Random, part: Part) -> Sample:
    """The official form with nothing filled in."""
    doc, truth = _form_2026(rng, None)
    return Sample("blank_form_26", ".pdf", to_bytes(doc, rng), [truth], stem="form")


def draw_2022(rng: Random, part: Part) -> Sample:
    """A filled 2022 form: it asks for neither grade nor school."""
    entry = draw_entry(rng, part, count=(80, 380), spanish_share=0)
    doc = pymupdf.open()
    canvas, truth = Canvas(doc), Truth()
    form_2022.draw_printed(canvas)
    essay = "\n\n".join(truth.essay_with_title(rng, entry))
    box = widgets.add_text(canvas, "Student's Name", (118, 110, 420, 128), entry.name)
    truth.put("student_name", entry.name, canvas, [box])
    box = widgets.add_text(canvas, "Essay", form_2022.ESSAY_BOX, essay, multiline=True, size=_fitting(essay))
    truth.put_essay(entry, canvas, [box])
    box = widgets.add_text(
        canvas, "Dad's Response", form_2022.REACTION_BOX, entry.reaction, multiline=True, size=11
    )
    truth.put("parent_reaction", entry.reaction, canvas, [box])
    for field, name, rect, value in (
        ("father_figure_name", "Dad's Name", (168.0, 717.0, 420.0, 733.0), entry.father),
        ("email", "Dad's Email", (66.0, 736.0, 290.0, 752.0), entry.email),
        ("phone", "Dad's Phone", (332.0, 736.0, 500.0, 752.0), entry.phone),
    ):
        truth.put(field, value, canvas, [widgets.add_text(canvas, name, rect, value, size=11)])
    return Sample("acroform_22", ".pdf", to_bytes(doc, rng), [truth])


def _leave_out(rng: Random, entry: Entry) -> None:
    roll = rng.random()
    if roll < 0.1:
        entry.grade = None
    elif roll < 0.18:
        entry.school_written = None
    elif roll < 0.24:
        entry.essay = [" ".join(" ".join(entry.essay).split()[: rng.randint(18, 40)])]


def _form_2026(rng: Random, entry: Entry | None) -> tuple[pymupdf.Document, Truth]:
    """The two pages with their widgets in the official file's order."""
    doc = pymupdf.open()
    canvas = Canvas(doc)
    truth = Truth(page_end=2, doc_class="MULTI_PAGE_SINGLE")
    form_2026.draw_printed(canvas)
    instructions.draw(doc)
    # Drawing the second page invalidates the handle of the first.
    _add_widgets(rng, Canvas.over(doc[0], 1), truth, entry)
    return doc, truth


def _add_widgets(rng: Random, canvas: Canvas, truth: Truth, entry: Entry | None) -> None:
    essay = "\n\n".join(truth.essay_with_title(rng, entry)) if entry else ""
    name = entry.name if entry else None
    truth.put(
        "student_name",
        name,
        canvas,
        [widgets.add_text(canvas, "Student's Name", (201.1, 111.6, 419.1, 128.8), name)],
    )
    box = widgets.add_text(
        canvas, "Essay", form_2026.ESSAY_BOX, essay, multiline=True, size=_fitting(essay), max_length=3000
    )
    if entry:
        truth.put_essay(entry, canvas, [box])
    for field, widget, rect, value in _plain_fields(rng, entry):
        box = widgets.add_text(
            canvas,
            widget,
            rect,
            value,
            multiline=widget == "Dad's Response",
            size=10 if "Response" in widget else 11,
        )
        truth.put(field, value, canvas, [box])
    if entry and entry.grade:
        truth.values["grade"] = entry.grade
    if entry and entry.school_written:
        truth.put_school(entry, canvas, [pymupdf.Rect(496.6, 130.6, 578.5, 147.8)])
    chosen = _RADIOS.index(entry.about) if entry and entry.about else None
    widgets.add_radio_group(canvas, "Group1", _RADIO_RECTS, chosen)
    if entry and entry.about and chosen is not None:
        truth.put("writing_about", entry.about, canvas, [pymupdf.Rect(_RADIO_RECTS[chosen])])


def _plain_fields(
    rng: Random, entry: Entry | None
) -> list[tuple[str, str, tuple[float, float, float, float], str | None]]:
    """Field, widget name, place and value of the plain text fields."""
    return [
        ("parent_reaction", "Dad's Response", (29.0, 688.4, 574.6, 747.6), entry.reaction if entry else None),
        ("father_figure_name", "Dad's Name", (288.7, 131.2, 418.7, 147.0), entry.father if entry else None),
        ("email", "Dad's Email", (64.1, 151.1, 203.8, 167.7), entry.email if entry else None),
        ("phone", "Dad's Phone", (288.4, 150.2, 418.5, 166.0), entry.phone if entry else None),
        ("grade", "Grade", (496.4, 111.4, 578.6, 129.4), grade_in_words(rng, entry) if entry else None),
        ("school_name", "School", (496.6, 130.6, 578.5, 147.8), entry.school_written if entry else None),
    ]


def _fitting(essay: str) -> float:
    """A font size at which the essay fits its field, as viewers choose it."""
    return 12 if len(essay) < 1700 else 10 if len(essay) < 2400 else 9
