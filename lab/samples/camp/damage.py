"""How a filled form comes in: four kinds of damage, each in one look for development and one that is held out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from random import Random

import cv2
import numpy as np
from PIL import Image

from core.confined.mupdf import pymupdf
from lab.samples.damage.photo import photograph
from lab.samples.damage.scan import Grey, append_scan, draw_scanner, scan
from lab.samples.part import Part

#: Dots per inch of the copier and of a fax in fine resolution.
_COPY_DPI, _FAX_DPI = 150, 200


def damaged(rng: Random, part: Part, kind: str, document: pymupdf.Document) -> pymupdf.Document:
    """Return the first page of a document as a picture with this kind of damage."""
    result = pymupdf.open()
    KINDS[kind](rng, part, document[0], result)
    return result


def _office(rng: Random, part: Part, page: pymupdf.Page, result: pymupdf.Document) -> None:
    """An office scanner: grey, a little crooked, noise, streaks or wear."""
    scanner = draw_scanner(rng, part, one_bit=False)
    append_scan(result, scan(rng, page, scanner)[0], scanner)


def _photo(rng: Random, part: Part, page: pymupdf.Page, result: pymupdf.Document) -> None:
    """A telephone held sideways: perspective, uneven light, the table around the sheet."""
    page.set_rotation(90)
    picture = np.ascontiguousarray(np.rot90(photograph(rng, page, part).picture))
    page.set_rotation(0)
    jpeg = BytesIO()
    Image.fromarray(picture).save(jpeg, "JPEG", quality=rng.randint(60, 85))
    height, width = picture.shape[:2]
    sheet = result.new_page(width=width * 72 / 180, height=height * 72 / 180)
    sheet.insert_image(sheet.rect, stream=jpeg.getvalue())


def _copy(rng: Random, part: Part, page: pymupdf.Page, result: pymupdf.Document) -> None:
    """A copy of a copy: softened and hardened twice, dusty."""
    scanner = replace(draw_scanner(rng, part, one_bit=False), dpi=_COPY_DPI)
    grey = scan(rng, page, scanner)[0]
    for _ in range(2):
        soft = cv2.GaussianBlur(grey, (0, 0), rng.uniform(0.6, 0.9)).astype(np.float32)
        grey = np.clip((soft - 128) * rng.uniform(1.15, 1.5) + rng.uniform(120, 140), 0, 255).astype(np.uint8)
    append_scan(result, _dusty(rng, grey), scanner)


def _fax(rng: Random, part: Part, page: pymupdf.Page, result: pymupdf.Document) -> None:
    """A fax in fine resolution: black and white, a fold across the sheet, some lines smeared."""
    scanner = replace(draw_scanner(rng, part, one_bit=False), dpi=_FAX_DPI, folds=True, streaks=1)
    grey = scan(rng, page, scanner)[0]
    bits = cv2.threshold(grey, rng.uniform(140, 175), 255, cv2.THRESH_BINARY)[1]
    for _ in range(rng.randint(0, 3)):
        row = rng.randrange(4, bits.shape[0])
        bits[row : row + 2] = bits[row - 2 : row]
    append_scan(result, bits.astype(np.uint8), replace(scanner, one_bit=True, binarise="threshold"))


def _dusty(rng: Random, grey: Grey) -> Grey:
    for _ in range(rng.randint(40, 160)):
        at = (rng.randrange(grey.shape[1]), rng.randrange(grey.shape[0]))
        cv2.circle(grey, at, rng.choice((0, 0, 1)), rng.uniform(30, 120), -1)
    return grey


_Take = Callable[[Random, Part, pymupdf.Page, pymupdf.Document], None]
KINDS: dict[str, _Take] = {"office": _office, "photo": _photo, "copy": _copy, "fax": _fax}
