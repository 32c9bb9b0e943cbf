"""Take the printed boxes of one digit each out of a picture of a field, and close the digits up.

Between the edges of such boxes, and far apart, digits are not recognised as one number.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

Grey = NDArray[np.uint8]
#: How much of the picture's height an upright stroke, and a level one, is long that is the edge of a box.
_HIGH, _WIDE = 0.72, 0.9
#: Difference from the paper (0-255) from which a pixel is ink.
_INK = 40
#: Pixels beside an edge that are its soft rim.
_RIM = 1
#: Columns without ink that remain between two digits, as a share of the picture's height, and those at the ends.
_GAP, _MARGIN = 0.22, 0.3
#: Ink of a column (0-1 of the height) below which it is empty.
_SPECK = 0.035


def without_boxes(picture: Image.Image) -> Image.Image:
    """Return the picture of a field without the edges of boxes, its digits as near as those of a number."""
    grey: Grey = np.array(picture.convert("L"))
    paper = int(np.percentile(grey, 90))
    ink = ((paper - grey.astype(np.int16)) > _INK).astype(np.uint8)
    edges = _edges(ink)
    grey[edges > 0] = paper
    ink[edges > 0] = 0
    return Image.fromarray(_closed_up(grey, ink, paper)).convert("RGB")


def _edges(ink: Grey) -> Grey:
    """Return the pixels of strokes that go straight through most of the height or much of the width."""
    height = ink.shape[0]
    # A little crooked still counts as straight.
    thick = cv2.dilate(ink, np.ones((1, 3), np.uint8))
    upright = cv2.morphologyEx(thick, cv2.MORPH_OPEN, np.ones((max(round(_HIGH * height), 3), 1), np.uint8))
    flat = cv2.dilate(ink, np.ones((3, 1), np.uint8))
    level = cv2.morphologyEx(flat, cv2.MORPH_OPEN, np.ones((1, max(round(_WIDE * height), 3)), np.uint8))
    rim = np.ones((2 * _RIM + 1, 2 * _RIM + 1), np.uint8)
    edges: Grey = np.asarray(cv2.dilate(cv2.bitwise_or(upright, level), rim), np.uint8)
    return edges


def _closed_up(grey: Grey, ink: Grey, paper: int) -> Grey:
    """Return the picture with long stretches of empty columns cut short."""
    height = grey.shape[0]
    inked = np.flatnonzero(ink.mean(axis=0) > _SPECK)
    if not len(inked):
        return grey
    gap, margin = max(round(_GAP * height), 1), round(_MARGIN * height)
    starts = np.concatenate(([True], np.diff(inked) > gap))
    groups = np.split(inked, np.flatnonzero(starts)[1:])
    space: Grey = np.full((height, gap), paper, np.uint8)
    end: Grey = np.full((height, margin), paper, np.uint8)
    parts = [end]
    for number, columns in enumerate(groups):
        parts += [space] if number else []
        parts.append(grey[:, max(columns[0] - 1, 0) : columns[-1] + 2])
    return np.ascontiguousarray(np.hstack([*parts, end]))
