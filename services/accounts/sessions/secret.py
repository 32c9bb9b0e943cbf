"""The secret of a session's cookie, as it is stored."""

from __future__ import annotations

import hashlib


def hash_of(secret: str) -> str:
    """Return the stored form. 256 random bits need no salt and no slow hash."""
    return hashlib.sha256(secret.encode()).hexdigest()
