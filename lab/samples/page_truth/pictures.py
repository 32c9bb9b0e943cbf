"""Entries as pictures: several in one file, fax pixels, strips, stamps on scans, backs that show through."""

from __future__ import annotations

from io import BytesIO
from itertools import pairwise
from random import Random

import cv2
import numpy as np
import pillow_heif
from PIL import Image

from core.confined.mupdf import pymupdf
from lab.samples.canvas import Canvas
from lab.samples.damage.scan import Grey
from lab.samples.page_truth.sheet import FORM, Sheet, compose
from lab.samples.page_truth.trouble import Way, as_file, as_pdf
from lab.samples.part import Part
from lab.samples.sample import Sample

_DPI = 150


def printed(rng: Random, part: Part, count: int) -> tuple[list[Sheet], list[Grey]]:
    """Filled forms, printed, and their pictures."""
    doc = pymupdf.open()
    sheets = [compose(rng, part, doc, FORM) for _ in range(count)]
    greys = []
    for number, sheet in enumerate(sheets):
        sheet.canvas = Canvas.over(doc[number], number + 1)
        sheet.put_all()
        pixels = doc[number].get_pixmap(dpi=_DPI, colorspace=pymupdf.csGRAY, alpha=False)
        grey: Grey = np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width).copy()
        noise = np.random.default_rng(rng.randrange(1 << 30)).normal(0, 3, grey.shape)
        greys.append(np.clip(grey * 0.96 + 6 + noise, 0, 255).astype(np.uint8))
        sheet.truth.typed, sheet.truth.doc_class, sheet.truth.count_slack = False, "SINGLE_SCANNED", 0.07
        sheet.truth.boxes.clear()
    return sheets, greys


def several(suffix: str, count: int = 2) -> Way:
    """Several pictures in one file, each an entry."""

    def draw(rng: Random, part: Part) -> Sample:
        sheets, greys = printed(rng, part, count)
        frames = [Image.fromarray(grey) for grey in greys]
        may_refuse = suffix not in (".heic", ".tif")
        return as_file(_in_one(frames, suffix), suffix, [sheet.truth for sheet in sheets], may_refuse=may_refuse)

    return draw


def _in_one(frames: list[Image.Image], suffix: str) -> bytes:
    out = BytesIO()
    first, rest = frames[0], frames[1:]
    if suffix == ".heic":
        pillow_heif.register_heif_opener()
        first.convert("RGB").save(
            out,
            "HEIF",
            save_all=True,
            append_images=[one.convert("RGB") for one in rest],
            quality=60,
            enc_params={"preset": "ultrafast"},
        )
    elif suffix == ".tif":
        first.save(out, "TIFF", save_all=True, append_images=rest, compression="jpeg", dpi=(_DPI, _DPI))
    elif suffix == ".gif":
        small = [one.quantize(16) for one in frames]
        small[0].save(out, "GIF", save_all=True, append_images=small[1:], duration=2000)
    else:
        kind = suffix[1:].upper()
        first.convert("RGB").save(
            out, kind, save_all=True, append_images=[one.convert("RGB") for one in rest], duration=2000, quality=50
        )
    return out.getvalue()


def with_thumbnail(rng: Random, part: Part) -> Sample:
    """A TIFF whose second picture is a small copy of the first: no second entry."""
    (sheet,), (grey,) = printed(rng, part, 1)
    whole = Image.fromarray(grey)
    small = whole.resize((whole.width // 8, whole.height // 8))
    small.encoderinfo = {"tiffinfo": {254: 1}}
    out = BytesIO()
    whole.save(out, "TIFF", save_all=True, append_images=[small], dpi=(_DPI, _DPI), compression="jpeg")
    return as_file(out.getvalue(), ".tif", [sheet.truth])


def fax(resolution: tuple[int, int], compression: str, count: int = 2) -> Way:
    """A fax: black and white, with fewer lines to the inch than dots in a line."""

    def draw(rng: Random, part: Part) -> Sample:
        sheets, greys = printed(rng, part, count)
        across, down = resolution
        frames = []
        for grey in greys:
            size = (round(grey.shape[1] * across / _DPI), round(grey.shape[0] * down / _DPI))
            resized = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
            frames.append(Image.fromarray(np.where(resized > 150, 255, 0).astype(np.uint8)).convert("1"))
        out = BytesIO()
        frames[0].save(
            out, "TIFF", save_all=True, append_images=frames[1:], compression=compression, dpi=(across, down)
        )
        return as_file(out.getvalue(), ".tif", [sheet.truth for sheet in sheets])

    return draw


def in_strips(count: int, *, upwards: bool = False) -> Way:
    """A scan that is stored in strips, as many scanners' drivers write it."""

    def draw(rng: Random, part: Part) -> Sample:
        (sheet,), (grey,) = printed(rng, part, 1)
        doc = pymupdf.open()
        canvas = Canvas(doc)
        edges = [round(grey.shape[0] * number / count) for number in range(count + 1)]
        bands = list(pairwise(edges))
        inch = 72 / _DPI
        for top, bottom in reversed(bands) if upwards else bands:
            place = pymupdf.Rect(0, top * inch, grey.shape[1] * inch, bottom * inch)
            canvas.page.insert_image(place, stream=_jpeg(grey[top:bottom]), keep_proportion=False)
        return as_pdf(doc, rng, [sheet.truth])

    return draw


def _jpeg(grey: Grey) -> bytes:
    ok, data = cv2.imencode(".jpg", grey, [cv2.IMWRITE_JPEG_QUALITY, 75])
    assert ok
    encoded: bytes = data.tobytes()
    return encoded


_STAMPED = {
    False: ("FROM: ROOM 12   FAX: 312 555 0100   MAR 04 2026 09:14   PAGE 01", "Scanned with PaperSnap"),
    True: (
        "2026-03-11 15:02   Northfield Office   +1 630 555 0144   P. 1/1",
        "Made with DocLens Free",
        "ID 0004417",
    ),
}


def stamped(*, image_first: bool) -> Way:
    """A scan of which the only text is what a fax server or a phone's app stamped on it."""

    def draw(rng: Random, part: Part) -> Sample:
        (sheet,), (grey,) = printed(rng, part, 1)
        doc, texts = pymupdf.open(), _STAMPED[part.held_out]
        canvas = Canvas(doc)
        if image_first:
            canvas.page.insert_image(canvas.page.rect, stream=_jpeg(grey))
        for number, text in enumerate(texts):
            canvas.text(24 if number == 0 else 420, 14 if number == 0 else 770 + 10 * number, text, 8, "mono")
        if not image_first:
            canvas.page.insert_image(canvas.page.rect, stream=_jpeg(grey), overlay=False)
        return as_pdf(doc, rng, [sheet.truth], no_entry=[texts[1]])

    return draw


def shining_through(strength: float, count: int = 1) -> Way:
    """Both sides of sheets were scanned; the backs are empty and show the fronts, mirrored and faint."""

    def draw(rng: Random, part: Part) -> Sample:
        sheets, greys = printed(rng, part, count)
        doc = pymupdf.open()
        for number, (sheet, grey) in enumerate(zip(sheets, greys, strict=True)):
            back = 255 - (255 - cv2.GaussianBlur(grey[:, ::-1], (0, 0), 1.2).astype(np.float32)) * strength
            for side in (grey, np.clip(back, 0, 255).astype(np.uint8)):
                canvas = Canvas(doc)
                canvas.page.insert_image(canvas.page.rect, stream=_jpeg(np.ascontiguousarray(side)))
            sheet.truth.page_start, sheet.truth.page_end = 2 * number + 1, 2 * number + 2
        return as_pdf(doc, rng, [sheet.truth for sheet in sheets])

    return draw
