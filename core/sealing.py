"""Encrypt secrets that are kept in the database, so that a copy of it is of no use without SECRET_KEY."""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import Literal

from cryptography.fernet import Fernet, InvalidToken

from core.config import Settings
from core.secret_key import secret_key

#: What a secret is of. Each has a key of its own: what one reads is of no use to another.
Purpose = Literal["second factor", "session at Supabase Auth"]


def seal(settings: Settings, purpose: Purpose, secret: str) -> str:
    """Return the encrypted form."""
    return _box(settings, purpose).encrypt(secret.encode()).decode()


def unseal(settings: Settings, purpose: Purpose, sealed: str) -> str | None:
    """Return the secret, None if SECRET_KEY is another than it was sealed with."""
    try:
        return _box(settings, purpose).decrypt(sealed.encode()).decode()
    except InvalidToken:
        return None


def _box(settings: Settings, purpose: Purpose) -> Fernet:
    # What signs cookies must not decrypt anything.
    key = hmac.digest(secret_key(settings).encode(), purpose.encode(), hashlib.sha256)
    return Fernet(base64.urlsafe_b64encode(key))
