"""A vision model through Groq's chat completions: returns the text without positions or confidences.

Format: https://console.groq.com/docs/api-reference#chat-create and https://console.groq.com/docs/vision
"""

from __future__ import annotations

import hashlib
from typing import ClassVar

from pydantic import BaseModel, Field, ValidationError

from core.config import Settings
from core.errors import ConfigurationError, RecognitionRefusedError
from pipeline.ocr_providers.base import UNSCORED, Pixels, RecognisedLine, RecognisedText
from pipeline.ocr_providers.groq_client import GroqCompletions
from pipeline.ocr_providers.packing import PACKING, Packed, packed
from pipeline.ocr_providers.service import Service
from pipeline.ocr_providers.unplaced import has_ink, placed_lines
from pipeline.prompts import TRANSCRIBE

GROQ_URL = "https://api.groq.com"
_PATH = "/openai/v1/chat/completions"
#: Maximum base64 characters of a picture: Groq accepts 4 MB.
_MOST = 3_900_000
#: Maximum tokens of a reply; a dense page takes about 1,500.
_REPLY_TOKENS = 8192
#: Incremented when the interpretation of the model's answers changes.
_REVISION = 1
#: Groq's code for a reply that is not JSON: status 400, but a retry may succeed.
_NO_JSON = "json_validate_failed"


class _Lines(BaseModel):
    lines: list[str]


class _Message(BaseModel):
    content: str


class _Choice(BaseModel):
    message: _Message
    finish_reason: str


class _Completion(BaseModel):
    choices: list[_Choice] = Field(min_length=1)


class _Problem(BaseModel):
    code: str = ""


class _Refusal(BaseModel):
    error: _Problem


class GroqVision:
    """The provider named "groq"."""

    name: ClassVar[str] = "groq"

    def __init__(self, settings: Settings) -> None:
        """Raise ConfigurationError without a key."""
        if settings.groq_api_key is None:
            raise ConfigurationError("GROQ_API_KEY must be set to recognise with groq")
        self._address = (settings.groq_base_url or GROQ_URL).rstrip("/")
        self._model = settings.groq_vision_model
        self._service = Service(
            name=self.name,
            send=GroqCompletions(self._address, settings.groq_api_key, settings.ocr_timeout_seconds),
            timeout_seconds=settings.ocr_timeout_seconds,
            max_attempts=settings.ocr_max_attempts,
            passing=_is_no_json,
        )

    @property
    def version(self) -> str:
        """See `OcrProvider.version`."""
        prompt = hashlib.sha256(TRANSCRIBE.encode()).hexdigest()[:12]
        parameters = f"prompt={prompt},temperature=0,max_completion_tokens={_REPLY_TOKENS}"
        return f"{_REVISION};{self._address}{_PATH};{self._model};{parameters};{PACKING}"

    def preload(self) -> None:
        """Nothing to load."""

    def recognise(self, picture: Pixels) -> list[RecognisedLine]:
        """See `OcrProvider.recognise`. The positions are estimates: `pipeline/ocr_providers/unplaced.py`."""
        return placed_lines(self._read(picture), picture)

    def recognise_line(self, picture: Pixels) -> RecognisedText:
        """See `OcrProvider.recognise_line`."""
        text = " ".join(self._read(picture))
        return RecognisedText(text, UNSCORED) if text else RecognisedText()

    def _read(self, picture: Pixels) -> list[str]:
        """Return the lines, with single spaces. A blank picture is not sent, as the model might invent a text."""
        if not has_ink(picture):
            return []
        lines = self._service.ask(self._question(packed(picture, _MOST)), _understood)
        return [line for said in lines if (line := " ".join(said.split()))]

    def _question(self, picture: Packed) -> dict[str, object]:
        # No system message: not every vision model accepts one together with a picture.
        content = [
            {"type": "text", "text": TRANSCRIBE},
            {"type": "image_url", "image_url": {"url": f"data:{picture.media_type};base64,{picture.base64}"}},
        ]
        return {
            "model": self._model,
            "messages": [{"role": "user", "content": content}],
            "temperature": 0,
            "max_completion_tokens": _REPLY_TOKENS,
            "response_format": {"type": "json_object"},
        }


def _understood(content: bytes) -> list[str]:
    """Parse the transcription. Raises ValueError if it is malformed, RecognitionRefusedError if it was cut off."""
    choice = _Completion.model_validate_json(content).choices[0]
    if choice.finish_reason == "length":
        raise RecognitionRefusedError("groq: the answer was cut off")
    return _Lines.model_validate_json(choice.message.content).lines


def _is_no_json(body: bytes) -> bool:
    try:
        return _Refusal.model_validate_json(body).error.code == _NO_JSON
    except ValidationError:
        return False
