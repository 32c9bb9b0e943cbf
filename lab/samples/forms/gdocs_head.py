"""The head of a re-flowed form: title, logo, labels in two columns with the values flowing behind them."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from core.confined.mupdf import pymupdf
from lab.samples import flow
from lab.samples.canvas import Canvas
from lab.samples.entry import Entry, grade_in_words
from lab.samples.forms import form_2026, logo
from lab.samples.hand import fonts
from lab.samples.truth import Truth

_LEFT, _RIGHT = 30.0, 309.0


@dataclass(frozen=True)
class Year:
    """What differs from year to year."""

    title: str
    deadline: str


def write_head(rng: Random, canvas: Canvas, truth: Truth, entry: Entry, year: Year) -> float:
    """Write the head; returns the baseline at which the prompts begin."""
    canvas.text(rng.choice((72, 153)), 62, year.title, 22, "sans-bold")
    canvas.page.insert_image(pymupdf.Rect(30, 78, 141, 137), stream=logo.png())
    separator = rng.choice((" ", " ", "  ", " - ", ": ", " : ", "- ", ""))
    size = rng.choice((9.0, 9.0, 10.0))
    _write_right(rng, canvas, truth, entry, separator, size)
    _write_deadline(rng, canvas, year)
    left = flow.Column(_LEFT, _RIGHT - _LEFT - 10, size, size * 1.3)
    y = _labelled(canvas, truth, left, 168.0, "student_name", form_2026.NAME_LABEL, separator, entry.name)
    y = max(y + 4, 187)
    y = _labelled(canvas, truth, left, y, "father_figure_name", form_2026.FATHER_LABEL, separator, entry.father)
    return max(_write_contact(rng, canvas, truth, entry, separator, max(y + 4, 206)), 226)


def _labelled(
    canvas: Canvas,
    truth: Truth,
    column: flow.Column,
    y: float,
    field: str,
    label: str,
    separator: str,
    value: str | None,
) -> float:
    rects, y = flow.write(canvas, column, y, label, separator if value else "", value or "")
    if value:
        truth.put(field, value, canvas, rects)
    return y


def _write_right(rng: Random, canvas: Canvas, truth: Truth, entry: Entry, separator: str, size: float) -> None:
    """Grade and school in either order."""
    column = flow.Column(_RIGHT, 580 - _RIGHT, size, size * 1.3)
    grade = grade_in_words(rng, entry) if rng.random() < 0.93 else None
    if rng.random() > 0.95:
        entry.school_written = None
    y = rng.choice((114.0, 132.0, 154.0))

    def write_grade(at: float) -> float:
        rects, below = flow.write(canvas, column, at, form_2026.GRADE_LABEL, separator, grade or "")
        truth.put("grade", entry.grade if grade else None, canvas, rects)
        return below

    def write_school(at: float) -> float:
        school = entry.school_written or ""
        rects, below = flow.write(canvas, column, at, form_2026.SCHOOL_LABEL, separator, school)
        truth.put_school(entry, canvas, rects)
        return below

    first, second = (write_grade, write_school) if rng.random() < 0.7 else (write_school, write_grade)
    second(max(first(y), y + 18))


def _write_deadline(rng: Random, canvas: Canvas, year: Year) -> None:
    """It floats in either column, on one line or two."""
    x, beside = rng.choice((_RIGHT, 200.0)), rng.random() < 0.5
    canvas.text(x, 84, "Deadline:", 11, "sans-bold", form_2026.RED)
    canvas.text(x + (58 if beside else 0), 84 if beside else 97, year.deadline, 11, "sans-bold", form_2026.RED)


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


def write_without_labels(rng: Random, canvas: Canvas, truth: Truth, entry: Entry) -> float:
    """One writer deleted every label and kept only the answers."""
    truth.hazards.append("labels_deleted")
    canvas.page.insert_image(pymupdf.Rect(30, 60, 141, 119), stream=logo.png())
    truth.put("student_name", entry.name, canvas, [canvas.text(_LEFT, 160, entry.name or "", 11)])
    for field, value, x, y in (
        ("father_figure_name", entry.father, _LEFT, 179),
        ("email", entry.email, 72.0, 198),
        ("phone", entry.phone, 280.0, 198),
    ):
        if value:
            truth.put(field, value, canvas, [canvas.text(x, y, value, 11)])
    grade = grade_in_words(rng, entry) or ""
    if grade.isdigit():
        grade = f"Grade {grade}"
    truth.put("grade", entry.grade, canvas, [canvas.text(_RIGHT, 143, grade, 11)])
    truth.put_school(entry, canvas, [canvas.text(_RIGHT, 161, entry.school_written or "", 11)])
    return 232
