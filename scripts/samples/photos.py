"""Photos of a page taken with a telephone: png, jpg, heic."""

from __future__ import annotations

from io import BytesIO
from random import Random

import numpy as np
import pillow_heif
import pymupdf
from PIL import Image

from scripts.samples.damage.photo import photograph
from scripts.samples.entry import draw_entry
from scripts.samples.flattened import draw_filled
from scripts.samples.sample import Sample
from scripts.samples.scans import draw_hand_page
from scripts.samples.truth import Truth

FORMATS = (".jpg", ".png", ".heic")


def draw(rng: Random, suffix: str) -> Sample:
    """A photo of a handwritten 2025 page or of the first page of a printed 2026 form."""
    doc, truth = draw_hand_page(rng) if rng.random() < 0.5 else _printed_page(rng)
    picture, move = photograph(rng, doc[0])
    truth.move_boxes(1, move)
    return Sample("photo", suffix, _encoded(picture, suffix), [truth], stem="IMG")


def _printed_page(rng: Random) -> tuple[pymupdf.Document, Truth]:
    doc = pymupdf.open()
    truth = Truth(doc_class="SINGLE_SCANNED", typed=False, count_slack=0.07)
    draw_filled(rng, doc, draw_entry(rng, count=(80, 250)), truth)
    return doc, truth


def _encoded(picture: np.ndarray, suffix: str) -> bytes:  # type: ignore[type-arg]
    pillow_heif.register_heif_opener()
    image = Image.fromarray(picture)
    out = BytesIO()
    if suffix == ".png":
        image.convert("L").resize((image.width * 3 // 4, image.height * 3 // 4)).save(out, "PNG", optimize=True)
    else:
        image.save(out, {".jpg": "JPEG", ".heic": "HEIF"}[suffix], quality=70)
    return out.getvalue()
