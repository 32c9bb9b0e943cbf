"""The telephone of the held-out part: a curled sheet on wood, a dark rim, the lamp's glare, a thumb."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Any

import cv2
import numpy as np

Picture = np.ndarray[Any, np.dtype[np.uint8]]
Light = np.ndarray[Any, np.dtype[np.float32]]
UnitBox = tuple[float, float, float, float]


def curl(rng: Random, sheet: Picture) -> tuple[Picture, Callable[[UnitBox], UnitBox]]:
    """The sheet bulges: its lines bow upwards or downwards between left and right; boxes follow."""
    height, width = sheet.shape[:2]
    bow = rng.choice((-1, 1)) * rng.uniform(0.004, 0.014)

    def lift(x: float) -> float:
        return bow * math.sin(math.pi * x)

    columns = np.arange(width, dtype=np.float32)
    offset = np.array([lift(x / width) * height for x in range(width)], np.float32)
    rows = np.arange(height, dtype=np.float32)[:, None] - offset[None, :]
    bent = cv2.remap(sheet, np.tile(columns, (height, 1)), rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)

    def move(box: UnitBox) -> UnitBox:
        lifts = [lift(box[0] + (box[2] - box[0]) * i / 8) for i in range(9)]
        return (box[0], box[1] + min(lifts), box[2], box[3] + max(lifts))

    return bent, move


def wood(rng: Random, size: tuple[int, int]) -> Picture:
    """A table of wood."""
    width, height = size
    chance = np.random.default_rng(rng.randrange(1 << 32))
    grain = cv2.GaussianBlur(chance.normal(0, 60, (height, width)).astype(np.float32), (0, 0), 60, sigmaY=2)
    base = np.array([1.0, 0.72, 0.48], np.float32) * rng.uniform(90, 180)
    table: Picture = np.clip(base * (1 + grain[:, :, None] / 25), 0, 255).astype(np.uint8)
    return table


def expose(rng: Random, photo: Picture, thumb: bool, glare: bool) -> Picture:
    """The rim darker than the middle, colours cold, a lamp's glare, somebody's thumb at the edge."""
    height, width = photo.shape[:2]
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    away = ((xs / width - 0.5) ** 2 + (ys / height - 0.5) ** 2) * 2
    lit: Light = photo.astype(np.float32) * (1 - rng.uniform(0.15, 0.45) * away)[:, :, None]
    if glare:
        x, y, spread = rng.uniform(0.2, 0.8), rng.uniform(0.35, 0.9), rng.uniform(0.04, 0.1)
        spot = np.exp(-(((xs / width - x) ** 2 + (ys / height - y) ** 2) / spread**2))
        lit += (255 - lit) * (spot * rng.uniform(0.3, 0.65))[:, :, None]
    lit *= np.array([0.95, 0.985, 1.0], np.float32)
    lit = cv2.GaussianBlur(lit, (0, 0), rng.uniform(0.5, 1.0))
    if thumb:
        side = rng.choice((0, width))
        at = (side, int(height * rng.uniform(0.55, 0.85)))
        cv2.ellipse(lit, at, (int(width * 0.07), int(height * 0.035)), 10, 0, 360, (205, 150, 125), -1)
    exposed: Picture = np.clip(lit, 0, 255).astype(np.uint8)
    return exposed
