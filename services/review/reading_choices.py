"""The options that are available for reading an entry again: OCR providers, forms and the model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

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
    return ReadingChoices(
        list(_providers(settings)),
        [(key, profile.label) for key, profile in all_profiles().items()],
        settings.model_configured and settings.use_orchestrator,
    )


@lru_cache(maxsize=4)
def _providers(settings: Settings) -> tuple[str, ...]:
    """Return the names of the providers that are set up; kept, since finding out takes longer than a page."""
    names = [provider.name for provider in ALL_PROVIDERS if provider is not NullOcr]
    return tuple(name for name in names if _is_set_up(settings, name))


def _is_set_up(settings: Settings, provider: str) -> bool:
    try:
        options_of(settings, "read_again", {"ocr_provider": provider})
    except InvalidInputError:
        return False
    return True
