"""The form opened in Google Docs and printed: the same words, re-flowed over one to five pages."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import pymupdf

from scripts.samples import fonts, form_2026, instructions, logo
from scripts.samples.canvas import Canvas, wrap
from scripts.samples.entry import Entry, draw_entry, grade_in_words
from scripts.samples.sample import Sample, to_bytes
from scripts.samples.truth import Truth

_RIGHT = 309.0


@dataclass
class _Pen:
    """Where the re-flowed text goes on."""

    doc: pymupdf.Document
    canvas: Canvas
    y: float

    def advance(self, step: float) -> None:
        self.y += step
        if self.y > 726:
            self.canvas, self.y = Canvas(self.doc), 84.0


def draw_2026(rng: Random) -> Sample:
    """A re-flowed form of 2026."""
    return _sample(rng, "gdocs_form_26", form_2026.TITLE, "March 19")


def draw_2025(rng: Random) -> Sample:
    """A re-flowed form of 2025."""
    return _sample(rng, "gdocs_form_25", "2025 IFI Fatherhood Essay Contest", "March 14")


def _sample(rng: Random, kind: str, title: str, deadline: str) -> Sample:
    entry = draw_entry(rng, spanish_share=0.25, count=(70, 420))
    doc = pymupdf.open()
    truth = Truth()
    pen = _Pen(doc, Canvas(doc), 0)
    if rng.random() < 0.1:
        _write_without_labels(rng, pen, truth, entry)
    else:
        _write_head(rng, pen, truth, entry, title, deadline)
        _write_essay(rng, pen, truth, entry)
        _write_tail(rng, pen, truth, entry)
        if rng.random() < 0.8:
            instructions.draw(doc, size=rng.choice((11, 12, 13, 15)), left=rng.choice((33, 72)), first_y=90)
    truth.page_end = doc.page_count
    truth.doc_class = "SINGLE_TYPED" if doc.page_count == 1 else "MULTI_PAGE_SINGLE"
    return Sample(kind, ".pdf", to_bytes(doc, rng), [truth])


def _write_without_labels(rng: Random, pen: _Pen, truth: Truth, entry: Entry) -> None:
    """One writer deleted every label and kept only the answers."""
    truth.hazards.append("labels_deleted")
    canvas = pen.canvas
    canvas.page.insert_image(pymupdf.Rect(30, 60, 141, 119), stream=logo.png())
    truth.put("student_name", entry.name, canvas, [canvas.text(30, 160, entry.name or "", 11)])
    if entry.father:
        truth.put("father_figure_name", entry.father, canvas, [canvas.text(30, 179, entry.father, 11)])
    if entry.email:
        truth.put("email", entry.email, canvas, [canvas.text(72, 198, entry.email, 11)])
    if entry.phone:
        truth.put("phone", entry.phone, canvas, [canvas.text(260, 198, entry.phone, 11)])
    grade = grade_in_words(rng, entry) or ""
    grade = grade if not grade.isdigit() else f"{grade}th grade" if int(grade) > 3 else f"Grade {grade}"
    truth.put("grade", entry.grade, canvas, [canvas.text(_RIGHT, 143, grade, 11)])
    truth.put_school(entry, canvas, [canvas.text(_RIGHT, 161, entry.school_written or "", 11)])
    pen.y = 232
    _write_essay(rng, pen, truth, entry, prompts=False)


def _write_head(rng: Random, pen: _Pen, truth: Truth, entry: Entry, title: str, deadline: str) -> None:
    canvas = pen.canvas
    canvas.text(rng.choice((72, 153)), 62, title, 22, "sans-bold")
    canvas.page.insert_image(pymupdf.Rect(30, 78, 141, 137), stream=logo.png())
    separator = rng.choice((" ", " ", " - ", ": ", "- ", "  "))
    _write_right(rng, canvas, truth, entry, separator, deadline)
    y = 168.0
    y = _labelled(canvas, truth, "student_name", form_2026.NAME_LABEL, entry.name, separator, 30, y)
    y = _labelled(
        canvas, truth, "father_figure_name", form_2026.FATHER_LABEL, entry.father, separator, 30, max(y, 187)
    )
    y = _write_contact(rng, canvas, truth, entry, separator, max(y, 206))
    pen.y = max(y, 226)


def _labelled(
    canvas: Canvas, truth: Truth, field: str, label: str, value: str | None, separator: str, x: float, y: float
) -> float:
    """A label with its value behind it, wrapping into the next line; returns the next baseline."""
    canvas.text(x, y, label, 9)
    if not value:
        return y + 19
    start = x + fonts.width("sans", label, 9)
    if separator.strip():
        canvas.text(start, y, separator.strip(), 9)
    start += fonts.width("sans", separator, 9) + 2
    lines = wrap(value, _RIGHT - 8 - x, 10, first_indent=start - x)
    rects = []
    for i, line in enumerate(lines):
        fits = i > 0 or start + fonts.width("sans", line, 10) < _RIGHT - 4
        if i == 0 and not fits:
            y += 13
        rects.append(canvas.text(start if i == 0 and fits else x, y, line, 10))
        y += 13
    truth.put(field, value, canvas, rects)
    return y + 6


def _write_right(rng: Random, canvas: Canvas, truth: Truth, entry: Entry, separator: str, deadline: str) -> None:
    """Grade and school in either order; the deadline floats in either column."""
    grade_first = rng.random() < 0.7
    y = rng.choice((114.0, 132.0, 154.0))
    grade_y, school_y = (y, y + 18) if grade_first else (y + 30, y)
    canvas.text(_RIGHT, grade_y, form_2026.GRADE_LABEL, 9)
    canvas.text(_RIGHT, school_y, form_2026.SCHOOL_LABEL, 9)
    grade = grade_in_words(rng, entry)
    if grade and rng.random() < 0.93:
        x = _RIGHT + fonts.width("sans", form_2026.GRADE_LABEL + separator, 9) + 2
        truth.put("grade", entry.grade, canvas, [canvas.text(x, grade_y, grade, 10)])
    if entry.school_written and rng.random() < 0.95:
        x = _RIGHT + fonts.width("sans", form_2026.SCHOOL_LABEL + separator, 9) + 2
        lines = wrap(entry.school_written, 580 - _RIGHT, 10, first_indent=x - _RIGHT)
        rects = [canvas.text(x if i == 0 else _RIGHT, school_y + 12 * i, line, 10) for i, line in enumerate(lines)]
        truth.put_school(entry, canvas, rects)
    column = rng.choice((_RIGHT, 200.0))
    beside = rng.random() < 0.5
    canvas.text(column, 84, "Deadline:", 11, "sans-bold", form_2026.RED)
    canvas.text(column + (58 if beside else 0), 84 if beside else 97, deadline, 11, "sans-bold", form_2026.RED)


def _write_contact(rng: Random, canvas: Canvas, truth: Truth, entry: Entry, separator: str, y: float) -> float:
    """E-mail and phone share a line; the values stand between, behind or under the labels."""
    email, phone = entry.email or "", entry.phone or ""
    if rng.random() < 0.6:
        x = canvas.text(72, y, form_2026.EMAIL_LABEL + separator.rstrip(), 9).x1 + 4
        if email:
            rect = canvas.text(x, y, email, 10)
            truth.put("email", entry.email, canvas, [rect])
            x = rect.x1 + 6
        x = canvas.text(x, y, form_2026.PHONE_LABEL + separator.rstrip(), 9).x1 + 4
        if phone:
            truth.put("phone", entry.phone, canvas, [canvas.text(x, y, phone, 10)])
        return y + 20
    x = canvas.text(72, y, form_2026.EMAIL_LABEL, 9).x1 + 60
    canvas.text(x, y, form_2026.PHONE_LABEL, 9)
    y += 14
    if email:
        truth.put("email", entry.email, canvas, [canvas.text(72, y, email, 10)])
    if phone:
        x = max(x, 72 + fonts.width("sans", email, 10) + 14)
        truth.put("phone", entry.phone, canvas, [canvas.text(x, y, phone, 10)])
    return y + 20


def _write_essay(rng: Random, pen: _Pen, truth: Truth, entry: Entry, prompts: bool = True) -> None:
    """Prompts, then the essay; from its second page on it runs over the full width."""
    if prompts:
        for prompt in form_2026.PROMPTS:
            pen.canvas.text(36, pen.y, prompt, 11)
            pen.advance(17)
    size, leading = rng.choice((11, 12, 12, 14)), rng.choice((1.2, 1.5, 2.0))
    first, rects = pen.canvas, []
    for paragraph in truth.essay_with_title(rng, entry):
        for line in wrap(paragraph, 540, size):
            rect = pen.canvas.text(36, pen.y, line, size)
            if pen.canvas is first:
                rects.append(rect)
            pen.advance(size * leading)
        pen.advance(size * 0.6)
    truth.put_essay(entry, first, rects)


def _write_tail(rng: Random, pen: _Pen, truth: Truth, entry: Entry) -> None:
    """Limits, the reaction, the radios' labels and footnotes, wherever the flow leaves them."""
    scattered = [form_2026.ABOUT_LABEL, *form_2026.RADIO_LABELS.values()]
    before = scattered if rng.random() < 0.5 else scattered[:2]
    for text in before:
        pen.advance(16)
        pen.canvas.text(rng.choice((36, 72, _RIGHT)), pen.y, text, 9)
    pen.advance(18)
    pen.canvas.text(330, pen.y, form_2026.ESSAY_LIMIT, 7)
    for text in form_2026.REACTION:
        pen.advance(18)
        pen.canvas.text(36, pen.y, text, 11)
    if entry.reaction:
        rects, canvas = [], pen.canvas
        for line in wrap(entry.reaction, 520, 11):
            pen.advance(15)
            rects.append(pen.canvas.text(36, pen.y, line, 11))
            canvas = pen.canvas
        truth.put("parent_reaction", entry.reaction, canvas, rects)
    for text in scattered[len(before) :]:
        pen.advance(16)
        pen.canvas.text(72, pen.y, text, 9)
    for text in (form_2026.REACTION_LIMIT, *form_2026.FOOTNOTES):
        pen.advance(14)
        pen.canvas.text(36, pen.y, text, 6.5)
