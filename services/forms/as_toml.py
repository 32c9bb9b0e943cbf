"""Forms as TOML files, in the manner of those in `pipeline/profiles`."""

from __future__ import annotations

import tomllib
from typing import Any

import tomli_w

from core.errors import InvalidInputError
from pipeline.profiles import Profile
from services.forms.check_form import checked_profile
from services.messages.form import FormRefused


def export_toml(profile: Profile) -> str:
    """Return the form as TOML, whole and without its version; `import_toml` makes the same form of it."""
    return tomli_w.dumps(definition_of(profile))


def import_toml(text: str) -> Profile:
    """Return the form that a TOML file describes, without a version.

    Raises InvalidInputError for what is no TOML or describes no form; `save_version` checks the rest.
    """
    try:
        raw = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InvalidInputError(FormRefused.NO_TOML, fault=str(error)[:200]) from None
    return checked_profile({**raw, "version": None})


def definition_of(profile: Profile) -> dict[str, Any]:
    """Return the form as JSON, without its version and what has its default."""
    return profile.model_dump(mode="json", exclude={"version"}, exclude_defaults=True, exclude_none=True)
