"""The OCR providers, by name. OpenVINO, which one of them loads, is imported without what tells Intel of it."""

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

# By it OpenVINO would tell Google Analytics that it is imported, and keep a number of this machine in the home
# folder. None makes its import raise ImportError (see `sys.modules`), and OpenVINO goes without.
sys.modules["openvino_telemetry"] = cast(Any, None)

ALL_PROVIDERS: tuple[type[OcrProvider], ...] = (RapidOcr, Tesseract, GoogleVision, GroqVision, NullOcr)

#: Those that send pictures of pages to somebody else's servers.
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
