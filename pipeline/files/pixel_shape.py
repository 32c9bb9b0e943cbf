"""Pictures whose pixels are not square, as of fax machines: told by their resolution, and made square."""

from __future__ import annotations

import math
from typing import Any

from PIL import Image

#: Pixels wider than high, or higher than wide, by less are taken as square.
_SQUARE = 1.02
#: By more than this a resolution is nonsense.
_MOST = 4.0
#: The longer side of a sheet is at most this many times the shorter: a long fax.
_LONGEST_SHEET = 2.4
# Of TIFF 6.0: pixels in a unit of length, or in any where no unit is stated.
_X_RESOLUTION, _Y_RESOLUTION = 282, 283

#: Pixels in an inch, or any other length, from left to right and from above down.
Density = tuple[float, float]


def density_of(picture: Image.Image) -> Density | None:
    """Return the resolution that a picture states, None where it states none."""
    tags: Any = getattr(picture, "tag_v2", {})
    info = picture.info
    stated: Any = info.get("dpi")
    if not stated and picture.format == "TIFF":
        stated = tags.get(_X_RESOLUTION), tags.get(_Y_RESOLUTION)
    elif not stated:
        # JFIF without a unit, PNG without one: the shape of a pixel.
        stated = info.get("jfif_density") or info.get("aspect")
    try:
        across, down = (float(value) for value in stated)
    except (TypeError, ValueError, ZeroDivisionError):
        return None
    return (across, down) if 0 < across < math.inf and 0 < down < math.inf else None


def has_square_pixels(picture: Image.Image) -> bool:
    """Whether the pixels are as high as they are wide, or nothing says that they are not."""
    return _stretch(picture.size, density_of(picture)) == 1.0


def squared(picture: Image.Image, density: Density | None, most_pixels: int) -> tuple[Image.Image, Density | None]:
    """Return the picture with square pixels, and its resolution then."""
    stretch = _stretch(picture.size, density)
    if stretch == 1.0 or density is None:
        return picture, density
    width, height = picture.size
    grows, dense = max(stretch, 1 / stretch) * width * height <= most_pixels, max(density)
    if not grows:
        dense = min(density)
    size = (width, height * stretch) if (stretch > 1) == grows else (width / stretch, height)
    grey = picture.convert("L") if picture.mode == "1" else picture
    whole = (max(round(size[0]), 1), max(round(size[1]), 1))
    return grey.resize(whole, Image.Resampling.BICUBIC), (dense, dense)


def _stretch(size: tuple[int, int], density: Density | None) -> float:
    """Return how many times as high as wide the pixels are; 1 where they count as square.

    A resolution is not believed that makes a thread of what has the shape of a sheet.
    """
    if density is None:
        return 1.0
    ratio = density[0] / density[1]
    if not 1 / _MOST < ratio < _MOST or 1 / _SQUARE < ratio < _SQUARE:
        return 1.0
    is_sheet = _longer_by(*size) <= _LONGEST_SHEET
    return 1.0 if is_sheet and _longer_by(size[0], size[1] * ratio) > _LONGEST_SHEET else ratio


def _longer_by(width: float, height: float) -> float:
    return max(width, height) / max(min(width, height), 1e-6)
