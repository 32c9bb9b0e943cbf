"""Make the policy of a season: its own values take precedence over the settings. The only place that does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from core.config import Settings
from core.errors import ConfigurationError
from pipeline.validation.policy import Policy

#: Fields of the policy that have a setting of the same name.
FROM_SETTINGS = tuple(name for name in Policy.model_fields if name in Settings.model_fields)


def policy_of(
    settings: Settings,
    season: Mapping[str, Any] | None = None,
    known_schools: Mapping[str, list[str]] | None = None,
    taught_schools: Sequence[str] = (),
) -> Policy:
    """The policy of a season; `season` holds what it sets for itself, by the names of the policy's fields.

    Raises ConfigurationError, naming each rule of the season that does not fit.
    """
    schools = {"known_schools": dict(known_schools or {}), "taught_schools": tuple(taught_schools)}
    try:
        return Policy.model_validate({**_defaults(settings), **(season or {}), **schools})
    except ValidationError as exc:
        faults = [f"{'.'.join(map(str, error['loc'])) or 'policy'}: {error['msg']}" for error in exc.errors()]
        raise ConfigurationError(f"the season's policy: {'; '.join(faults)}") from exc


def rules_that_do_not_fit(settings: Settings, season: Mapping[str, Any]) -> list[str]:
    """Return the keys of the season's rules that the policy does not take; "" for a combination of them."""
    try:
        Policy.model_validate({**_defaults(settings), **season})
    except ValidationError as exc:
        return list(dict.fromkeys(str(error["loc"][0]) if error["loc"] else "" for error in exc.errors()))
    return []


def _defaults(settings: Settings) -> dict[str, Any]:
    return {name: getattr(settings, name) for name in FROM_SETTINGS}
