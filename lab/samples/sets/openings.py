"""Essays without a form whose first lines were written by people who had not seen the reader.

Three sets, each of a development and a held-out part, lie beside the word lists as SET_PART.json: "openings" are
full of traps, "everyday" is what most children put on a page, "strangers" is some of both, by another writer. An
opening holds the top lines of page 1 with their blank lines, tabs and U+200B, those of page 2 where there are any,
and the values that they give.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from core.confined.mupdf import pymupdf
from lab.samples.canvas import Canvas, wrap
from lab.samples.hand import fonts
from lab.samples.part import Part
from lab.samples.sample import Sample, to_bytes
from lab.samples.truth import Truth
from lab.samples.words.essays import draw_essay

KIND = "freeform_opening"
#: The sets of openings.
OPENINGS, EVERYDAY, STRANGERS = SETS = ("openings", "everyday", "strangers")
_WORDS = Path(__file__).parent.parent / "words"
_VALUES = ("student_name", "school_name", "grade", "teacher_name")
_MARGIN = 72
_LEADING = 1.45


def openings(part: str, of: str = OPENINGS) -> list[dict[str, Any]]:
    """The openings of a part and a set."""
    found: list[dict[str, Any]] = json.loads((_WORDS / f"{of}_{part}.json").read_text(encoding="utf-8"))
    return found


def draw_openings(part: Part, seed: int, of: str = OPENINGS) -> Iterator[tuple[str, Sample]]:
    """File names and samples of every opening of a part and a set, each followed by more of an essay."""
    assert part.name is not None
    for opening in openings(part.name, of):
        yield f"{opening['id']}.pdf", _draw(Random(f"{seed}:{opening['id']}"), part, opening)


def _draw(rng: Random, part: Part, opening: dict[str, Any]) -> Sample:
    face = rng.choice(part.typefaces)
    bank = part.essays(opening["language"] == "es")
    essay = draw_essay(rng, opening["grade"], "Father", bank, rng.randint(60, 160))
    first, second = opening["lines"], opening["page2_lines"] or []
    widest = max(fonts.width(face, _drawn(line), 1.0) for line in (*first, *second))
    size = min(rng.choice((10.5, 11, 12)), (612 - 2 * _MARGIN + 30) / widest)
    doc = pymupdf.open()
    body = [line for paragraph in essay for line in wrap(paragraph, 612 - 2 * _MARGIN, size, face)]
    _write(Canvas(doc), [*first, "", *body], size, face)
    if second:
        _write(Canvas(doc), second, size, face)
    truth = Truth(page_end=doc.page_count)
    truth.doc_class = "SINGLE_TYPED" if doc.page_count == 1 else "MULTI_PAGE_SINGLE"
    truth.values.update({name: opening[name] for name in _VALUES})
    return Sample(KIND, ".pdf", to_bytes(doc, rng), [truth], part=part.name)


def _drawn(line: str) -> str:
    return line.replace("\t", " " * 8).replace("\u200b", " ")


def _write(canvas: Canvas, lines: list[str], size: float, face: str) -> None:
    y = _MARGIN + size
    for line in lines:
        if line.strip():
            canvas.text(_MARGIN, y, _drawn(line), size, face)
        y += size * _LEADING
