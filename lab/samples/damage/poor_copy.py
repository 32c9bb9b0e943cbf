"""Poor copies: pages that went through a bad machine, so that some of their words can hardly be read.

Development blurs softly; the held-out part is out of focus, or faxed, on top of the marks of `copier.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from random import Random
from typing import Any

import cv2
import numpy as np
from PIL import Image

from core.confined.mupdf import pymupdf
from lab.samples.damage.scan import Scanner, UnitBox, append_scan, draw_scanner, scan
from lab.samples.part import Part

Grey = np.ndarray[Any, np.dtype[np.uint8]]

#: Most kinds of damage that one file shows beside the scanner's own.
MOST = 2


def draw_damage(rng: Random, part: Part) -> tuple[str, ...]:
    """Names of the kinds of damage of one file, in the order in which they happen."""
    kinds = _HELD_OUT if part.held_out else _DEVELOPMENT
    drawn = rng.sample(sorted(kinds), rng.randint(1, MOST))
    return tuple(name for name in kinds if name in drawn)


def poor_copy(
    rng: Random, part: Part, document: pymupdf.Document, damage: tuple[str, ...]
) -> tuple[pymupdf.Document, list[Callable[[UnitBox], UnitBox]]]:
    """Return the pages as pictures with that damage, and for each page how boxes move."""
    scanner = draw_scanner(rng, part, one_bit=False)
    kinds = _HELD_OUT if part.held_out else _DEVELOPMENT
    copied = pymupdf.open()
    moves = []
    for page in document:
        picture, move = scan(rng, page, scanner)
        for name in damage:
            picture = kinds[name](rng, picture, scanner)
        append_scan(copied, picture, scanner)
        moves.append(move)
    return copied, moves


def _soft(rng: Random, grey: Grey, scanner: Scanner) -> Grey:
    """A lens that was not wiped: Gaussian blur."""
    radius = rng.uniform(1.2, 2.3) * scanner.dpi / 150
    blurred: Grey = cv2.GaussianBlur(grey, (0, 0), radius)
    return blurred


def _out_of_focus(rng: Random, grey: Grey, scanner: Scanner) -> Grey:
    """A sheet that does not lie flat: every point becomes a disk."""
    radius = rng.uniform(2.0, 3.8) * scanner.dpi / 150
    reach = int(np.ceil(radius))
    ys, xs = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    disk = np.clip(radius + 0.5 - np.hypot(xs, ys), 0, 1).astype(np.float32)
    blurred: Grey = cv2.filter2D(grey, -1, disk / disk.sum(), borderType=cv2.BORDER_REPLICATE)
    return blurred


def _coarse(rng: Random, grey: Grey, scanner: Scanner) -> Grey:
    """Few dots per inch."""
    return _resampled(grey, rng.uniform(62, 85) / scanner.dpi, rng.uniform(62, 85) / scanner.dpi)


def _fax(rng: Random, grey: Grey, scanner: Scanner) -> Grey:
    """A fax in standard resolution: about 200 x 100 dots per inch, black and white."""
    height, width = grey.shape
    lines = cv2.resize(
        grey, (round(width * 204 / scanner.dpi), round(height * 98 / scanner.dpi)), interpolation=cv2.INTER_AREA
    )
    bits = cv2.threshold(lines, rng.uniform(135, 190), 255, cv2.THRESH_BINARY)[1]
    printed: Grey = cv2.resize(bits, (width, height), interpolation=cv2.INTER_LINEAR)
    return printed


def _faint(rng: Random, grey: Grey, scanner: Scanner) -> Grey:
    """Toner that runs out: little contrast, in the noise of the machine."""
    chance = np.random.default_rng(rng.randrange(1 << 32))
    light = 255 - (255 - grey.astype(np.float32)) * rng.uniform(0.12, 0.3)
    noisy = light + chance.normal(0, rng.uniform(6, 11), grey.shape)
    faint: Grey = np.clip(noisy, 0, 255).astype(np.uint8)
    return faint


def _jpeg(rng: Random, grey: Grey, scanner: Scanner) -> Grey:
    """A picture made small for sending."""
    small = _resampled(grey, 0.7, 0.7)
    out = BytesIO()
    Image.fromarray(small).save(out, "JPEG", quality=rng.randint(6, 14))
    decoded: Grey = np.asarray(Image.open(out).convert("L"), np.uint8)
    return decoded


def _speckled(rng: Random, grey: Grey, scanner: Scanner) -> Grey:
    """Dust everywhere: dark and light dots of the size of a point."""
    chance = np.random.default_rng(rng.randrange(1 << 32))
    size = max(1, round(scanner.dpi / 150))
    height, width = grey.shape
    drawn = chance.random((-(-height // size), -(-width // size)))
    dots = np.kron(drawn, np.ones((size, size)))[:height, :width]
    share = rng.uniform(0.015, 0.04)
    dusty = np.where(dots < share, 40, np.where(dots > 1 - share, 250, grey)).astype(np.uint8)
    softened: Grey = cv2.GaussianBlur(dusty, (0, 0), 0.5 * scanner.dpi / 150)
    return softened


def _resampled(grey: Grey, across: float, down: float) -> Grey:
    """The picture in fewer dots and back at its size."""
    height, width = grey.shape
    few = (max(1, round(width * across)), max(1, round(height * down)))
    small = cv2.resize(grey, few, interpolation=cv2.INTER_AREA)
    back: Grey = cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)
    return back


_DEVELOPMENT = {"soft": _soft, "coarse": _coarse, "faint": _faint, "speckled": _speckled, "jpeg": _jpeg}
_HELD_OUT = {
    "out_of_focus": _out_of_focus,
    "coarse": _coarse,
    "faint": _faint,
    "fax": _fax,
    "speckled": _speckled,
    "jpeg": _jpeg,
}
