"""In which order type is read, and what of it is nobody's essay: columns, initials, margins, prints, notes."""

from __future__ import annotations

from random import Random

from core.confined.mupdf import pymupdf
from lab.samples.canvas import Canvas, Colour, wrap, wrap_all
from lab.samples.hand import fonts
from lab.samples.page_truth.objects import add_annotation, add_look, helvetica, lines_shown, text_string
from lab.samples.page_truth.sheet import FORM, LABELLED, Sheet, compose, draw_person
from lab.samples.page_truth.trouble import Way, as_pdf
from lab.samples.part import Part
from lab.samples.sample import Sample
from lab.samples.truth import Truth


def columns(count: int, *, by_line: bool, layout: str | None = LABELLED) -> Way:
    """An essay in columns; `by_line`: drawn line by line across them, as some programs do."""

    def draw(rng: Random, part: Part) -> Sample:
        doc = pymupdf.open()
        sheet = compose(rng, part, doc, layout, words=(120, 170))
        sheet.put_values()
        left, right = sheet.lines[0].x, 612 - sheet.lines[0].x
        gap = rng.choice((18.0, 24.0, 30.0))
        width = (right - left - gap * (count - 1)) / count
        size, top = rng.choice((10.0, 11.0)), sheet.lines[0].y + 12
        lines = wrap_all(sheet.entry.essay, width, size, sheet.face)
        each = -(-len(lines) // count)
        places = [(number // each, number % each, line) for number, line in enumerate(lines)]
        if by_line:
            places.sort(key=lambda place: (place[1], place[0]))
        for column, row, line in places:
            sheet.canvas.text(left + column * (width + gap), top + row * size * 1.3, line, size, sheet.face)
        return as_pdf(doc, rng, [sheet.truth])

    return draw


def drop_cap(rows: int, *, last: bool = False, colour: Colour = (0, 0, 0), bold: bool = False) -> Way:
    """An essay whose first letter is as high as some lines; `last`: it is drawn after the essay."""

    def draw(rng: Random, part: Part) -> Sample:
        doc = pymupdf.open()
        sheet = compose(rng, part, doc, LABELLED)
        sheet.put_values()
        first = sheet.lines[0]
        text = " ".join(sheet.entry.essay)
        letter, rest = text[0], text[1:].lstrip()
        leading = first.size * 1.35
        face = "serif-bold" if bold else sheet.face
        cap = (leading * (rows - 1) + first.size * 0.72) / 0.7
        room = fonts.width(face, letter, cap) + 3
        top = first.y + 10
        lines = _beside(rest, 612 - 2 * first.x, room, rows, first.size, sheet.face)

        def draw_cap() -> None:
            sheet.canvas.text(first.x, top + leading * (rows - 1), letter, cap, face, colour)

        if not last:
            draw_cap()
        for number, line in enumerate(lines):
            x = first.x + (room if number < rows else 0)
            sheet.canvas.text(x, top + number * leading, line, first.size, sheet.face)
        if last:
            draw_cap()
        return as_pdf(doc, rng, [sheet.truth])

    return draw


def _beside(text: str, width: float, room: float, rows: int, size: float, face: str) -> list[str]:
    """Lines of which the first ones are shorter."""
    narrow = wrap(text, width - room, size, face)[:rows]
    left = text.split()[sum(len(line.split()) for line in narrow) :]
    return narrow + wrap(" ".join(left), width, size, face)


def margin_numbers(side: str) -> Way:
    """Every line, or every fifth, bears its number in the margin."""

    def draw(rng: Random, part: Part) -> Sample:
        doc = pymupdf.open()
        sheet = compose(rng, part, doc, LABELLED)
        sheet.put_all()
        step = 1 if not part.held_out else 5
        for number, line in enumerate(sheet.lines, 1):
            if number % step == 0:
                x = line.x - 24 if side == "left" else 612 - line.x + 8
                sheet.canvas.text(x, line.y, str(number), 8, "sans", (0.4, 0.4, 0.4))
        return as_pdf(doc, rng, [sheet.truth])

    return draw


_ADDRESS = {
    False: "https://forms.example.org/d/1x7c/viewform?edit=2_ABa",
    True: "https://survey.example.net/responses/8842?print=true",
}
_QUESTIONS = {
    False: (
        ("Student's Name *", "School *", "Grade *", "Father/Father-Figure Name", "Essay *"),
        ("Student name", "School", "Grade", "Father's name", "Your essay"),
    ),
    True: (
        ("1. Name of student", "2. School", "3. Grade", "4. Name of father or father figure", "5. Essay"),
        ("STUDENT NAME", "SCHOOL", "GRADE", "FATHER", "ESSAY"),
    ),
}


def browser_print(how: str) -> Way:
    """An online form's answers as a browser prints them: its title above, its address below, labels over values.

    `beside`: labels stand in a column before the values. `reversed`: the browser's lines are drawn at the end.
    """

    def draw(rng: Random, part: Part) -> Sample:
        doc, entry = pymupdf.open(), draw_person(rng, part)
        canvas, truth = Canvas(doc), Truth()
        face = rng.choice(part.typefaces)
        title = "Contest entry - Submission #20417" if not part.held_out else "Response 31 | Essay sign-up"
        frame = [
            (24, 22, "2/11/26, 3:14 PM" if not part.held_out else "11/02/2026, 15:14"),
            (240, 22, title),
            (24, 782, _ADDRESS[part.held_out]),
            (570, 782, "1/1"),
        ]
        if how != "reversed":
            _frame(canvas, frame)
        values = [entry.name, entry.school_written, entry.grade, entry.father, None]
        names = ("student_name", "school_name", "grade", "father_figure_name")
        y = 70.0
        for label, value in zip(rng.choice(_QUESTIONS[part.held_out]), values, strict=True):
            canvas.text(50, y, label, 10, "sans-bold" if how != "beside" else face, (0.25, 0.25, 0.25))
            if value and how == "beside":
                canvas.text(260, y, value, 11, face)
            elif value:
                canvas.text(50, y + 16, value, 11, face)
            y += 24 if how == "beside" else 44 if value else 18
        canvas.lines(50, y, wrap_all(entry.essay, 500, 11, face), 11, 15, face)
        if how == "reversed":
            _frame(canvas, frame)
        truth.values |= dict(zip(names, values[:4], strict=True))
        truth.accept_school(entry)
        truth.values["essay_text"] = "\n".join(entry.essay)
        return as_pdf(doc, rng, [truth], no_entry=[title, "example org d", "example net responses"])

    return draw


def _frame(canvas: Canvas, frame: list[tuple[int, int, str]]) -> None:
    for x, y, text in frame:
        canvas.text(x, y, text, 8)


def mail_print(how: str) -> Way:
    """A mail as a program prints it: sender and subject above, the entry in its text."""

    def draw(rng: Random, part: Part) -> Sample:
        doc, entry, sender = pymupdf.open(), draw_person(rng, part), draw_person(rng, part)
        canvas, truth, face = Canvas(doc), Truth(), rng.choice(part.typefaces)
        who, to = sender.name or "", "essays@example.org"
        address = f"{sender.family[-1].lower()}@example.org".replace("'", "")
        subject = f"Essay from {sender.school.name}"
        heads = {
            "fields": [
                f"From: {who} <{address}>",
                f"To: {to}",
                f"Subject: {subject}",
                "Sent: March 3, 2026 9:12 AM",
            ],
            "columns": [
                f"{who}",
                f"From:      {who} <{address}>",
                "Sent:       Tuesday, March 3, 2026 9:12",
                f"To:           {to}",
                f"Subject:   {subject}",
            ],
            "web": [
                f"Mail - {subject}",
                "1 message",
                f"{who} <{address}>      Tue, Mar 3, 2026 at 9:12 AM",
                f"To: {to}",
            ],
        }[how]
        y = 70.0
        for line in heads:
            canvas.text(54, y, line, 10.5, face)
            y += 15
        canvas.rule(54, y - 6, 558, y - 6)
        y += 20
        greeting = (
            "Hello, here is the entry of my student:" if not part.held_out else "Good morning! One more for you."
        )
        canvas.text(54, y, greeting, 11, face)
        y += 26
        for label, value in (("Name", entry.name), ("School", entry.school_written), ("Grade", entry.grade)):
            canvas.text(54, y, f"{label}: {value}", 11, face)
            y += 16
        y += 10
        canvas.lines(54, y, wrap_all(entry.essay, 500, 11, face), 11, 15, face)
        truth.values |= {"student_name": entry.name, "school_name": entry.school_written, "grade": entry.grade}
        truth.accept_school(entry)
        truth.values["essay_text"] = "\n".join(entry.essay)
        truth.optional_words = len(greeting.split())
        truth.accepted["essay_text"] = [f"{greeting} {' '.join(entry.essay)}"]
        return as_pdf(doc, rng, [truth], no_entry=[who, subject, address])

    return draw


_REMARKS = {
    False: ("Lovely work! Please check the commas.", "Great ending, well done."),
    True: ("Super - read this aloud to the class!", "See me about paragraph two", "A+ wonderful detail"),
}
_STAMPS = {False: "RECEIVED MAR 5 2026", True: "ENTERED 03/11/2026"}


def notes(place: str, *, stamp: bool = False, layout: str | None = FORM) -> Way:
    """A teacher's remark on the page by the comment tools, and the office's stamp."""

    def draw(rng: Random, part: Part) -> Sample:
        doc = pymupdf.open()
        sheet = compose(rng, part, doc, layout)
        sheet.put_all()
        remark = rng.choice(_REMARKS[part.held_out])
        low = sheet.lines[-1].y
        box = {
            "under": (60.0, low + 14, 330.0, low + 34),
            "margin": (380.0, low + 30, 590.0, low + 48),
            "head": (300.0, 44.0, 520.0, 60.0) if sheet.layout != FORM else (150.0, 78.0, 420.0, 98.0),
        }[place]
        note(sheet, remark, box, "0.8 0 0 rg")
        if stamp:
            note(sheet, _STAMPS[part.held_out], (380.0, low + 60, 560.0, low + 84), "0 0 0.7 rg", "Stamp")
        return as_pdf(doc, rng, [sheet.truth], no_entry=[remark, _STAMPS[part.held_out]])

    return draw


def note(
    sheet: Sheet, text: str, box: tuple[float, float, float, float], ink: str, kind: str = "FreeText"
) -> None:
    """Add a remark of the comment tools."""
    doc = sheet.canvas.page.parent
    width, height = box[2] - box[0], box[3] - box[1]
    shown = lines_shown([text], 11, 3, height / 2 - 3, ink)
    look = add_look(
        doc, width, height, f"{ink[:-2]}RG 0.5 0.5 {width - 1:.1f} {height - 1:.1f} re S {shown}", helvetica(doc)
    )
    add_annotation(sheet.canvas, kind, box, look, f"/DA(/Helv 11 Tf {ink})/Contents{text_string(text)}")


def right_to_left(rng: Random, part: Part) -> Sample:
    """A form whose names are Hebrew, drawn from left to right as they are seen."""
    doc = pymupdf.open()
    sheet = compose(rng, part, doc, FORM)
    given, family = rng.choice(_HEBREW[part.held_out])
    sheet.put_values(but=("student_name",))
    sheet.put_essay()
    name = f"{given} {family}"
    sheet.canvas.text(203, 119.3, name[::-1], 11, "dejavu")
    sheet.say("student_name", name)
    return as_pdf(doc, rng, [sheet.truth])


_HEBREW = {False: (("נועה", "לוי"), ("דוד", "כהן")), True: (("אורי", "פרידמן"), ("שירה", "ברק"), ("יעל", "מזרחי"))}
