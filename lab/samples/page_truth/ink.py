"""Ink of a tablet's pen on a typed page: annotations with strokes, and paths that became part of the page."""

from __future__ import annotations

from random import Random

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from core.confined.mupdf import pymupdf
from lab.samples.hand import fonts
from lab.samples.page_truth.objects import add_annotation, add_look, append_content
from lab.samples.page_truth.sheet import FORM, REQUIRED, Sheet, compose, draw_person
from lab.samples.page_truth.trouble import Way, as_pdf
from lab.samples.part import Part
from lab.samples.sample import Sample

_INK = "0.05 0.1 0.45"
_FINE = 8
Strokes = list[list[tuple[float, float]]]


def strokes(text: str, face: str, size: float) -> tuple[Strokes, float]:
    """The outlines of a line of handwriting, from its lower left corner upwards, and how wide it is.

    Pens of varying width are stored as outlines, which are filled.
    """
    font = ImageFont.truetype(fonts.path(face), round(size * _FINE))
    width = round(font.getlength(text)) + 4 * _FINE
    height = round(size * _FINE * 1.5)
    picture = Image.new("L", (width, height), 0)
    ImageDraw.Draw(picture).text((2 * _FINE, 0.15 * size * _FINE), text, font=font, fill=255)
    _, filled = cv2.threshold(np.asarray(picture), 128, 255, cv2.THRESH_BINARY)
    outlines, _ = cv2.findContours(filled, cv2.RETR_LIST, cv2.CHAIN_APPROX_TC89_L1)
    found = [[(float(x) / _FINE, (height - float(y)) / _FINE) for ((x, y),) in line] for line in outlines]
    return [line for line in found if len(line) > 2], width / _FINE


def _operators(lines: Strokes, dx: float = 0, dy: float = 0) -> str:
    paths = []
    for line in lines:
        (x, y), *rest = line
        paths.append(
            f"{x + dx:.2f} {y + dy:.2f} m " + " ".join(f"{x + dx:.2f} {y + dy:.2f} l" for x, y in rest) + " h"
        )
    return f"{_INK} rg {' '.join(paths)} f*"


def write(sheet: Sheet, text: str, at: tuple[float, float], face: str, size: float, *, annotation: bool) -> None:
    """Write a line by pen; `at` is its lower left corner, y from the top."""
    lines, width = strokes(text, face, size)
    height = size * 1.5
    x, y = at
    bottom = sheet.canvas.height - y
    if not annotation:
        append_content(sheet.canvas, _operators(lines, x, bottom).encode())
        return
    look = add_look(sheet.canvas.page.parent, width, height, _operators(lines))
    ink = "".join(f"[{' '.join(f'{px + x:.1f} {py + bottom:.1f}' for px, py in line)}]" for line in lines)
    add_annotation(
        sheet.canvas, "Ink", (x, y - height, x + width, y), look, f"/InkList[{ink}]/C[{_INK}]/BS<</W 1>>"
    )


def header_by_pen(*, annotation: bool, essay: bool = False) -> Way:
    """A form whose header was filled in by pen; the essay is typed, or by pen too."""

    def draw(rng: Random, part: Part) -> Sample:
        doc = pymupdf.open()
        sheet = compose(rng, part, doc, FORM)
        face = rng.choice(("klee", "purisa", "yusei") if part.held_out else ("breip", "rufscript", "dkg"))
        for name, spot in sheet.spots.items():
            if name not in REQUIRED:
                continue
            text = (sheet.entry.grade or "") if name == "grade" else spot.text
            size = min(13.0, 13.0 * sheet.room(name) / max(1.0, fonts.width(face, text, 13)))
            write(sheet, text, (spot.x, spot.y + 0.45 * size), face, size, annotation=annotation)
        for name in sheet.spots:
            if name not in REQUIRED:
                sheet.say(name, None)
        if essay:
            _essay_by_pen(sheet, face, annotation)
        else:
            sheet.put_essay()
        truth = sheet.truth
        truth.typed, truth.count_slack, truth.handwriting_font = False, 0.15, face
        return as_pdf(doc, rng, [truth])

    return draw


def _essay_by_pen(sheet: Sheet, face: str, annotation: bool) -> None:
    words, lines, line = " ".join(sheet.entry.essay).split(), [], ""
    for word in words:
        if fonts.width(face, f"{line} {word}", 15) > 520:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    for number, text in enumerate([*lines, line]):
        write(sheet, text, (36, 252 + 26 * number), face, 15, annotation=annotation)


def corrected_by_pen(*, annotation: bool) -> Way:
    """A typed form whose name was struck out by pen and written anew beside it: a person has to look."""

    def draw(rng: Random, part: Part) -> Sample:
        doc = pymupdf.open()
        sheet = compose(rng, part, doc, FORM)
        sheet.put_all()
        face = rng.choice(("klee", "purisa") if part.held_out else ("breip", "rufscript"))
        other = draw_person(rng, part)
        box = sheet.spots["student_name"].box
        line = [[(0.0, 0.0), (box.width, 2.0), (box.width, 3.2), (0.0, 1.4)]]
        middle = sheet.canvas.height - (box.y0 + box.y1) / 2
        if annotation:
            look = add_look(doc, box.width, 4, _operators(line))
            ink = f"[{box.x0:.1f} {middle:.1f} {box.x1:.1f} {middle + 2:.1f}]"
            add_annotation(
                sheet.canvas,
                "Ink",
                (box.x0, box.y0 + 4, box.x1, box.y0 + 8),
                look,
                f"/InkList[{ink}]/C[{_INK}]/BS<</W 1.2>>",
            )
        else:
            append_content(sheet.canvas, _operators(line, box.x0, middle).encode())
        write(sheet, other.name or "", (203, 110), face, 12, annotation=annotation)
        sheet.say("student_name", other.name)
        sheet.truth.must_wait = True
        return as_pdf(doc, rng, [sheet.truth], no_entry=[])

    return draw
