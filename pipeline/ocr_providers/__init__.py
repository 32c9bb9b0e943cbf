"""The OCR providers, by name. OpenVINO, which one of them uses, is imported without its telemetry."""

from __future__ import annotations

import sys
from typing import Any, cast

from core.config import Settings
from core.errors import ConfigurationError
from pipeline.ocr_providers.base import NullOcr, OcrProvider
from pipeline.ocr_providers.google import GoogleVision
from pipeline.ocr_providers.groq import GroqVision
from pipeline.ocr_providers.rapidocr import RapidOcr
from pipeline.ocr_providers.tesseract import Tesseract

# It would report the import to Google Analytics and store an id of this machine in the home folder. None makes
# its import raise ImportError (see `sys.modules`), and OpenVINO then works without it.
sys.modules["openvino_telemetry"] = cast(Any, None)

ALL_PROVIDERS: tuple[type[OcrProvider], ...] = (RapidOcr, Tesseract, GoogleVision, GroqVision, NullOcr)

#: Providers that send pictures of pages to third-party servers.
REMOTE = frozenset({GoogleVision.name, GroqVision.name})


def get_provider(name: str, settings: Settings) -> OcrProvider:
    """Return the provider of that name.

    Raises ConfigurationError for an unknown name, listing the known ones, or for a missing variable.
    """
    for provider in ALL_PROVIDERS:
        if provider.name == name:
            return provider(settings)
    known = ", ".join(provider.name for provider in ALL_PROVIDERS)
    raise ConfigurationError(f"OCR_PROVIDER: {name!r} is none of {known}")
