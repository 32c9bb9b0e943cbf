"""The worn copier of the held-out part: none of its marks occurs in development."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Any

import cv2
import numpy as np

Grey = np.ndarray[Any, np.dtype[np.uint8]]
Light = np.ndarray[Any, np.dtype[np.float32]]


def draw_wear(rng: Random) -> tuple[str, ...]:
    """What one machine and its sheets show: always the grain, mostly one or two other marks."""
    marks = rng.sample(sorted(set(_WEAR) - {"grain"}), rng.choices((0, 1, 2, 3), (15, 40, 35, 10))[0])
    return ("grain", *sorted(marks))


def copy(rng: Random, grey: Grey, wear: tuple[str, ...], dpi: int) -> Grey:
    """The picture with these marks."""
    picture: Light = grey.astype(np.float32)
    for name in wear:
        picture = _WEAR[name](rng, picture, dpi)
    clipped: Grey = np.clip(picture, 0, 255).astype(np.uint8)
    return clipped


def _grain(rng: Random, picture: Light, dpi: int) -> Light:
    """Soft-edged grain, stronger in the dark."""
    chance = np.random.default_rng(rng.randrange(1 << 32))
    white: Light = np.asarray(chance.normal(0, 1, picture.shape), np.float32)
    noise = cv2.GaussianBlur(white, (0, 0), 0.8)
    soft: Light = cv2.GaussianBlur(picture, (0, 0), 0.35 * dpi / 150)
    grained: Light = soft + noise * rng.uniform(5, 11) * (1.4 - soft / 255)
    return grained


def _speckle(rng: Random, picture: Light, dpi: int) -> Light:
    """Dust on the drum: small dark and light dots everywhere."""
    height, width = picture.shape
    for _ in range(rng.randint(60, 260)):
        at = (rng.randrange(width), rng.randrange(height))
        shade = rng.uniform(20, 130) if rng.random() < 0.8 else 255
        cv2.circle(picture, at, rng.choice((0, 0, 1, 1, 2)) * dpi // 150, shade, -1)
    return picture


def _bands(rng: Random, picture: Light, dpi: int) -> Light:
    """The roller: light and dark bands across the page."""
    rows = np.arange(picture.shape[0], dtype=np.float32)
    phase = rows * 2 * math.pi / (rng.uniform(0.25, 1.1) * dpi) + rng.uniform(0, 6)
    wave = np.sin(phase) * rng.uniform(4, 13) - 5
    marked: Light = picture + wave[:, None].astype(np.float32)
    return marked


def _creases(rng: Random, picture: Light, dpi: int) -> Light:
    """A crumpled sheet: lines in all directions, dark on one side and light on the other; some sheets lay flat."""
    if rng.random() < 0.35:
        return picture
    height, width = picture.shape
    relief = np.zeros_like(picture)
    for _ in range(rng.randint(3, 9)):
        a = (rng.randrange(width), rng.randrange(height))
        angle, length = rng.uniform(0, math.pi), rng.uniform(0.15, 0.6) * height
        b = (int(a[0] + length * math.cos(angle)), int(a[1] + length * math.sin(angle)))
        cv2.line(relief, a, b, -rng.uniform(40, 110), max(1, dpi // 100))
        cv2.line(relief, (a[0] + 3, a[1] + 3), (b[0] + 3, b[1] + 3), rng.uniform(20, 60), max(1, dpi // 100))
    marked: Light = picture + cv2.GaussianBlur(relief, (0, 0), 1.2 * dpi / 150)
    return marked


def _faint_toner(rng: Random, picture: Light, dpi: int) -> Light:
    """An almost empty cartridge: everything grey, one strip of the page still greyer."""
    width = picture.shape[1]
    middle, spread = rng.uniform(0.1, 0.9) * width, rng.uniform(0.05, 0.15) * width
    columns = np.arange(width, dtype=np.float32)
    left = rng.uniform(0.55, 0.8) - 0.18 * np.exp(-(((columns - middle) / spread) ** 2))
    marked: Light = 255 - (255 - picture) * left[None, :].astype(np.float32)
    return marked


def _stain(rng: Random, picture: Light, dpi: int) -> Light:
    """The ring of a cup and some drops, on every other sheet."""
    if rng.random() < 0.5:
        return picture
    height, width = picture.shape
    mark = np.zeros_like(picture)
    at = (rng.randrange(width), int(height * rng.uniform(0.25, 0.95)))
    cv2.circle(mark, at, int(rng.uniform(0.6, 0.9) * dpi), rng.uniform(25, 55), max(2, dpi // 25))
    for _ in range(rng.randint(1, 5)):
        drop = (at[0] + rng.randrange(-dpi, dpi), at[1] + rng.randrange(-dpi, dpi))
        cv2.circle(mark, drop, rng.randrange(2, max(3, dpi // 12)), rng.uniform(15, 45), -1)
    marked: Light = picture - cv2.GaussianBlur(mark, (0, 0), dpi / 60)
    return marked


def _punch_holes(rng: Random, picture: Light, dpi: int) -> Light:
    """Three holes of a binder and the shadow of a staple."""
    height, width = picture.shape
    x = int(rng.uniform(0.16, 0.26) * dpi)
    if rng.random() < 0.2:
        x = width - x
    for share in (0.125, 0.5, 0.875):
        cv2.circle(picture, (x, int(height * share)), int(0.13 * dpi), rng.uniform(30, 120), -1)
    a = (int(rng.uniform(0.15, 0.4) * dpi), int(rng.uniform(0.15, 0.35) * dpi))
    cv2.line(picture, a, (a[0] + dpi // 3, a[1] + dpi // 12), 90, max(1, dpi // 75))
    return picture


def _dark_edges(rng: Random, picture: Light, dpi: int) -> Light:
    """The lid was open: black beyond the sheet at one or two edges."""
    height, width = picture.shape
    for edge in rng.sample(("left", "right", "top", "bottom"), rng.choice((1, 1, 2))):
        deep = int(rng.uniform(0.05, 0.2) * dpi)
        shade = rng.uniform(10, 70)
        if edge == "left":
            picture[:, :deep] = shade
        elif edge == "right":
            picture[:, width - deep :] = shade
        elif edge == "top":
            picture[:deep] = shade
        else:
            picture[height - deep :] = shade
    blurred: Light = cv2.GaussianBlur(picture, (0, 0), 0.5)
    return blurred


def _moved(rng: Random, picture: Light, dpi: int) -> Light:
    """The sheet moved while it was read: everything smeared one way."""
    length = max(2, round(rng.uniform(1.4, 2.6) * dpi / 150))
    kernel = np.ones((length, 1) if rng.random() < 0.7 else (1, length), np.float32) / length
    smeared: Light = cv2.filter2D(picture, -1, kernel, borderType=cv2.BORDER_REPLICATE)
    return smeared


_WEAR: dict[str, Callable[[Random, Light, int], Light]] = {
    "grain": _grain,
    "speckle": _speckle,
    "bands": _bands,
    "creases": _creases,
    "faint_toner": _faint_toner,
    "stain": _stain,
    "punch_holes": _punch_holes,
    "dark_edges": _dark_edges,
    "moved": _moved,
}
