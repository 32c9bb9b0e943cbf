"""The office scanner of the development part: blur, uneven light, noise, streaks, folds."""

from __future__ import annotations

from random import Random
from typing import Any, Protocol

import cv2
import numpy as np

Grey = np.ndarray[Any, np.dtype[np.uint8]]


class GlassLook(Protocol):
    """What the glass does to every page."""

    @property
    def dpi(self) -> int:
        """Dots per inch."""

    @property
    def noise(self) -> float:
        """Standard deviation of the grey noise."""

    @property
    def blur(self) -> float:
        """Radius at 150 dpi."""

    @property
    def streaks(self) -> int:
        """Lines down the page."""

    @property
    def folds(self) -> bool:
        """Whether the sheets were folded."""


def office_glass(rng: Random, grey: Grey, look: GlassLook) -> Grey:
    """Blur, uneven light, noise, streaks of the glass and folds of the sheet."""
    chance = np.random.default_rng(rng.randrange(1 << 32))
    picture = cv2.GaussianBlur(grey, (0, 0), look.blur * look.dpi / 150).astype(np.float32)
    height, width = picture.shape
    light = np.linspace(rng.uniform(-8, 2), rng.uniform(-8, 2), width, dtype=np.float32)
    picture += light[None, :] - rng.uniform(0, 8)
    if look.folds:
        _fold(rng, picture)
    for _ in range(look.streaks):
        x = rng.randrange(width)
        picture[:, x : x + rng.choice((1, 1, 2))] -= rng.uniform(20, 90)
    picture += chance.normal(0, look.noise, (height, width)).astype(np.float32)
    clipped: Grey = np.clip(picture, 0, 255).astype(np.uint8)
    return clipped


def _fold(rng: Random, picture: np.ndarray[Any, np.dtype[np.float32]]) -> None:
    height, width = picture.shape
    for y in (height // 3, 2 * height // 3) if rng.random() < 0.5 else (height // 2,):
        row = y + rng.randrange(-20, 20)
        band = 5
        picture[row - band : row + band] -= rng.uniform(8, 25)
        picture[row : row + 1, : int(width * rng.uniform(0.6, 1))] -= rng.uniform(20, 60)
