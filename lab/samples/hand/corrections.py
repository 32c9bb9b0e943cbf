"""What people mend by hand on a page that is printed already."""

from __future__ import annotations

from random import Random

from core.confined.mupdf import pymupdf
from lab.samples.canvas import Canvas, Colour
from lab.samples.hand.handwriting import draw_hand
from lab.samples.part import Part
from lab.samples.truth import Truth


def correct_value(
    rng: Random, part: Part, canvas: Canvas, truth: Truth, field: str, value: str, at: tuple[float, float]
) -> None:
    """A value typed wrong, struck out, the right one written behind it or over it; the right one is true."""
    hand = draw_hand(rng, part, (10.5, 12.5))
    wrong = _mistyped(rng, value)
    rect = canvas.text(*at, wrong, 11)
    _strike(rng, canvas, rect, hand.ink)
    behind = rect.x1 + 6 + hand.width(value) < 575
    x, y = (rect.x1 + 6, at[1]) if behind else (rect.x0 + 4, at[1] - 9.5)
    truth.put(field, value, canvas, [hand.write(canvas, x, y, value)])
    truth.handwriting_font = hand.face
    truth.hazards.append("value_corrected_by_hand")


def correct_essay(
    rng: Random, part: Part, canvas: Canvas, truth: Truth, lines: list[tuple[str, pymupdf.Rect]]
) -> None:
    """A few words struck out and written anew over the line; the count may be off by them."""
    hand = draw_hand(rng, part, (8, 10))
    for text, rect in rng.sample(lines, min(len(lines), rng.randint(1, 3))):
        words = text.split()
        number = rng.randrange(len(words))
        width = rect.width / max(1, len(text))
        x0 = rect.x0 + width * len(" ".join([*words[:number], ""]))
        word = pymupdf.Rect(x0, rect.y0, x0 + width * len(words[number]), rect.y1)
        _strike(rng, canvas, word, hand.ink)
        hand.write(canvas, word.x0, word.y0 + 2, words[number])
        truth.optional_words += 1
        truth.miscounted_words += 1
    truth.handwriting_font = truth.handwriting_font or hand.face
    truth.hazards.append("essay_corrected_by_hand")


def _mistyped(rng: Random, value: str) -> str:
    """The value with two neighbouring letters exchanged or one doubled."""
    places = [i for i in range(1, len(value) - 1) if value[i].isalnum() and value[i + 1].isalnum()]
    i = rng.choice(places)
    if value[i] == value[i + 1] or rng.random() < 0.3:
        return value[:i] + value[i] + value[i:]
    return value[:i] + value[i + 1] + value[i] + value[i + 2 :]


def _strike(rng: Random, canvas: Canvas, rect: pymupdf.Rect, ink: Colour) -> None:
    middle = (rect.y0 + rect.y1) / 2
    for _ in range(rng.choice((1, 1, 2))):
        canvas.rule(
            rect.x0 - 1, middle + rng.uniform(-2, 2), rect.x1 + 1, middle + rng.uniform(-2, 2), ink, width=1.1
        )
