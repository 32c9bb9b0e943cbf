"""The key that signs sessions: the one of the settings, or one made once and kept in `var/`."""

from __future__ import annotations

import secrets
from pathlib import Path

from core.config import Settings
from core.embedded.files import make_once


def key_path(settings: Settings) -> Path:
    """Return where the key is kept that the settings do not give."""
    return settings.var_dir / "secret_key"


def secret_key(settings: Settings) -> str:
    """Return the key; the same for all web processes on this `var/`."""
    if settings.secret_key is not None:
        return settings.secret_key.get_secret_value()
    path = key_path(settings)
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        make_once(path, secrets.token_urlsafe(48).encode())
    return path.read_text(encoding="ascii")
