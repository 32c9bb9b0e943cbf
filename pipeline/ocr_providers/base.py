"""Interface of an OCR provider: one file in this folder, one entry in `ALL_PROVIDERS`; requests to services."""

from __future__ import annotations

import base64
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from core.clock import AttemptLimits, may_pass, seconds_to_wait
from core.config import Settings
from core.errors import RecognitionError, RecognitionRefusedError, RecognitionUnavailableError
from core.llm.bounded import post
from pipeline.pages.page_model import Box

if TYPE_CHECKING:
    import httpx


# A provider that recognises nothing: for offices with typed entries only, and for tests.


class NullOcr:
    name: ClassVar[str] = "none"
    places_known: ClassVar[bool] = True
    version = "1"

    def __init__(self, settings: Settings) -> None:
        """Takes no settings."""

    def preload(self) -> None:
        """Nothing to load."""

    def recognise(self, picture: Pixels) -> list[RecognisedLine]:
        return []

    def recognise_line(self, picture: Pixels) -> RecognisedText:
        return RecognisedText()


# One request to a recognition service: attempts, waits and typed errors, the same for every service.
#
# Errors name the service and the kind of failure but never quote request or response, which hold a child's entry.


T = TypeVar("T")

#: The status of a successful response.
_ANSWERED = 200


#: Sends a request once and returns the response, whatever its status. Raises httpx's exceptions.
Send = Callable[[Mapping[str, object]], "httpx.Response"]


@dataclass(frozen=True)
class Post:
    """Sends a request as JSON, for services without their own package; uses a new connection for each."""

    url: str
    #: Headers with the API key: addresses end up in logs, headers do not.
    headers: Mapping[str, str] = field(repr=False)
    timeout_seconds: float

    def __call__(self, body: Mapping[str, object]) -> httpx.Response:
        return post(self.url, body, self.headers, self.timeout_seconds)


@dataclass(frozen=True)
class Service:
    """A recognition service, with retries and typed errors."""

    name: str
    send: Send = field(repr=False)
    #: Timeout of one attempt, in seconds.
    timeout_seconds: float
    max_attempts: int
    #: Whether a refusal with a final status is still worth a retry, by its body.
    passing: Callable[[bytes], bool] = lambda body: False
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)

    def ask(self, body: Mapping[str, object], understand: Callable[[bytes], T]) -> T:
        """Send `body` as JSON and return the response as parsed by `understand`.

        `understand` raises ValueError for a malformed response, or a RecognitionError of its own.
        Raises RecognitionUnavailableError (retryable) or RecognitionRefusedError.
        """
        attempts = AttemptLimits(self.max_attempts, self.timeout_seconds * self.max_attempts, self.sleep)
        return attempts(lambda: self._attempt(body, understand))

    def _attempt(self, body: Mapping[str, object], understand: Callable[[bytes], T]) -> T:
        response = self._sent(body)
        if response.status_code != _ANSWERED:
            raise self._refusal(response)
        try:
            return understand(response.content)
        except ValueError:
            pass
        # Raised outside the handler: a validation error quotes the response and must not be chained.
        raise RecognitionUnavailableError(f"{self.name}: malformed answer")

    def _sent(self, body: Mapping[str, object]) -> httpx.Response:
        import httpx

        try:
            return self.send(body)
        except (httpx.UnsupportedProtocol, httpx.LocalProtocolError, httpx.InvalidURL, UnicodeError) as exc:
            failure: RecognitionError = RecognitionRefusedError(f"{self.name}: {type(exc).__name__}")
        except httpx.HTTPError as exc:
            failure = RecognitionUnavailableError(f"{self.name}: {type(exc).__name__}")
        # Raised outside the handler: the cause may quote the key.
        raise failure

    def _refusal(self, response: httpx.Response) -> RecognitionError:
        detail = f"{self.name}: http_{response.status_code}"
        if may_pass(response.status_code) or self.passing(response.content):
            wait = seconds_to_wait(response.headers.get("retry-after"))
            return RecognitionUnavailableError(detail, retry_after=wait)
        return RecognitionRefusedError(detail)


# Encode pictures for services: PNG if small enough, else JPEG, else a smaller JPEG.


#: Part of a provider's version: another encoding gives another picture to read.
PACKING = "png/jpeg90"
_QUALITY = 90
_SCALES = (1.0, 0.7, 0.5, 0.35)


@dataclass(frozen=True, slots=True)
class Packed:
    media_type: str
    base64: str
    #: Size of the sent picture in pixels; a service's coordinates refer to it.
    width: int
    height: int


def encode_picture(picture: Pixels, most: int) -> Packed:
    """Encode the picture in at most `most` base64 characters. Raises RecognitionRefusedError if it cannot fit."""
    blue_first = np.ascontiguousarray(picture[:, :, ::-1])
    if fitting := _encoded(blue_first, ".png", "image/png", most):
        return fitting
    for scale in _SCALES:
        smaller = blue_first if scale == 1.0 else _resized(blue_first, scale)
        if fitting := _encoded(smaller, ".jpg", "image/jpeg", most):
            return fitting
    raise RecognitionRefusedError("the picture is too large for the service")


def _resized(picture: Pixels, scale: float) -> Pixels:
    resized = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(resized, dtype=np.uint8)


def _encoded(picture: Pixels, kind: str, media_type: str, most: int) -> Packed | None:
    options = [cv2.IMWRITE_JPEG_QUALITY, _QUALITY] if kind == ".jpg" else []
    _, data = cv2.imencode(kind, picture, options)
    text = base64.b64encode(data.tobytes()).decode()
    return Packed(media_type, text, picture.shape[1], picture.shape[0]) if len(text) <= most else None


#: A picture as passed to providers: height x width x 3 bytes, red, green, blue.
Pixels = NDArray[np.uint8]


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
    #: Whether it knows where words are and how sure it is of them. If not, places are estimates, confidences
    #: UNSCORED, and only the text of a page and its order are used: no part of a page is read again.
    places_known: ClassVar[bool]

    def __init__(self, settings: Settings) -> None:
        """Must be cheap: models are loaded by `preload` or the first recognition."""

    @property
    def version(self) -> str:
        """Return software, models and parameters as a string, which is part of the key of the cache."""

    def preload(self) -> None:
        """Load what can be shared with forked children, without recognising anything."""

    def recognise(self, picture: Pixels) -> list[RecognisedLine]:
        """Return the lines of the picture in any order."""

    def recognise_line(self, picture: Pixels) -> RecognisedText:
        """Recognise a picture that holds one line of text, without text detection."""
