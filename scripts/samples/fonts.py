"""Font files that the samples are drawn with, all from Debian packages."""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True)
class HandFace:
    """A handwriting face."""

    #: Makes the letters of all faces equally tall.
    scale: float
    #: How often it is drawn: children's print more often than an adult's quick hand.
    share: float


HANDS: dict[str, HandFace] = {
    "breip": HandFace(1.05, 3),
    "dkg": HandFace(0.95, 2),
    "dkg-slanted": HandFace(0.95, 1),
    "dkg-bold": HandFace(0.92, 1.5),
    "rufscript": HandFace(1.05, 3),
    "stevehand": HandFace(0.92, 1.5),
    "delphine": HandFace(1.5, 0.5),
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
