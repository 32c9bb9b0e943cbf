"""A scanner: a page becomes a grey or 1-bit picture, a little crooked, with the marks of machine and sheet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from io import BytesIO
from random import Random
from typing import Any

import cv2
import numpy as np
from PIL import Image

from core.confined.mupdf import pymupdf
from lab.samples.damage import copier
from lab.samples.damage.office_glass import office_glass
from lab.samples.part import Part, aside

Grey = np.ndarray[Any, np.dtype[np.uint8]]
UnitBox = tuple[float, float, float, float]


@dataclass(frozen=True)
class Scanner:
    """How one machine sees pages."""

    dpi: int
    one_bit: bool
    #: Standard deviation of the grey noise.
    noise: float
    blur: float
    streaks: int
    folds: bool
    jpeg: int
    #: Largest skew in degrees.
    skew: float = 2.0
    #: How grey becomes black and white.
    binarise: str = "threshold"
    #: What the copier of the held-out part does to pages; empty for the glass of development.
    wear: tuple[str, ...] = ()

    @property
    def damage(self) -> list[str]:
        """The families of damage that its pages show; resolution, skew and coding are none."""
        if self.wear:
            return [*self.wear, *([self.binarise] if self.one_bit else [])]
        some = [name for name, there in (("streaks", self.streaks), ("folds", self.folds)) if there]
        return ["office_glass", *some, *([self.binarise] if self.one_bit else [])]


def draw_scanner(
    rng: Random, part: Part, *, one_bit: bool | None = None, dpi: tuple[int, ...] = (150, 200)
) -> Scanner:
    """A scanner of the usual office kind; rarely one that reads coarsely and pulls sheets in crooked."""
    bits = rng.random() < 0.3 if one_bit is None else one_bit
    scanner = Scanner(
        dpi=rng.choice((200, 200, 300) if bits else dpi),
        one_bit=bits,
        noise=rng.uniform(2, 7),
        blur=rng.uniform(0.3, 0.9),
        streaks=rng.choice((0, 0, 1, 2)),
        folds=rng.random() < 0.3,
        jpeg=rng.choice((55, 70, 80)),
    )
    if not part.rare:
        return scanner
    chance = aside(rng, "scanner")
    coarse = not bits and chance.random() < 0.12
    fine = chance.random() < 0.08
    return replace(
        scanner,
        dpi=100 if coarse else 300 if fine else scanner.dpi,
        blur=min(scanner.blur, 0.5) if coarse else scanner.blur,
        jpeg=chance.choice((35, 45)) if chance.random() < 0.12 else scanner.jpeg,
        skew=3.0,
        binarise=chance.choice(("dither", "local_threshold")) if part.held_out else "threshold",
        wear=copier.draw_wear(chance) if part.held_out else (),
    )


def scan(rng: Random, page: pymupdf.Page, scanner: Scanner) -> tuple[Grey, Callable[[UnitBox], UnitBox]]:
    """The picture of a page, and how boxes move with it."""
    pixels = page.get_pixmap(dpi=scanner.dpi, colorspace=pymupdf.csGRAY, alpha=False)
    grey: Grey = np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width).copy()
    matrix = _skew(rng, grey.shape, scanner.skew)
    grey = cv2.warpAffine(grey, matrix, (grey.shape[1], grey.shape[0]), borderValue=250)
    grey = copier.copy(rng, grey, scanner.wear, scanner.dpi) if scanner.wear else office_glass(rng, grey, scanner)
    return grey, _mover(matrix, grey.shape)


def turn(
    picture: Grey, move: Callable[[UnitBox], UnitBox], quarters: int
) -> tuple[Grey, Callable[[UnitBox], UnitBox]]:
    """The picture turned counter-clockwise by so many quarters, and how boxes move then."""

    def turned(box: UnitBox) -> UnitBox:
        x0, y0, x1, y1 = move(box)
        for _ in range(quarters):
            x0, y0, x1, y1 = y0, 1 - x1, y1, 1 - x0
        return (x0, y0, x1, y1)

    return np.ascontiguousarray(np.rot90(picture, quarters)), turned


def append_scan(doc: pymupdf.Document, grey: Grey, scanner: Scanner, lying: int = 0) -> None:
    """Put the picture on a page of its own, at its true size.

    A lying picture is stored turned by so many quarters, and the page says that display turns it back.
    """
    stored = np.ascontiguousarray(np.rot90(grey, lying))
    height, width = stored.shape
    page = doc.new_page(width=width * 72 / scanner.dpi, height=height * 72 / scanner.dpi)
    page.insert_image(page.rect, stream=_encoded(stored, scanner))
    if lying:
        page.set_rotation(90 * lying % 360)


def _encoded(grey: Grey, scanner: Scanner) -> bytes:
    if scanner.one_bit:
        return _png_one_bit(grey, scanner.binarise)
    ok, data = cv2.imencode(".jpg", grey, [cv2.IMWRITE_JPEG_QUALITY, scanner.jpeg])
    if not ok:
        raise RuntimeError("JPEG encoding failed")
    encoded: bytes = data.tobytes()
    return encoded


def _png_one_bit(grey: Grey, binarise: str) -> bytes:
    out = BytesIO()
    if binarise == "local_threshold":
        grey = cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_GAUSSIAN_C, cv2.THRESH_BINARY, 41, 22)
    elif binarise == "threshold":
        grey = cv2.threshold(grey, 160, 255, cv2.THRESH_BINARY)[1]
    # Pillow dithers what is not black and white already.
    Image.fromarray(grey).convert("1").save(out, "PNG", optimize=True)
    return out.getvalue()


def _skew(rng: Random, shape: tuple[int, ...], largest: float) -> Any:
    height, width = shape
    angle = max(-largest, min(largest, rng.gauss(0, largest / 2.2)))
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), angle, 1 + rng.gauss(0, 0.006))
    matrix[:, 2] += (rng.gauss(0, 0.006) * width, rng.gauss(0, 0.006) * height)
    return matrix


def _mover(matrix: Any, shape: tuple[int, ...]) -> Callable[[UnitBox], UnitBox]:
    height, width = shape

    def move(box: UnitBox) -> UnitBox:
        corners = np.array(
            [[box[i] * width, box[j] * height, 1] for i in (0, 2) for j in (1, 3)], dtype=np.float64
        )
        moved = corners @ np.asarray(matrix).T
        xs, ys = moved[:, 0] / width, moved[:, 1] / height
        return (float(xs.min()), float(ys.min()), float(xs.max()), float(ys.max()))

    return move
