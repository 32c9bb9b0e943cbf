"""The form opened in Google Docs and printed: the same words, re-flowed over one to five pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from core.confined.mupdf import pymupdf
from lab.samples.canvas import Canvas, wrap
from lab.samples.entry import Entry, draw_entry
from lab.samples.forms import form_2026, instructions, radio_marks, sideways
from lab.samples.forms.gdocs_head import Year, write_head, write_without_labels
from lab.samples.part import Part, aside
from lab.samples.sample import Sample, to_bytes
from lab.samples.truth import Truth

#: Where the second column of labels began before the re-flow.
_COLUMN = 309.0
#: What a re-flow moves out of the header.
SCATTERED = (form_2026.ABOUT_LABEL, *form_2026.RADIO_LABELS.values())


@dataclass
class Pen:
    """Where the re-flowed text goes on."""

    doc: pymupdf.Document
    canvas: Canvas
    y: float

    def advance(self, step: float) -> None:
        self.y += step
        if self.y > 726:
            self.canvas, self.y = Canvas(self.doc), 84.0


def draw_2026(rng: Random, part: Part) -> Sample:
    """A re-flowed form of 2026."""
    return _sample(rng, part, "gdocs_form_26", Year(form_2026.TITLE, "March 19"))


def draw_2025(rng: Random, part: Part) -> Sample:
    """A re-flowed form of 2025."""
    return _sample(rng, part, "gdocs_form_25", Year("2025 IFI Fatherhood Essay Contest", "March 14"))


def _sample(rng: Random, part: Part, kind: str, year: Year) -> Sample:
    entry = draw_entry(rng, part, spanish_share=0.25, count=(70, 420))
    doc = pymupdf.open()
    truth = Truth()
    pen = Pen(doc, Canvas(doc), 0)
    if rng.random() < 0.1:
        pen.y = write_without_labels(rng, pen.canvas, truth, entry)
        write_essay(rng, part, pen, truth, entry, prompts=False)
    else:
        pen.y = write_head(rng, pen.canvas, truth, entry, year)
        write_essay(rng, part, pen, truth, entry)
        write_tail(rng, part, pen, truth, entry)
        if rng.random() < 0.8:
            instructions.draw(doc, size=rng.choice((11, 12, 13, 15)), left=rng.choice((33, 72)), first_y=90)
    truth.page_end = doc.page_count
    truth.doc_class = "SINGLE_TYPED" if doc.page_count == 1 else "MULTI_PAGE_SINGLE"
    sideways.turn_native(aside(rng, "sideways"), part, doc, [truth])
    return Sample(kind, ".pdf", to_bytes(doc, rng), [truth])


def write_essay(rng: Random, part: Part, pen: Pen, truth: Truth, entry: Entry, prompts: bool = True) -> None:
    """Prompts, then the essay; from its second page on it runs over the full width."""
    if prompts:
        for prompt in form_2026.PROMPTS:
            pen.canvas.text(36, pen.y, prompt, 11)
            pen.advance(17)
    size, leading = rng.choice((11, 12, 12, 14)), rng.choice((1.2, 1.5, 2.0))
    chance = aside(rng, "essay")
    # The essay keeps the type that its writer chose for it, whatever the form is printed in.
    face = chance.choice(("sans", "sans", *part.typefaces)) if part.rare else "sans"
    if part.rare and chance.random() < 0.08:
        truth.hazards.append("essay_on_next_page")
        pen.advance(pen.canvas.height)
    first, rects = pen.canvas, []
    for paragraph in truth.essay_with_title(rng, entry):
        for line in wrap(paragraph, 540, size, face):
            rect = pen.canvas.text(36, pen.y, line, size, face)
            if pen.canvas is first:
                rects.append(rect)
            pen.advance(size * leading)
        pen.advance(size * 0.6)
    truth.put_essay(entry, first, rects)


def write_tail(
    rng: Random, part: Part, pen: Pen, truth: Truth, entry: Entry, scattered: Sequence[str] = SCATTERED
) -> None:
    """Limits, the reaction, the radios' labels and footnotes, wherever the flow leaves them."""
    before = scattered if rng.random() < 0.5 else scattered[:2]
    marks = radio_marks.draw_marks(aside(rng, "radios"), entry.about if part.rare else None)
    for text in before:
        pen.advance(16)
        marks.write(pen.canvas, truth, rng.choice((36, 72, _COLUMN)), pen.y, text)
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
        marks.write(pen.canvas, truth, 72, pen.y, text)
    for text in (form_2026.REACTION_LIMIT, *form_2026.FOOTNOTES):
        pen.advance(14)
        pen.canvas.text(36, pen.y, text, 6.5)
