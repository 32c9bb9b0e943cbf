"""The office scanner: a page becomes a grey or 1-bit picture, a little crooked, blurred, streaked and folded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from random import Random
from typing import Any

import cv2
import numpy as np
import pymupdf
from PIL import Image

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


def draw_scanner(rng: Random, *, one_bit: bool | None = None, dpi: tuple[int, ...] = (150, 200)) -> Scanner:
    """A scanner of the usual office kind."""
    bits = rng.random() < 0.3 if one_bit is None else one_bit
    return Scanner(
        dpi=rng.choice((200, 200, 300) if bits else dpi),
        one_bit=bits,
        noise=rng.uniform(2, 7),
        blur=rng.uniform(0.3, 0.9),
        streaks=rng.choice((0, 0, 1, 2)),
        folds=rng.random() < 0.3,
        jpeg=rng.choice((55, 70, 80)),
    )


def scan(rng: Random, page: pymupdf.Page, scanner: Scanner) -> tuple[Grey, Callable[[UnitBox], UnitBox]]:
    """The picture of a page, and how boxes move with it."""
    pixels = page.get_pixmap(dpi=scanner.dpi, colorspace=pymupdf.csGRAY, alpha=False)
    grey: Grey = np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width).copy()
    matrix = _skew(rng, grey.shape, scanner.skew)
    grey = cv2.warpAffine(grey, matrix, (grey.shape[1], grey.shape[0]), borderValue=250)
    grey = _paper(rng, grey, scanner)
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


def append_scan(doc: pymupdf.Document, grey: Grey, scanner: Scanner) -> None:
    """Put the picture on a page of its own, at its true size."""
    height, width = grey.shape
    page = doc.new_page(width=width * 72 / scanner.dpi, height=height * 72 / scanner.dpi)
    if scanner.one_bit:
        page.insert_image(page.rect, stream=_png_one_bit(cv2.threshold(grey, 160, 255, cv2.THRESH_BINARY)[1]))
        return
    ok, data = cv2.imencode(".jpg", grey, [cv2.IMWRITE_JPEG_QUALITY, scanner.jpeg])
    if not ok:
        raise RuntimeError("JPEG encoding failed")
    page.insert_image(page.rect, stream=data.tobytes())


def _png_one_bit(binary: Grey) -> bytes:
    out = BytesIO()
    Image.fromarray(binary).convert("1").save(out, "PNG", optimize=True)
    return out.getvalue()


def _skew(rng: Random, shape: tuple[int, ...], largest: float) -> Any:
    height, width = shape
    angle = max(-largest, min(largest, rng.gauss(0, largest / 2.2)))
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), angle, 1 + rng.gauss(0, 0.006))
    matrix[:, 2] += (rng.gauss(0, 0.006) * width, rng.gauss(0, 0.006) * height)
    return matrix


def _paper(rng: Random, grey: Grey, scanner: Scanner) -> Grey:
    """Blur, uneven light, noise, streaks of the glass and folds of the sheet."""
    chance = np.random.default_rng(rng.randrange(1 << 32))
    picture = cv2.GaussianBlur(grey, (0, 0), scanner.blur * scanner.dpi / 150).astype(np.float32)
    height, width = picture.shape
    light = np.linspace(rng.uniform(-8, 2), rng.uniform(-8, 2), width, dtype=np.float32)
    picture += light[None, :] - rng.uniform(0, 8)
    if scanner.folds:
        _fold(rng, picture)
    for _ in range(scanner.streaks):
        x = rng.randrange(width)
        picture[:, x : x + rng.choice((1, 1, 2))] -= rng.uniform(20, 90)
    picture += chance.normal(0, scanner.noise, (height, width)).astype(np.float32)
    clipped: Grey = np.clip(picture, 0, 255).astype(np.uint8)
    return clipped


def _fold(rng: Random, picture: np.ndarray[Any, np.dtype[np.float32]]) -> None:
    height, width = picture.shape
    for y in (height // 3, 2 * height // 3) if rng.random() < 0.5 else (height // 2,):
        row = y + rng.randrange(-20, 20)
        band = 5
        picture[row - band : row + band] -= rng.uniform(8, 25)
        picture[row : row + 1, : int(width * rng.uniform(0.6, 1))] -= rng.uniform(20, 60)


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
