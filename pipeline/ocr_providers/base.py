"""Interface of an OCR provider: one file in this folder, one entry in `ALL_PROVIDERS`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from core.config import Settings
from pipeline.pages.page_model import Box

#: A picture as passed to providers: height x width x 3 bytes, red, green, blue.
Pixels = NDArray[np.uint8]

#: Confidence of words whose provider gives none: too low for a field to pass without a person.
UNSCORED = 0.5


@dataclass(frozen=True, slots=True)
class RecognisedWord:
    """One word with its box, 0-1 of the picture."""

    text: str
    box: Box
    #: 0-1; UNSCORED where the provider gives none.
    confidence: float


@dataclass(frozen=True, slots=True)
class RecognisedLine:
    """The words of one line from its beginning, and the line's shape and slope."""

    words: tuple[RecognisedWord, ...]
    #: Length over height of the line as found; well below 1 for text on its side.
    aspect: float
    #: Degrees by which the line falls (clockwise) from the horizontal, -45 to 45.
    slope: float = 0.0

    @property
    def text(self) -> str:
        """The line's words joined by spaces."""
        return " ".join(word.text for word in self.words)


@dataclass(frozen=True, slots=True)
class RecognisedText:
    """A line without positions: its text and confidence (0-1). The text is empty where nothing was read."""

    text: str = ""
    confidence: float = 0.0
    #: Letters with their probabilities at each step along the line ("" is the blank), if the provider gives them.
    steps: tuple[dict[str, float], ...] = ()

    @classmethod
    def of(cls, words: Iterable[RecognisedWord]) -> RecognisedText:
        """Join words by spaces; the confidence is the mean over the letters."""
        said = [word for word in words if word.text]
        if not said:
            return cls()
        letters = sum(len(word.text) for word in said)
        confidence = sum(word.confidence * len(word.text) for word in said) / letters
        return cls(" ".join(word.text for word in said), round(confidence, 4))


class OcrProvider(Protocol):
    """Recognises one upright picture. Raises RecognitionError, retryable or not."""

    #: Its name in settings and commands.
    name: ClassVar[str]

    def __init__(self, settings: Settings) -> None:
        """Must be cheap: models are loaded by `preload` or the first recognition."""
        ...

    @property
    def version(self) -> str:
        """Return software, models and parameters as a string, which is part of the key of the cache."""
        ...

    def preload(self) -> None:
        """Load what can be shared with forked children, without recognising anything."""
        ...

    def recognise(self, picture: Pixels) -> list[RecognisedLine]:
        """Return the lines of the picture in any order."""
        ...

    def recognise_line(self, picture: Pixels) -> RecognisedText:
        """Recognise a picture that holds one line of text, without text detection."""
        ...
