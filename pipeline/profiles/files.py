"""The profiles that come with the program: one TOML file per form.

`extends` takes another profile's fields and prints, less `without_fields` and `without_roles`; `include` adds the
prints of files that are no profile by themselves.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from core.errors import ConfigurationError
from pipeline.profiles.form import Profile

FOLDER = Path(__file__).parent


def _toml(name: str, folder: Path) -> dict[str, Any]:
    path = folder / f"{name}.toml"
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as exc:
        raise ConfigurationError(f"profile {name}: {exc}") from exc


def _resolved(name: str, folder: Path) -> dict[str, Any]:
    raw = _toml(name, folder)
    fields: dict[str, Any] = {}
    printed: list[dict[str, Any]] = []
    if base := raw.pop("extends", None):
        parent = _resolved(base, folder)
        gone, roles = set(raw.pop("without_fields", ())), set(raw.pop("without_roles", ()))
        fields = {key: spec for key, spec in parent["fields"].items() if key not in gone}
        printed = [p for p in parent["printed"] if p["role"] not in roles and p.get("field") not in gone]
    for extra in raw.pop("include", ()):
        printed += _toml(extra, folder)["printed"]
    return {**raw, "fields": fields | raw.get("fields", {}), "printed": printed + raw.get("printed", [])}


def read_profile(name: str, folder: Path = FOLDER) -> Profile:
    """Read one profile by its key. Raises ConfigurationError (unreadable, no such file)."""
    return Profile.model_validate(_resolved(name, folder))


@cache
def built_in_profiles() -> dict[str, Profile]:
    """The profiles of the files by key, newest form first."""
    keys = sorted((p.stem for p in FOLDER.glob("*.toml") if "key" in _toml(p.stem, FOLDER)), reverse=True)
    return {key: read_profile(key) for key in keys}
