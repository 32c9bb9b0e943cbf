"""The key that signs sessions: the one of the settings, or one made once and kept in `var/`."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from core.config import Settings


def secret_key(settings: Settings) -> str:
    """Return the key; the same for all web processes on this `var/`."""
    if settings.secret_key is not None:
        return settings.secret_key.get_secret_value()
    path = settings.var_dir / "secret_key"
    if not path.exists():
        _make(path)
    return path.read_text(encoding="ascii")


def _make(path: Path) -> None:
    """Write a new key that only its owner reads; two concurrent processes end up with the same key."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(48))
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
