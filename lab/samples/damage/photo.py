"""A telephone's camera: the sheet on a table, in perspective, with a shadow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import cv2
import numpy as np

from core.confined.mupdf import pymupdf
from lab.samples.damage import camera
from lab.samples.part import Part, aside

Picture = np.ndarray[Any, np.dtype[np.uint8]]
UnitBox = tuple[float, float, float, float]
_SIZE = (1530, 2040)


@dataclass(frozen=True)
class Photo:
    """A photo in RGB, how boxes move with it, and what damage it shows; that it is taken at an angle is none."""

    picture: Picture
    move: Callable[[UnitBox], UnitBox]
    damage: list[str]


def photograph(rng: Random, page: pymupdf.Page, part: Part) -> Photo:
    """The photo of a page."""
    pixels = page.get_pixmap(dpi=170, alpha=False)
    sheet = np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width, 3)
    near = part.rare and aside(rng, "angle").random() < 0.5
    matrix = _perspective(rng, pixels.width, pixels.height, 0.1 if near else 0.045)
    take = _take_held_out if part.held_out else _take
    return take(rng, sheet, matrix)


def _take(rng: Random, sheet: Picture, matrix: Any) -> Photo:
    table = tuple(rng.randrange(70, 150) for _ in range(3))
    photo = cv2.warpPerspective(sheet, matrix, _SIZE, borderValue=table, flags=cv2.INTER_AREA)
    photo, shadow = _light(rng, photo)
    move = _mover(matrix, sheet.shape[1], sheet.shape[0])
    return Photo(photo, move, ["falling_light", *(["shadow"] if shadow else [])])


def _take_held_out(rng: Random, sheet: Picture, matrix: Any) -> Photo:
    flat = _mover(matrix, sheet.shape[1], sheet.shape[0])
    curled = rng.random() < 0.6
    bent, bend = camera.curl(rng, sheet) if curled else (sheet, lambda box: box)
    photo = camera.wood(rng, _SIZE)
    cv2.warpPerspective(bent, matrix, _SIZE, dst=photo, borderMode=cv2.BORDER_TRANSPARENT, flags=cv2.INTER_AREA)
    thumb, glare = rng.random() < 0.3, rng.random() < 0.5
    picture = camera.expose(rng, photo, thumb, glare)
    there = [name for name, shown in (("curl", curled), ("thumb", thumb), ("glare", glare)) if shown]
    return Photo(picture, lambda box: flat(bend(box)), ["dark_rim", *there])


def _perspective(rng: Random, width: int, height: int, edge: float) -> Any:
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
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


def _light(rng: Random, photo: Picture) -> tuple[Picture, bool]:
    """Falling light, the photographer's shadow, a little blur and noise; also whether there is a shadow."""
    height, width = photo.shape[:2]
    chance = np.random.default_rng(rng.randrange(1 << 32))
    across = np.linspace(rng.uniform(0.78, 1.0), rng.uniform(0.85, 1.0), width, dtype=np.float32)
    down = np.linspace(rng.uniform(0.85, 1.0), rng.uniform(0.8, 1.0), height, dtype=np.float32)
    light = down[:, None] * across[None, :]
    shaded = rng.random() < 0.6
    if shaded:
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
    return picture, shaded


def _mover(matrix: Any, width: int, height: int) -> Callable[[UnitBox], UnitBox]:
    def move(box: UnitBox) -> UnitBox:
        corners = np.array([[[box[i] * width, box[j] * height] for i in (0, 2) for j in (1, 3)]], np.float32)
        moved = cv2.perspectiveTransform(corners, matrix)[0]
        xs, ys = moved[:, 0] / _SIZE[0], moved[:, 1] / _SIZE[1]
        return (float(xs.min()), float(ys.min()), float(xs.max()), float(ys.max()))

    return move
