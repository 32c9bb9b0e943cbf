"""Handwriting: a script face written glyph by glyph with a hand's unsteadiness."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from random import Random

from core.confined.mupdf import pymupdf
from lab.samples.canvas import Canvas, Colour
from lab.samples.hand import fonts
from lab.samples.part import Part

_INKS: tuple[Colour, ...] = ((0.1, 0.1, 0.12), (0.1, 0.15, 0.5), (0.35, 0.35, 0.38), (0.2, 0.2, 0.22))

_UPSIDE_DOWN = {"¿": "?", "¡": "!"}


@dataclass(frozen=True)
class Hand:
    """One writer's hand."""

    face: str
    size: float
    slant: float
    #: Strength of the unsteadiness, 1 = an average child.
    shake: float
    ink: Colour
    capitals: bool
    seed: int

    def written(self, text: str) -> str:
        """The text as this hand can write it."""
        plain = text.replace("’", "'").replace("“", '"').replace("”", '"')
        return plain.upper() if self.capitals else plain

    def width(self, text: str, size: float | None = None) -> float:
        """About how wide the text gets."""
        scale = (size or self.size) * fonts.ALL_HANDS[self.face].scale
        return fonts.width(self.face, self.written(text), scale) * 1.03 + text.count(" ") * 0.12 * scale

    def write(self, canvas: Canvas, x: float, y: float, text: str, size: float | None = None) -> pymupdf.Rect:
        """Write one line from x on the baseline y."""
        rng = Random(f"{self.seed}:{x:.1f}:{y:.1f}:{text}")
        scale = (size or self.size) * fonts.ALL_HANDS[self.face].scale
        drift = rng.gauss(0, 0.006) * self.shake
        name = canvas.register(self.face)
        shape = canvas.page.new_shape()
        start, low, high = x, y, y
        for char in self.written(text):
            base = y + drift * (x - start) + rng.gauss(0, 0.022) * scale * self.shake
            glyph = scale * (1 + rng.gauss(0, 0.045) * self.shake)
            x += self._glyph(shape, name, rng, x, base, char, glyph)
            low, high = max(low, base), min(high, base)
        shape.commit()
        return pymupdf.Rect(start, high - 0.8 * scale, x, low + 0.28 * scale)

    def _glyph(
        self, shape: pymupdf.Shape, name: str, rng: Random, x: float, y: float, char: str, size: float
    ) -> float:
        """Draw one glyph; returns its advance."""
        advance = fonts.width(self.face, _base(char) if self._lacks(char) else char, size)
        if char == " ":
            return advance + size * abs(rng.gauss(0.12, 0.05))
        lean = self.slant + rng.gauss(0, 0.035) * self.shake
        matrix = pymupdf.Matrix(1, rng.gauss(0, 0.02) * self.shake, lean, 1, 0, 0)
        letter = _base(char) if self._lacks(char) else char
        fixed = pymupdf.Point(x, y)
        if char in _UPSIDE_DOWN and self._lacks(char):
            letter, matrix = _UPSIDE_DOWN[char], pymupdf.Matrix(-1, 0, 0, -1, 0, 0)
            fixed = pymupdf.Point(x + advance / 2, y - 0.25 * size)
        shape.insert_text(
            (x, y), letter, fontname=name, fontsize=size, color=self.ink, fill=self.ink, morph=(fixed, matrix)
        )
        if self._lacks(char) and char not in _UPSIDE_DOWN:
            self._accent(shape, x + advance * 0.4, y, char, size)
        return advance * (1.03 + rng.gauss(0, 0.02) * self.shake)

    def _lacks(self, char: str) -> bool:
        plain_only = fonts.ALL_HANDS[self.face].plain_only
        return (plain_only and ord(char) > 127) or not fonts.font(self.face).has_glyph(ord(char))

    def _accent(self, shape: pymupdf.Shape, x: float, y: float, char: str, size: float) -> None:
        """Put the mark on a letter that the face has only without it."""
        top = y - size * (0.78 if char.isupper() else 0.56)
        if "TILDE" in unicodedata.name(char, ""):
            shape.draw_bezier((x - 2, top), (x - 0.5, top - 2.5), (x + 1, top + 2), (x + 3, top - 1.5))
        else:
            shape.draw_line((x, top), (x + size * 0.14, top - size * 0.15))
        shape.finish(color=self.ink, width=size * 0.055, closePath=False)


def draw_hand(rng: Random, part: Part, size: tuple[float, float] = (13, 17)) -> Hand:
    """A writer's hand."""
    return Hand(
        face=rng.choices(list(part.hands), [face.share for face in part.hands.values()])[0],
        size=rng.uniform(*size),
        slant=rng.gauss(0, 0.07),
        shake=rng.uniform(0.5, 1.3),
        ink=rng.choice(_INKS),
        capitals=rng.random() < 0.06,
        seed=rng.randrange(1 << 30),
    )


def wrap(hand: Hand, text: str, width: float, size: float | None = None) -> list[str]:
    """Break a paragraph into lines that this hand fits into the width."""
    lines: list[str] = []
    current = ""
    for word in text.split():
        candidate = f"{current} {word}".strip()
        if current and hand.width(candidate, size) > width:
            lines.append(current)
            current = word
        else:
            current = candidate
    return [*lines, current] if current else lines


def arrow(canvas: Canvas, x0: float, y0: float, x1: float, y1: float, ink: Colour) -> None:
    """A hand-drawn arrow."""
    shape = canvas.page.new_shape()
    shape.draw_bezier((x0, y0), (x0 + (x1 - x0) * 0.3, y0 - 12), (x0 + (x1 - x0) * 0.6, y1 + 14), (x1, y1))
    shape.draw_line((x1, y1), (x1 - 14, y1 - 9))
    shape.draw_line((x1, y1), (x1 - 13, y1 + 11))
    shape.finish(color=ink, width=1.6, closePath=False)
    shape.commit()


def _base(char: str) -> str:
    return _UPSIDE_DOWN.get(char) or unicodedata.normalize("NFD", char)[0]
