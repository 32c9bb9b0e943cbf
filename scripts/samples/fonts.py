"""Font files that the samples are drawn with, all from Debian packages."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pymupdf

_SHARE = Path("/usr/share/fonts/truetype")
_FILES = {
    "sans": "liberation/LiberationSans-Regular.ttf",
    "sans-bold": "liberation/LiberationSans-Bold.ttf",
    "sans-italic": "liberation/LiberationSans-Italic.ttf",
    "serif": "liberation/LiberationSerif-Regular.ttf",
    "serif-bold": "liberation/LiberationSerif-Bold.ttf",
    "mono": "liberation/LiberationMono-Regular.ttf",
    "dejavu": "dejavu/DejaVuSans.ttf",
    "breip": "breip/Breip.ttf",
    "dkg": "fifthhorseman/dkg.ttf",
    "dkg-slanted": "fifthhorseman/dkgIt.ttf",
    "dkg-bold": "fifthhorseman/dkgBd.ttf",
    "rufscript": "rufscript/Rufscript010.ttf",
    "delphine": "sjfonts/Delphine.ttf",
    "stevehand": "sjfonts/SteveHand.ttf",
}
_PACKAGES = "fonts-liberation fonts-dejavu-core fonts-dkg-handwriting fonts-breip fonts-rufscript fonts-sjfonts"

#: Handwriting faces with the factor that makes their letters equally tall.
HANDS: dict[str, float] = {
    "breip": 1.05,
    "dkg": 0.95,
    "dkg-slanted": 0.95,
    "dkg-bold": 0.92,
    "rufscript": 1.05,
    "stevehand": 0.92,
    "delphine": 1.5,
}


class FontsMissingError(RuntimeError):
    """A font file is not installed."""


@lru_cache(maxsize=32)
def path(face: str) -> str:
    """Path of a face's file. Raises FontsMissingError naming the packages to install."""
    file = _SHARE / _FILES[face]
    if not file.exists():
        raise FontsMissingError(f"{file} is missing; install: apt-get install {_PACKAGES}")
    return str(file)


@lru_cache(maxsize=32)
def font(face: str) -> pymupdf.Font:
    """The face, for measuring."""
    return pymupdf.Font(fontfile=path(face))


def width(face: str, text: str, size: float) -> float:
    """Width of a text in points."""
    return float(font(face).text_length(text, fontsize=size))
