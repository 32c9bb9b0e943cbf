"""Find settings that were given but have no effect, because the chosen provider does not support them."""

from __future__ import annotations

from functools import lru_cache

from core.config import Settings
from core.llm.depth import deep_depth
from core.llm.providers import ALL_PROVIDERS, chosen_provider
from core.llm.providers.base import Provider
from core.log import get_logger

log = get_logger(__name__)

_OWN = frozenset().union(*(provider.settings for provider in ALL_PROVIDERS))
_DEEP = frozenset(name for name in Settings.model_fields if name.startswith("deep_"))


@lru_cache(maxsize=1)
def warn_of_ignored_settings(settings: Settings) -> None:
    """Log a warning for each setting without effect. Call it once when a process starts."""
    for variable, provider in ignored_settings(settings):
        log.warning("setting_ignored", setting=variable, provider=provider)


def ignored_settings(settings: Settings) -> list[tuple[str, str]]:
    """Return the variables without effect, each with the chosen provider ("none" without a model)."""
    plain, deep = (chosen_provider(settings, deep=tier) for tier in (False, True))
    heeded = frozenset().union(*(provider.settings for provider in (plain, deep) if provider))
    if settings.ocr_provider == "groq":
        heeded |= {"groq_api_key", "groq_base_url"}
    ignored = deep.ignores(settings, deep_depth(settings)) if deep else _DEEP
    vain = {name: _name(plain or deep) for name in _OWN - heeded} | {name: _name(deep) for name in ignored}
    return [(name.upper(), chosen) for name, chosen in sorted(vain.items()) if name in settings.model_fields_set]


def _name(provider: Provider | None) -> str:
    return provider.name if provider else "none"
