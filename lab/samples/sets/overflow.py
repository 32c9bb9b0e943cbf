"""Scanned forms whose handwritten answers leave their place: a corpus of its own."""

from __future__ import annotations

from random import Random

from core.confined.mupdf import pymupdf
from lab.samples.damage.scan import draw_scanner
from lab.samples.forms.hand_sheet import draw_sheet
from lab.samples.hand.handwriting import draw_hand
from lab.samples.hand.overflow import WAYS
from lab.samples.part import Part
from lab.samples.sample import Sample
from lab.samples.scans import scanned


def draw_overflow(part: Part, seed: int, entries: int) -> list[tuple[str, Sample]]:
    """Return file names and samples of so many entries of a part; every way occurs about equally often."""
    found = []
    ways = list(WAYS)
    for number in range(1, entries + 1):
        sample = _draw(Random(f"{seed}:{part.name}:overflow:{number}"), part, ways[number % len(ways)])
        sample.part = part.name
        found.append((f"overflow-{number:03d}.pdf", sample))
    return found


def _draw(rng: Random, part: Part, way: str) -> Sample:
    doc = pymupdf.open()
    truth = draw_sheet(rng, part, doc, draw_hand(rng, part), way)
    return scanned(rng, part, "overflow", doc, [truth], draw_scanner(rng, part))
