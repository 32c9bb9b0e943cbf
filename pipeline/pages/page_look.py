"""Measure the ink of a page from one small rendering, and the ink that no word accounts for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from pipeline.mupdf.plain import SmallPicture
from pipeline.pages.geometry import Displayed, inside
from pipeline.pages.page_model import Box
from pipeline.pages.text_trust import EMPTY_INK

#: Longest side of the small rendering in pixels: 72 dpi for a letter page.
LONGEST = 792
#: So much darker than the paper around it (of 255) is ink; pencil on grey paper is about 50 darker.
_DARKER = 40
#: A dark area this large (pixels of the small rendering, both ways) is a block of colour, not writing.
_BLOCK = 31
#: A picture that covers this share of the page, or has so many known words on it, may be what somebody wrote on.
_LARGE, _UNDER_WORDS = 0.15, 3
#: A page cut into pictures: so many of them cover this share of it.
_TILES, _TILED = 4, 0.6
#: Share of a picture that is paper where somebody wrote in it; a photo has less.
_PAPER = 0.85
#: Text seen beneath white words must be this much darker or lighter (of 255) than its ground.
_CONTRAST = 60

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Look:
    """A page at 72 dpi or less."""

    grey: NDArray[np.uint8]
    #: Where it is darker than the paper around it.
    ink: Mask
    #: Where raster pictures lie.
    pictures: Mask
    #: The same as rectangles.
    placed: tuple[Box, ...] = ()

    @property
    def ink_share(self) -> float:
        """Share of the page that is ink."""
        return _share(self.ink)

    @property
    def picture_share(self) -> float:
        """Share of the page that pictures cover."""
        return _share(self.pictures)

    def unread(self, boxes: Iterable[Box]) -> float:
        """Share of the page that is writing (no block of colour, no picture) outside `boxes`."""
        left = self.ink & ~self.pictures & ~self._covered(boxes)
        return _share(left & ~_blocks(self.grey)) if left.any() else 0.0

    def pictured(self, boxes: Iterable[Box]) -> float:
        """Share of the page that is ink of pictures outside `boxes`."""
        left = self.ink & self.pictures
        return _share(left & ~self._covered(boxes)) if left.any() else 0.0

    def written_on(self, boxes: Sequence[Box]) -> list[Box]:
        """Pictures with ink on light paper outside `boxes`: a scan under the words, a pen's layer over them."""
        tiled = len(self.placed) >= _TILES and self.picture_share >= _TILED
        sheets = [box for box in self.placed if tiled or self._is_sheet(box, boxes)]
        if not sheets:
            return []
        left = self.ink & self._covered(sheets) & ~self._covered(boxes)
        left &= ~_blocks(self.grey)
        light = self.grey >= np.percentile(self.grey, 90) - _DARKER
        written = [box for box in sheets if _is_ground(light[self._cut(box)])]
        return written if _share(left & self._covered(written)) >= EMPTY_INK else []

    def _is_sheet(self, box: Box, boxes: Iterable[Box]) -> bool:
        if box.width * box.height >= _LARGE:
            return True
        return sum(box.x0 < word.cx < box.x1 and box.y0 < word.cy < box.y1 for word in boxes) >= _UNDER_WORDS

    def read(self, boxes: Iterable[Box]) -> float:
        """Share of the page that is ink inside `boxes`."""
        return _share(self.ink & self._covered(boxes))

    def shows(self, box: Box) -> bool:
        """Whether there is visible contrast inside a box."""
        rows, columns = self._cut(box)
        part = self.grey[rows, columns]
        return bool(part.size and int(part.max()) - int(part.min()) >= _CONTRAST)

    def _covered(self, boxes: Iterable[Box]) -> Mask:
        mask = np.zeros(self.ink.shape, dtype=bool)
        for box in boxes:
            rows, columns = self._cut(box, margin=1)
            mask[rows, columns] = True
        return mask

    def _cut(self, box: Box, margin: int = 0) -> tuple[slice, slice]:
        height, width = self.ink.shape
        rows = slice(max(int(box.y0 * height) - margin, 0), max(int(np.ceil(box.y1 * height)) + margin, 0))
        columns = slice(max(int(box.x0 * width) - margin, 0), max(int(np.ceil(box.x1 * width)) + margin, 0))
        return rows, columns


def look_at(small: SmallPicture) -> Look:
    """Find the ink and the pictures of a page from its picture of LONGEST pixels."""
    displayed = Displayed(small.shape)
    placed = tuple(inside(displayed.box(rect)) for rect in small.pictures)
    return Look(small.grey, ink_of(small.grey), _pictures(small.grey.shape, placed), placed)


def ink_of(grey: NDArray[np.uint8]) -> Mask:
    """Return the mask of pixels darker than the paper around them, without shadows, grey paper and specks."""
    # The brightest of the neighbourhood is the paper, and it changes slowly: a quarter of the pixels tells it.
    height, width = grey.shape
    brightest = cv2.dilate(grey, np.ones((5, 5), np.uint8))[::4, ::4]
    paper = cv2.medianBlur(cv2.dilate(brightest, np.ones((3, 3), np.uint8)), 5)
    paper = cv2.resize(paper, (width, height), interpolation=cv2.INTER_LINEAR)
    smooth = cv2.GaussianBlur(grey, (3, 3), 0)
    return np.asarray(cv2.subtract(paper, smooth) > _DARKER)


def _share(mask: Mask) -> float:
    return float(np.count_nonzero(mask) / mask.size)


def _is_ground(light: Mask) -> bool:
    return bool(light.size) and _share(light) >= _PAPER


def _blocks(grey: NDArray[np.uint8]) -> Mask:
    """Dark areas with their edges; only those are darker than the ground right beside them."""
    dark = (grey < np.percentile(grey, 90) - _DARKER).astype(np.uint8)
    blocks = cv2.morphologyEx(dark, cv2.MORPH_OPEN, np.ones((_BLOCK, _BLOCK), np.uint8))
    return np.asarray(cv2.dilate(blocks, np.ones((7, 7), np.uint8)) > 0)


def _pictures(shape: tuple[int, int], placed: Iterable[Box]) -> Mask:
    height, width = shape
    mask = np.zeros((height, width), dtype=bool)
    for x0, y0, x1, y1 in placed:
        rows = slice(max(round(y0 * height), 0), max(round(y1 * height), 0))
        mask[rows, max(round(x0 * width), 0) : max(round(x1 * width), 0)] = True
    return mask
