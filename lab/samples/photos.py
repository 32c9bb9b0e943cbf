"""Photos of a page taken with a telephone: png, jpg, heic, or several put into one PDF."""

from __future__ import annotations

from io import BytesIO
from random import Random
from typing import Any

import numpy as np
import pillow_heif
from PIL import Image

from core.confined.mupdf import pymupdf
from lab.samples import scans
from lab.samples.damage.photo import photograph
from lab.samples.entry import draw_entry
from lab.samples.forms import sheets_2025
from lab.samples.forms.flattened import draw_filled
from lab.samples.forms.sideways import turned_clockwise
from lab.samples.part import Part, aside
from lab.samples.sample import Sample, to_bytes
from lab.samples.truth import Truth

_ORIENTATION = 0x0112
#: How the EXIF data say that a picture is to be turned clockwise, by the quarters it was turned the other way.
_EXIF = {1: 6, 2: 3, 3: 8}


def draw(rng: Random, part: Part, suffix: str) -> Sample:
    """A photo of a handwritten 2025 page or of the first page of a printed 2026 form."""
    doc, truth = _written_page(rng, part) if rng.random() < 0.5 else _printed_page(rng, part)
    photo = photograph(rng, doc[0], part)
    truth.move_boxes(1, photo.move)
    truth.damage += photo.damage
    sideways = 1 if suffix == ".jpg" and rng.random() < 0.4 else 0
    if sideways and part.rare:
        sideways = aside(rng, "exif").choice((1, 2, 3))
    picture = photo.picture if sideways else _turned(rng, part, truth, photo.picture, 1)
    return Sample("photo", suffix, _encoded(picture, suffix, sideways), [truth], stem="IMG")


def draw_pdf(rng: Random, part: Part) -> Sample:
    """Two photos, of a form with a handwritten header and of what lay behind it, put into one PDF."""
    doc = pymupdf.open()
    truth = scans.add_hand_header(rng, part, doc)
    return Sample("photo_pdf", ".pdf", to_bytes(photographed(rng, part, doc, truth), rng), [truth], stem="scan")


def photographed(rng: Random, part: Part, doc: pymupdf.Document, truth: Truth) -> pymupdf.Document:
    """Photos of all pages of an entry, put into one PDF; the boxes follow."""
    result = pymupdf.open()
    for number, page in enumerate(doc, 1):
        photo = photograph(rng, page, part)
        truth.move_boxes(number, photo.move)
        truth.damage += photo.damage
        picture = _turned(rng, part, truth, photo.picture, number)
        height, width = picture.shape[:2]
        target = result.new_page(width=width * 72 / 180, height=height * 72 / 180)
        target.insert_image(target.rect, stream=_encoded(picture, ".jpg", 0))
    return result


def _turned(rng: Random, part: Part, truth: Truth, picture: Any, number: int) -> Any:
    """Now and then the telephone did not know which way was up; the boxes follow."""
    chance = aside(rng, f"turned {number}")
    if not part.rare or chance.random() > 0.15:
        return picture
    quarters = chance.choice((1, 2, 3))
    truth.move_boxes(number, lambda box: turned_clockwise(box, quarters))
    truth.hazards.append("turned_page")
    return np.ascontiguousarray(np.rot90(picture, -quarters))


def _written_page(rng: Random, part: Part) -> tuple[pymupdf.Document, Truth]:
    doc = pymupdf.open()
    return doc, sheets_2025.draw_page(rng, part, doc)


def _printed_page(rng: Random, part: Part) -> tuple[pymupdf.Document, Truth]:
    doc = pymupdf.open()
    truth = Truth(doc_class="SINGLE_SCANNED", typed=False, count_slack=0.07)
    draw_filled(rng, doc, draw_entry(rng, part, count=(80, 250)), truth)
    return doc, truth


def _encoded(picture: Any, suffix: str, sideways: int) -> bytes:
    """The file; sideways ones say in their EXIF data how they are to be turned for display."""
    pillow_heif.register_heif_opener()
    image = Image.fromarray(picture)
    out = BytesIO()
    if suffix == ".png":
        small = image.convert("L").resize((image.width * 3 // 4, image.height * 3 // 4))
        small.save(out, "PNG", optimize=True)
    elif sideways:
        exif = Image.Exif()
        exif[_ORIENTATION] = _EXIF[sideways]
        Image.fromarray(np.ascontiguousarray(np.rot90(picture, sideways))).save(out, "JPEG", quality=70, exif=exif)
    elif suffix == ".heic":
        image.save(out, "HEIF", quality=60, enc_params={"preset": "ultrafast"})
    else:
        image.save(out, "JPEG", quality=70)
    return out.getvalue()
