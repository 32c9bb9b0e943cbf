"""What every step of writing one report needs."""

from __future__ import annotations

from dataclasses import dataclass

from research.config import Language
from research.material import ReportMaterial
from research.readers.protocol import Asked, Reader
from research.writing.claims import ClaimBook
from research.writing.places import Sources


@dataclass(frozen=True)
class Desk:
    """Material, reader, and what was published so far."""

    material: ReportMaterial
    asked: Asked
    reader: Reader
    sources: Sources
    book: ClaimBook
    #: Keys of sections that are taken.
    keys: set[str]

    @property
    def language(self) -> Language:
        """The language of the report."""
        return self.asked.language
