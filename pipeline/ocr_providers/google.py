"""Google Cloud Vision through its REST interface, `images:annotate` with an API key.

Format: https://cloud.google.com/vision/docs/reference/rest/v1/images/annotate
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from core.config import Settings
from core.errors import ConfigurationError, RecognitionRefusedError, RecognitionUnavailableError
from pipeline.ocr_providers.base import (
    PACKING,
    Packed,
    Pixels,
    Post,
    RecognisedLine,
    RecognisedText,
    RecognisedWord,
    Service,
    encode_picture,
)
from pipeline.pages.page_model import UNSCORED, Box

GOOGLE_URL = "https://vision.googleapis.com"
_PATH = "/v1/images:annotate"
_FEATURE = {"type": "DOCUMENT_TEXT_DETECTION", "model": "builtin/stable"}
_LANGUAGES = ["en", "es"]
#: Maximum base64 characters of a picture: Google accepts requests of 10 MB.
_MOST = 9_500_000
#: Incremented when the interpretation of Google's answers changes.
_REVISION = 1
#: Retryable codes of https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto: UNKNOWN,
#: DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, ABORTED, INTERNAL, UNAVAILABLE.
_PASSING_CODES = frozenset({2, 4, 8, 10, 13, 14})


class GoogleVision:
    name: ClassVar[str] = "google"
    places_known: ClassVar[bool] = True

    def __init__(self, settings: Settings) -> None:
        """Raise ConfigurationError without a key."""
        if settings.google_vision_api_key is None:
            raise ConfigurationError("GOOGLE_VISION_API_KEY must be set to recognise with google")
        self._address = (settings.google_vision_base_url or GOOGLE_URL).rstrip("/")
        self._service = Service(
            name=self.name,
            send=Post(
                self._address + _PATH,
                {"X-Goog-Api-Key": settings.google_vision_api_key.get_secret_value()},
                settings.ocr_timeout_seconds,
            ),
            timeout_seconds=settings.ocr_timeout_seconds,
            max_attempts=settings.ocr_max_attempts,
        )

    @property
    def version(self) -> str:
        """See `OcrProvider.version`. Google does not announce changes of the model behind a name."""
        feature = ",".join(_FEATURE.values())
        return f"{_REVISION};{self._address}{_PATH};{feature};languages={'+'.join(_LANGUAGES)};{PACKING}"

    def preload(self) -> None:
        """Nothing to load."""

    def recognise(self, picture: Pixels) -> list[RecognisedLine]:
        sent = encode_picture(picture, _MOST)
        answer = self._service.ask(_question(sent), _understood)
        if answer.full_text_annotation is None:
            return []
        return vision_lines(answer.full_text_annotation, sent.width, sent.height)

    def recognise_line(self, picture: Pixels) -> RecognisedText:
        return RecognisedText.of(word for line in self.recognise(picture) for word in line.words)


def _question(picture: Packed) -> dict[str, object]:
    request = {
        "image": {"content": picture.base64},
        "features": [_FEATURE],
        "imageContext": {"languageHints": _LANGUAGES},
    }
    return {"requests": [request]}


def _understood(content: bytes) -> Annotated:
    """Parse the response. Raises ValueError unless it holds one answer; with an error, its text is partial."""
    (answer,) = GoogleReply.model_validate_json(content).responses
    if answer.error is not None:
        raise _failed(answer.error)
    return answer


def _failed(error: VisionError) -> RecognitionRefusedError | RecognitionUnavailableError:
    detail = f"google: code {error.code}"
    if error.code in _PASSING_CODES:
        return RecognitionUnavailableError(detail)
    return RecognitionRefusedError(detail)


# Build words and lines from Google's words: join them up to each break, end lines at line breaks.


_ENDS_WORD = frozenset({"SPACE", "SURE_SPACE"})
_ENDS_LINE = frozenset({"EOL_SURE_SPACE", "LINE_BREAK", "HYPHEN"})
#: Google reads text in any orientation with equal confidence. A page must still be turned upright, and
#: `pipeline/ocr.py` turns it if a reading is weak, so words that are not upright count less.
_NOT_UPRIGHT = 0.5

_Corners = NDArray[np.float64]


def vision_lines(text: FullText, width: int, height: int) -> list[RecognisedLine]:
    """Return the lines of a picture of that size in pixels, in the order of the answer."""
    paragraphs = (p for page in text.pages for block in page.blocks for p in block.paragraphs)
    return [
        line
        for paragraph in paragraphs
        for words in _lines(paragraph)
        if (line := _line(words, width, height)).words
    ]


def _lines(paragraph: VisionParagraph) -> Iterator[list[list[VisionWord]]]:
    """Yield each line as words, each word as the `VisionWord`s without a break between them."""
    words: list[list[VisionWord]] = [[]]
    for piece in paragraph.words:
        before, after = _break(piece, 0, prefix=True), _break(piece, -1, prefix=False)
        if before in _ENDS_LINE:
            yield words
            words = [[]]
        elif before in _ENDS_WORD:
            words.append([])
        words[-1].append(piece)
        if after in _ENDS_LINE:
            yield words
            words = [[]]
        elif after in _ENDS_WORD:
            words.append([])
    yield words


def _break(piece: VisionWord, symbol: int, *, prefix: bool) -> str:
    about = piece.symbols[symbol].property
    found = about.detected_break if about else None
    return found.type if found and found.is_prefix == prefix else ""


def _line(words: Sequence[Sequence[VisionWord]], width: int, height: int) -> RecognisedLine:
    full = [word for word in words if word and _text(word)]
    if not full:
        return RecognisedLine((), 1.0)
    corners = np.concatenate([_corners(piece) for word in full for piece in word])
    along = (corners[1::4] - corners[0::4] + corners[2::4] - corners[3::4]).sum(axis=0)
    angle = math.degrees(math.atan2(float(along[1]), float(along[0])))
    upright = abs(angle) <= 45
    lying = upright or abs(angle) >= 135
    length, depth = _extent(corners, angle), _extent(corners, angle + 90)
    aspect = length / depth if lying else depth / length
    worth = 1.0 if upright else _NOT_UPRIGHT
    placed = tuple(_word(word, width, height, worth) for word in full)
    return RecognisedLine(placed, round(aspect, 3), round((angle + 45) % 90 - 45, 3))


def _extent(corners: _Corners, angle: float) -> float:
    """Return the extent of the corners in a direction, in pixels."""
    radians = math.radians(angle)
    reach = corners @ np.array([math.cos(radians), math.sin(radians)])
    return max(float(np.ptp(reach)), 1.0)


def _word(pieces: Sequence[VisionWord], width: int, height: int, worth: float) -> RecognisedWord:
    corners = np.concatenate([_corners(piece) for piece in pieces]) / [width, height]
    (x0, y0), (x1, y1) = np.clip(corners.min(axis=0), 0, 1), np.clip(corners.max(axis=0), 0, 1)
    letters = [len(piece.symbols) for piece in pieces]
    sure = [UNSCORED if piece.confidence is None else piece.confidence for piece in pieces]
    confidence = float(np.average(sure, weights=letters)) * worth
    return RecognisedWord(_text(pieces), Box(float(x0), float(y0), float(x1), float(y1)), round(confidence, 4))


def _text(pieces: Sequence[VisionWord]) -> str:
    text = "".join(symbol.text for piece in pieces for symbol in piece.symbols)
    # Google does not count the hyphen at a line's end as text, but it is on the page.
    hyphen = "-" if pieces and _break(pieces[-1], -1, prefix=False) == "HYPHEN" else ""
    return "".join(text.split()) + hyphen


def _corners(piece: VisionWord) -> _Corners:
    return np.array([[corner.x, corner.y] for corner in piece.bounding_box.vertices], dtype=np.float64)


# The part of Google's answer that is used, as validated types.
#
# Google omits zero and empty values, as protocol buffers do in JSON.


class _Part(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, frozen=True, allow_inf_nan=False)


class Vertex(_Part):
    """A corner in pixels of the picture sent; it may lie outside."""

    x: float = 0.0
    y: float = 0.0


class Polygon(_Part):
    """Corners clockwise from the start of the text, whatever its orientation."""

    vertices: list[Vertex] = Field(min_length=4, max_length=4)


class Break(_Part):
    """A break before (`is_prefix`) or after a symbol."""

    type: str = "UNKNOWN"
    is_prefix: bool = False


class SymbolProperty(_Part):
    detected_break: Break | None = None


class Symbol(_Part):
    """A letter, a digit, a mark."""

    text: str
    property: SymbolProperty | None = None


class VisionWord(_Part):
    """A word in Google's sense: punctuation is a separate word."""

    bounding_box: Polygon
    symbols: list[Symbol] = Field(min_length=1)
    confidence: float | None = Field(default=None, ge=0, le=1)


class VisionParagraph(_Part):
    """Words in reading order; breaks separate the lines."""

    words: list[VisionWord] = []


class VisionBlock(_Part):
    """A group of paragraphs."""

    paragraphs: list[VisionParagraph] = []


class VisionPage(_Part):
    """A page; each picture has one."""

    blocks: list[VisionBlock] = []


class FullText(_Part):
    pages: list[VisionPage] = []


class VisionError(_Part):
    """Why this picture could not be read; its message may quote anything and is not kept."""

    code: int = 0


class Annotated(_Part):
    """The answer for one picture; a blank one has neither text nor error."""

    full_text_annotation: FullText | None = None
    error: VisionError | None = None


class GoogleReply(_Part):
    """One answer a picture sent."""

    responses: list[Annotated] = Field(min_length=1, max_length=1)
