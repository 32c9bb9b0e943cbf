"""Encrypt the secrets of authenticators, so that a copy of the database makes no codes."""

from __future__ import annotations

import base64
import hashlib
import hmac

from cryptography.fernet import Fernet, InvalidToken

from core.config import Settings
from core.secret_key import secret_key


def seal(settings: Settings, secret: str) -> str:
    """Return the encrypted form."""
    return _box(settings).encrypt(secret.encode()).decode()


def unseal(settings: Settings, sealed: str) -> str | None:
    """Return the secret, None if SECRET_KEY is another than it was sealed with."""
    try:
        return _box(settings).decrypt(sealed.encode()).decode()
    except InvalidToken:
        return None


def _box(settings: Settings) -> Fernet:
    # A key of its own: what signs cookies must not decrypt anything.
    key = hmac.digest(secret_key(settings).encode(), b"second factor", hashlib.sha256)
    return Fernet(base64.urlsafe_b64encode(key))
