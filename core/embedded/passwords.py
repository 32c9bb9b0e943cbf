"""The passwords of the embedded servers, derived from one secret that only the owner of the var folder reads."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from pathlib import Path

from core.embedded.files import make_once
from core.errors import EmbeddedServiceError

FILE = "servers.secret"
_BYTES = 32


def password(var: Path, account: str) -> str:
    """Return the password of an account of a server: 64 hexadecimal digits. The secret is made when missing."""
    return hmac.new(_secret(var / FILE), account.encode(), hashlib.sha256).hexdigest()


def digest(text: str) -> str:
    """Return the hash of a password, from which it cannot be found out: it has 256 random bits."""
    return hashlib.sha256(text.encode()).hexdigest()


def _secret(path: Path) -> bytes:
    """Read the secret. Processes that make it at the same time end up with the same one."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        make_once(path, secrets.token_bytes(_BYTES))
        return path.read_bytes()
    except PermissionError as exc:
        raise EmbeddedServiceError(
            f"{path} cannot be read. Start as the user whose it is, or set VAR_DIR to a folder of your own."
        ) from exc
