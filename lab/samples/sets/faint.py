"""Scanned forms written in pencil that is hardly darker than the paper: a corpus of its own."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from core.confined.mupdf import pymupdf
from lab.samples.damage.scan import draw_scanner
from lab.samples.forms.hand_sheet import draw_sheet
from lab.samples.hand.handwriting import draw_hand
from lab.samples.part import Part
from lab.samples.sample import Sample
from lab.samples.scans import scanned

#: Lightness of the pencil, 1 = white.
LIGHTNESS = (0.72, 0.9)


def draw_faint(part: Part, seed: int, entries: int) -> list[tuple[str, Sample]]:
    """Return file names and samples of so many entries of a part."""
    found = []
    for number in range(1, entries + 1):
        sample = _draw(Random(f"{seed}:{part.name}:faint:{number}"), part)
        sample.part = part.name
        found.append((f"faint-{number:03d}.pdf", sample))
    return found


def _draw(rng: Random, part: Part) -> Sample:
    """Draw a sheet as a scanner sees it that keeps shades of grey."""
    doc, light = pymupdf.open(), rng.uniform(*LIGHTNESS)
    pencil = replace(draw_hand(rng, part), ink=(light, light, light))
    truth = draw_sheet(rng, part, doc, pencil)
    truth.hazards.append("faint_pencil")
    return scanned(rng, part, "faint", doc, [truth], draw_scanner(rng, part, one_bit=False))
