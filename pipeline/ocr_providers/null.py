"""A provider that recognises nothing: for offices with typed entries only, and for tests."""

from __future__ import annotations

from typing import ClassVar

from core.config import Settings
from pipeline.ocr_providers.base import Pixels, RecognisedLine, RecognisedText


class NullOcr:
    """The provider named "none"."""

    name: ClassVar[str] = "none"
    version = "1"

    def __init__(self, settings: Settings) -> None:
        """Takes no settings."""

    def preload(self) -> None:
        """Nothing to load."""

    def recognise(self, picture: Pixels) -> list[RecognisedLine]:
        """See `OcrProvider.recognise`."""
        return []

    def recognise_line(self, picture: Pixels) -> RecognisedText:
        """See `OcrProvider.recognise_line`."""
        return RecognisedText()
