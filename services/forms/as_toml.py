"""Forms as TOML files, in the manner of those in `pipeline/profiles`."""

from __future__ import annotations

import tomli_w

from pipeline.profiles import Profile
from services.forms.check_form import check_patterns, definition_of, parsed_toml


def export_toml(profile: Profile) -> str:
    """Return the form as TOML, whole and without its version; `import_toml` makes the same form of it."""
    return tomli_w.dumps(definition_of(profile))


def import_toml(text: str) -> Profile:
    """Return the form that a TOML file describes, without a version.

    Raises InvalidInputError for what is no TOML or describes no form; `save_version` checks the rest.
    """
    profile = parsed_toml(text)
    check_patterns(profile)
    return profile
