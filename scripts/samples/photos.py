"""Photos of a page taken with a telephone: png, jpg, heic."""

from __future__ import annotations

from io import BytesIO
from random import Random
from typing import Any

import pillow_heif
import pymupdf
from PIL import Image

from scripts.samples.damage.photo import photograph
from scripts.samples.entry import draw_entry
from scripts.samples.flattened import draw_filled
from scripts.samples.sample import Sample
from scripts.samples.scans import draw_hand_page
from scripts.samples.truth import Truth

_ORIENTATION = 0x0112


def draw(rng: Random, suffix: str) -> Sample:
    """A photo of a handwritten 2025 page or of the first page of a printed 2026 form."""
    doc, truth = draw_hand_page(rng) if rng.random() < 0.5 else _printed_page(rng)
    picture, move = photograph(rng, doc[0])
    truth.move_boxes(1, move)
    sideways = suffix == ".jpg" and rng.random() < 0.4
    return Sample("photo", suffix, _encoded(picture, suffix, sideways), [truth], stem="IMG")


def _printed_page(rng: Random) -> tuple[pymupdf.Document, Truth]:
    doc = pymupdf.open()
    truth = Truth(doc_class="SINGLE_SCANNED", typed=False, count_slack=0.07)
    draw_filled(rng, doc, draw_entry(rng, count=(80, 250)), truth)
    return doc, truth


def _encoded(picture: Any, suffix: str, sideways: bool) -> bytes:
    """The file; sideways ones say in their EXIF data how they are to be turned for display."""
    pillow_heif.register_heif_opener()
    image = Image.fromarray(picture)
    out = BytesIO()
    if suffix == ".png":
        small = image.convert("L").resize((image.width * 3 // 4, image.height * 3 // 4))
        small.save(out, "PNG", optimize=True)
    elif sideways:
        exif = Image.Exif()
        exif[_ORIENTATION] = 6
        image.transpose(Image.Transpose.ROTATE_90).save(out, "JPEG", quality=70, exif=exif)
    elif suffix == ".heic":
        image.save(out, "HEIF", quality=60, enc_params={"preset": "ultrafast"})
    else:
        image.save(out, "JPEG", quality=70)
    return out.getvalue()
