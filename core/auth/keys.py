"""Secret keys: the site's own, and texts sealed by it."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from pathlib import Path
from typing import Literal

from cryptography.fernet import Fernet, InvalidToken

from core.config import Settings
from core.embedded.account import make_once

# Encrypt secrets that are kept in the database, so that a copy of it is of no use without SECRET_KEY.


#: What a secret is for. Each purpose has its own key, which cannot open the secrets of another.
Purpose = Literal["second factor", "session at Supabase Auth"]


def seal(settings: Settings, purpose: Purpose, secret: str) -> str:
    """Return the encrypted form."""
    return _box(settings, purpose).encrypt(secret.encode()).decode()


def unseal(settings: Settings, purpose: Purpose, sealed: str) -> str | None:
    """Return the secret; None if it was sealed under another SECRET_KEY."""
    try:
        return _box(settings, purpose).decrypt(sealed.encode()).decode()
    except InvalidToken:
        return None


def _box(settings: Settings, purpose: Purpose) -> Fernet:
    # What signs cookies must not decrypt anything.
    key = hmac.digest(secret_key(settings).encode(), purpose.encode(), hashlib.sha256)
    return Fernet(base64.urlsafe_b64encode(key))


# The key that signs sessions: the one of the settings, or one made once and kept in `var/`.


def key_path(settings: Settings) -> Path:
    """Return the file of the generated key, which is used when the settings give none."""
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
