"""The options that are available for reading an entry again: OCR providers, forms and the model."""

from __future__ import annotations

from dataclasses import dataclass

from core.config import Settings
from core.errors import InvalidInputError
from pipeline.ocr_providers import ALL_PROVIDERS
from pipeline.ocr_providers.null import NullOcr
from pipeline.profiles import all_profiles
from services.review.read_again import options_of


@dataclass(frozen=True)
class ReadingChoices:
    """Available values of the options of `resolve_escalation`."""

    providers: list[str]
    #: (key, label of the form)
    profiles: list[tuple[str, str]]
    asks_model: bool


def reading_choices(settings: Settings) -> ReadingChoices:
    """Return the choices that `options_of` accepts."""
    names = [provider.name for provider in ALL_PROVIDERS if provider is not NullOcr]
    return ReadingChoices(
        [name for name in names if _is_set_up(settings, name)],
        [(key, profile.label) for key, profile in all_profiles().items()],
        settings.model_configured and settings.use_orchestrator,
    )


def _is_set_up(settings: Settings, provider: str) -> bool:
    try:
        options_of(settings, "read_again", {"ocr_provider": provider})
    except InvalidInputError:
        return False
    return True
