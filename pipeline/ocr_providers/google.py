"""Google Cloud Vision through its REST interface, `images:annotate` with an API key.

Format: https://cloud.google.com/vision/docs/reference/rest/v1/images/annotate
"""

from __future__ import annotations

from typing import ClassVar

from core.config import Settings
from core.errors import ConfigurationError, RecognitionRefusedError, RecognitionUnavailableError
from pipeline.ocr_providers.base import Pixels, RecognisedLine, RecognisedText
from pipeline.ocr_providers.google_lines import lines_of
from pipeline.ocr_providers.google_reply import Annotated, Failure, GoogleReply
from pipeline.ocr_providers.packing import PACKING, Packed, packed
from pipeline.ocr_providers.service import Post, Service

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
    """The provider named "google"."""

    name: ClassVar[str] = "google"

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
        """See `OcrProvider.recognise`."""
        sent = packed(picture, _MOST)
        answer = self._service.ask(_question(sent), _understood)
        if answer.full_text_annotation is None:
            return []
        return lines_of(answer.full_text_annotation, sent.width, sent.height)

    def recognise_line(self, picture: Pixels) -> RecognisedText:
        """See `OcrProvider.recognise_line`."""
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


def _failed(error: Failure) -> RecognitionRefusedError | RecognitionUnavailableError:
    detail = f"google: code {error.code}"
    if error.code in _PASSING_CODES:
        return RecognitionUnavailableError(detail)
    return RecognitionRefusedError(detail)
