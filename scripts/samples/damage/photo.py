"""A telephone's camera: the sheet on a table, in perspective, with a shadow."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import cv2
import numpy as np
import pymupdf

Picture = np.ndarray[Any, np.dtype[np.uint8]]
UnitBox = tuple[float, float, float, float]
_SIZE = (1530, 2040)


def photograph(rng: Random, page: pymupdf.Page) -> tuple[Picture, Callable[[UnitBox], UnitBox]]:
    """The photo of a page in RGB, and how boxes move with it."""
    pixels = page.get_pixmap(dpi=170, alpha=False)
    sheet = np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width, 3)
    matrix = _perspective(rng, pixels.width, pixels.height)
    table = tuple(rng.randrange(70, 150) for _ in range(3))
    photo = cv2.warpPerspective(sheet, matrix, _SIZE, borderValue=table, flags=cv2.INTER_AREA)
    photo = _light(rng, photo)
    return photo, _mover(matrix, pixels.width, pixels.height)


def _perspective(rng: Random, width: int, height: int) -> Any:
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    edge = 0.045
    target = np.array(
        [
            [_SIZE[0] * rng.uniform(0.01, edge), _SIZE[1] * rng.uniform(0.01, edge)],
            [_SIZE[0] * (1 - rng.uniform(0.01, edge)), _SIZE[1] * rng.uniform(0.01, edge)],
            [_SIZE[0] * (1 - rng.uniform(0.005, edge)), _SIZE[1] * (1 - rng.uniform(0.01, edge))],
            [_SIZE[0] * rng.uniform(0.005, edge), _SIZE[1] * (1 - rng.uniform(0.01, edge))],
        ],
        np.float32,
    )
    return cv2.getPerspectiveTransform(corners, target)


def _light(rng: Random, photo: Picture) -> Picture:
    """Falling light, the photographer's shadow, a little blur and noise."""
    height, width = photo.shape[:2]
    chance = np.random.default_rng(rng.randrange(1 << 32))
    across = np.linspace(rng.uniform(0.78, 1.0), rng.uniform(0.85, 1.0), width, dtype=np.float32)
    down = np.linspace(rng.uniform(0.85, 1.0), rng.uniform(0.8, 1.0), height, dtype=np.float32)
    light = down[:, None] * across[None, :]
    if rng.random() < 0.6:
        shadow = np.ones((height, width), np.float32)
        x = int(width * rng.uniform(0.2, 0.8))
        points = np.array([[x, height], [x + 300, height], [x + 500, height // 3], [x + 200, height // 4]])
        cv2.fillPoly(shadow, [points], 0.75)
        light = light * cv2.GaussianBlur(shadow, (0, 0), 40)
    warm = np.array([1.0, 0.985, 0.95], np.float32)
    lit = photo.astype(np.float32) * light[:, :, None] * warm
    lit = cv2.GaussianBlur(lit, (0, 0), rng.uniform(0.4, 0.9))
    lit += chance.normal(0, 3, lit.shape).astype(np.float32)
    picture: Picture = np.clip(lit, 0, 255).astype(np.uint8)
    return picture


def _mover(matrix: Any, width: int, height: int) -> Callable[[UnitBox], UnitBox]:
    def move(box: UnitBox) -> UnitBox:
        corners = np.array([[[box[i] * width, box[j] * height] for i in (0, 2) for j in (1, 3)]], np.float32)
        moved = cv2.perspectiveTransform(corners, matrix)[0]
        xs, ys = moved[:, 0] / _SIZE[0], moved[:, 1] / _SIZE[1]
        return (float(xs.min()), float(ys.min()), float(xs.max()), float(ys.max()))

    return move
