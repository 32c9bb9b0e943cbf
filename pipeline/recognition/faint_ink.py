"""Find ink that is hardly darker than its paper, and make all ink of a picture equally dark."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

Grey = NDArray[np.uint8]
#: Dots per inch at which the distances below are meant.
RESOLUTION = 200
#: Size of the neighbourhood whose lightest shade is the paper's, in pixels at half RESOLUTION.
_PAPER = 17
#: Size of the neighbourhood in which all ink becomes equally dark, in pixels: about a line of writing.
_NEAR = 31
#: Size of the neighbourhood of dark ink that its blurred edges are in, in pixels.
_EDGE = 9
#: Spread of the smoothing that takes the grain off, in pixels.
_SMOOTH = 1.0
#: Shades by which ink differs from the paper: at least this much, and this multiple of the grain.
_LEAST, _OVER_GRAIN = 5.0, 3.0
#: Ink that differs by this many shades is dark enough for the detector.
_DARK = 90.0
#: Share of a field that faint ink covers at least where something is written.
_WRITTEN = 0.04


def has_faint_ink(picture: Image.Image) -> bool:
    """Whether something is written in a picture of a field, all of it hardly darker than the paper."""
    depth, grain = _depth(picture)
    ink = depth > _threshold(grain)
    return bool(ink.mean() >= _WRITTEN and (depth > _DARK).mean() < 0.1 * ink.mean())


def darkened(picture: Image.Image) -> Image.Image:
    """Return a picture (at RESOLUTION) in shades of grey in which also faint ink is dark, and the paper white.

    Each pixel's difference from the paper around it, less the grain, is stretched. Shades are kept: recognition
    decides better than a threshold what is ink.
    """
    depth, grain = _depth(picture)
    least = _threshold(grain) / 2
    ink = np.clip(depth - least, 0.0, None)
    faint = ink[(depth > 2 * least) & (depth < _DARK)]
    usual = max(float(np.percentile(faint, 50)) if faint.size else _DARK, 1.0)
    dark = cv2.dilate((depth >= _DARK).astype(np.uint8), np.ones((_EDGE, _EDGE), np.uint8)) > 0
    near = cv2.dilate(np.where(dark, 0.0, ink).astype(np.float32), np.ones((_NEAR, _NEAR), np.uint8))
    even = np.clip(ink / np.maximum(0.8 * cv2.blur(near, (_NEAR, _NEAR)), usual), 0.0, 1.0)
    # What is dark, and its edges, keeps its shape: print that becomes bold is not read.
    shade = np.where(dark, np.sqrt(np.clip(ink / 255, 0.0, 1.0)), even)
    return Image.fromarray((255 - 235 * shade).astype(np.uint8)).convert("RGB")


def _depth(picture: Image.Image) -> tuple[NDArray[np.float32], float]:
    """Return by how many shades each pixel is darker than the paper around it, and the spread of the grain."""
    grey: Any = np.asarray(picture.convert("L"))
    smooth = cv2.GaussianBlur(grey, (0, 0), _SMOOTH)
    small = cv2.resize(smooth, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    closed = cv2.morphologyEx(
        small, cv2.MORPH_CLOSE, np.ones((_PAPER, _PAPER), np.uint8), borderType=cv2.BORDER_REFLECT
    )
    paper = cv2.resize(cv2.blur(closed, (_PAPER, _PAPER)), (grey.shape[1], grey.shape[0]))
    depth: NDArray[np.float32] = paper.astype(np.float32) - smooth.astype(np.float32)
    # Paper is most of a picture, and no ink is lighter than the paper's usual shade.
    usual = float(np.percentile(depth, 30))
    grain = 1.5 * (usual - float(np.percentile(depth, 5)))
    return depth - usual, grain


def _threshold(grain: float) -> float:
    return max(_LEAST, _OVER_GRAIN * grain)
