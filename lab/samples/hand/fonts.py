"""Font files that the samples are drawn with, all from Debian packages."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core.confined.mupdf import pymupdf

_SHARE = Path("/usr/share/fonts")
_FILES = {
    "sans": "truetype/liberation/LiberationSans-Regular.ttf",
    "sans-bold": "truetype/liberation/LiberationSans-Bold.ttf",
    "sans-italic": "truetype/liberation/LiberationSans-Italic.ttf",
    "serif": "truetype/liberation/LiberationSerif-Regular.ttf",
    "serif-bold": "truetype/liberation/LiberationSerif-Bold.ttf",
    "mono": "truetype/liberation/LiberationMono-Regular.ttf",
    "dejavu": "truetype/dejavu/DejaVuSans.ttf",
    "breip": "truetype/breip/Breip.ttf",
    "dkg": "truetype/fifthhorseman/dkg.ttf",
    "dkg-slanted": "truetype/fifthhorseman/dkgIt.ttf",
    "dkg-bold": "truetype/fifthhorseman/dkgBd.ttf",
    "rufscript": "truetype/rufscript/Rufscript010.ttf",
    "delphine": "truetype/sjfonts/Delphine.ttf",
    "stevehand": "truetype/sjfonts/SteveHand.ttf",
    "carlito": "truetype/crosextra/Carlito-Regular.ttf",
    "caladea": "truetype/crosextra/Caladea-Regular.ttf",
    "comic": "opentype/comic-neue/ComicNeue-Regular.otf",
    "seto": "truetype/seto/setofont.ttf",
    "kiloji": "truetype/kiloji/kiloji.ttf",
    "kiloji-narrow": "truetype/kiloji/kiloji_p.ttf",
    "yozfont": "truetype/yozvox-yozfont/YOzREF.ttf",
    "purisa": "opentype/tlwg/Purisa.otf",
    "klee": "truetype/klee/KleeOne-Regular.ttf",
    "yusei": "truetype/yusei-magic/YuseiMagic-Regular.ttf",
    "create": "opentype/bwht/BecauseWeCreate-Regular.otf",
    "mentor": "opentype/bwht/BecauseWeMentor-Regular.otf",
    "organize": "opentype/bwht/BecauseWeOrganize-Regular.otf",
}
ALL_FACES = tuple(_FILES)


@dataclass(frozen=True)
class HandFace:
    """A handwriting face."""

    #: Makes the letters of all faces equally tall.
    scale: float
    #: How often it is drawn: children's print more often than an adult's quick hand.
    share: float
    #: Whether its accented letters are there but empty.
    plain_only: bool = False


#: The hands of the development part.
HANDS: dict[str, HandFace] = {
    "breip": HandFace(1.05, 3),
    "dkg": HandFace(0.95, 2),
    "dkg-slanted": HandFace(0.95, 1),
    "dkg-bold": HandFace(0.92, 1.5),
    "rufscript": HandFace(1.05, 3),
    "stevehand": HandFace(0.92, 1.5),
    "delphine": HandFace(1.5, 0.5),
}
#: The hands of the held-out part.
HELD_OUT_HANDS: dict[str, HandFace] = {
    "seto": HandFace(0.98, 2),
    "kiloji": HandFace(1.0, 2, plain_only=True),
    "kiloji-narrow": HandFace(1.02, 2, plain_only=True),
    "yozfont": HandFace(0.95, 2),
    "purisa": HandFace(0.85, 1.5),
    "klee": HandFace(0.9, 1),
    "yusei": HandFace(0.85, 1),
    "create": HandFace(1.15, 0.7),
    "mentor": HandFace(1.1, 0.7),
    "organize": HandFace(1.05, 1),
}
ALL_HANDS = HANDS | HELD_OUT_HANDS


class FontsMissingError(RuntimeError):
    """A font file is not installed."""


@lru_cache(maxsize=64)
def path(face: str) -> str:
    """Path of a face's file. Raises FontsMissingError where its package is not installed."""
    file = _SHARE / _FILES[face]
    if not file.exists():
        raise FontsMissingError(f"{file} is missing; `make samples` installs the fonts")
    return str(file)


@lru_cache(maxsize=64)
def font(face: str) -> pymupdf.Font:
    """The face, for measuring."""
    return pymupdf.Font(fontfile=path(face))


def width(face: str, text: str, size: float) -> float:
    """Width of a text in points."""
    return size * sum(_advance(face, letter) for letter in text)


@lru_cache(maxsize=4096)
def _advance(face: str, letter: str) -> float:
    """Return the width of a letter at a size of one point; cached, since lines are measured with every word."""
    return float(font(face).text_length(letter, fontsize=1))
