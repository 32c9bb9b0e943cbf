"""Single entries whose header is written by hand, for the second reader: a corpus of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import cycle
from random import Random

from core.confined.mupdf import pymupdf
from lab.samples.camp import collection as camp
from lab.samples.camp import filled
from lab.samples.camp.damage import KINDS, damaged
from lab.samples.camp.people import draw_camper
from lab.samples.damage.scan import draw_scanner
from lab.samples.forms import hand_pages, sheets_2025
from lab.samples.forms.hand_sheet import draw_sheet
from lab.samples.hand.handwriting import draw_hand
from lab.samples.hand.overflow import WAYS
from lab.samples.part import Part
from lab.samples.photos import photographed
from lab.samples.sample import Sample, to_bytes
from lab.samples.scans import add_hand_header, scanned
from lab.samples.sets.faint import LIGHTNESS
from lab.samples.truth import Truth

#: Adds the pages of one entry to a document.
_Draw = Callable[[Random, Part, pymupdf.Document], Truth]
#: Most degrees by which a skewed scan is crooked; others are up to 3.
_SKEW = 5.0


def draw_headers(part: Part, seed: int, entries: int) -> list[tuple[str, Sample]]:
    """Return file names and samples of so many entries of a part.

    Each layout has its share of any number of entries. Those of `_COMPLETE` hold name, school and grade; the
    other forms do not ask for all three.
    """
    layouts = [name for name, share in _SHARES.items() for _ in range(share)]
    Random(f"{seed}:{part.name}:headers").shuffle(layouts)
    damages = {name: cycle(_DAMAGES) for name in _SHARES}
    ways = cycle(WAYS)
    found = []
    for number, layout in zip(range(1, entries + 1), cycle(layouts), strict=False):
        rng = Random(f"{seed}:{part.name}:header:{number}")
        if layout == "camp":
            sample = _camp(rng, part, list(KINDS)[number % len(KINDS)])
        elif layout == "overflow":
            sample = _drawn(rng, part, layout, _overflowing(next(ways)), next(damages[layout]))
        else:
            sample = _drawn(rng, part, layout, _LAYOUTS[layout], next(damages[layout]))
        sample.part = part.name
        found.append((f"header-{number:03d}.pdf", sample))
    return found


def _drawn(rng: Random, part: Part, layout: str, draw: _Draw, damage: str) -> Sample:
    """Draw until the pages hold what the layout asks for, then damage them."""
    while True:
        doc = pymupdf.open()
        truth = draw(rng, part, doc)
        if truth.complete or layout not in _COMPLETE:
            break
    kind = f"header_{layout}"
    if damage == "photo":
        return Sample(kind, ".pdf", to_bytes(photographed(rng, part, doc, truth), rng), [truth])
    scanner = draw_scanner(rng, part, one_bit=False if layout == "faint" else None)
    if damage == "skewed":
        truth.hazards.append("skewed")
        scanner = replace(scanner, skew=_SKEW)
    return scanned(rng, part, kind, doc, [truth], scanner)


def _sheet(rng: Random, part: Part, doc: pymupdf.Document) -> Truth:
    return draw_sheet(rng, part, doc, draw_hand(rng, part))


def _faint(rng: Random, part: Part, doc: pymupdf.Document) -> Truth:
    light = rng.uniform(*LIGHTNESS)
    truth = draw_sheet(rng, part, doc, replace(draw_hand(rng, part), ink=(light, light, light)))
    truth.hazards.append("faint_pencil")
    return truth


def _overflowing(way: str) -> _Draw:
    """Return what draws a sheet on which an answer leaves its field in this way."""
    return lambda rng, part, doc: draw_sheet(rng, part, doc, draw_hand(rng, part), way)


def _camp(rng: Random, part: Part, damage: str) -> Sample:
    """Draw the camp form by hand; of its values the truth has those that labels speak of."""
    camper, hand = draw_camper(rng, camp.BANKS[str(part.name)]), draw_hand(rng, part, (12, 16))
    truth = Truth(doc_class="SINGLE_SCANNED", typed=False, damage=[damage], handwriting_font=hand.face)
    truth.values.update({name: camper.answers.get(name) for name in truth.values})
    document = damaged(rng, part, damage, filled.by_hand(rng, camper, hand))
    return Sample("header_camp", ".pdf", to_bytes(document, rng), [truth])


_LAYOUTS: dict[str, _Draw] = {
    "sheet": _sheet,
    "faint": _faint,
    "pair_2025": sheets_2025.draw_pair,
    "form_2026": add_hand_header,
    "freeform": hand_pages.draw_freeform,
    "form_2022": hand_pages.draw_2022,
    "form_2023": hand_pages.draw_2023,
}
#: Of 96 entries. "sheet", "faint" and "overflow" are forms of 2025 and 2026.
_SHARES = {
    "sheet": 14,
    "faint": 10,
    "overflow": 22,
    "pair_2025": 12,
    "form_2026": 14,
    "freeform": 12,
    "form_2022": 4,
    "form_2023": 4,
    "camp": 4,
}
_COMPLETE = frozenset(("sheet", "faint", "overflow", "pair_2025", "form_2026", "freeform"))
#: In turn for each layout; a scan is the commonest.
_DAMAGES = ("scan", "photo", "scan", "skewed")
