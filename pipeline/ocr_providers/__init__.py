"""The OCR providers, by name."""

from __future__ import annotations

from core.config import Settings
from core.errors import ConfigurationError
from pipeline.ocr_providers.base import OcrProvider
from pipeline.ocr_providers.google import GoogleVision
from pipeline.ocr_providers.groq import GroqVision
from pipeline.ocr_providers.null import NullOcr
from pipeline.ocr_providers.rapidocr import RapidOcr
from pipeline.ocr_providers.tesseract import Tesseract

ALL_PROVIDERS: tuple[type[OcrProvider], ...] = (RapidOcr, Tesseract, GoogleVision, GroqVision, NullOcr)


def get_provider(name: str, settings: Settings) -> OcrProvider:
    """Return the provider of that name.

    Raises ConfigurationError for an unknown name, listing the known ones, or for a missing variable.
    """
    for provider in ALL_PROVIDERS:
        if provider.name == name:
            return provider(settings)
    known = ", ".join(provider.name for provider in ALL_PROVIDERS)
    raise ConfigurationError(f"OCR_PROVIDER: {name!r} is none of {known}")
