"""The key that signs sessions: the one of the settings, or one made once and kept in `var/`."""

from __future__ import annotations

import secrets

from core.config import Settings
from core.embedded.files import make_once


def secret_key(settings: Settings) -> str:
    """Return the key; the same for all web processes on this `var/`."""
    if settings.secret_key is not None:
        return settings.secret_key.get_secret_value()
    path = settings.var_dir / "secret_key"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        make_once(path, secrets.token_urlsafe(48).encode())
    return path.read_text(encoding="ascii")
