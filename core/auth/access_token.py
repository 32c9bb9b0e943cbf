"""Check an access token on this machine: who signed it, for whom, and until when it holds."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import jwt

from core.auth.signing_keys import ALGORITHMS, SigningKeys
from core.errors import AuthUntrustedError

#: Of a person who is signed in, as against the keys of the project itself.
AUDIENCE = "authenticated"
#: Seconds by which the clocks of this machine and of Auth may differ.
LEEWAY = 30


@dataclass(frozen=True)
class Identity:
    """Whom a checked token names."""

    person_id: uuid.UUID
    #: `app_metadata.role`; None without one. It says what Auth was told, not what the person may.
    role: str | None
    expires_at: datetime


class TokenCheck:
    """Checks the tokens of one project."""

    def __init__(self, issuer: str, keys: SigningKeys) -> None:
        self._issuer, self._keys = issuer, keys

    def __call__(self, token: str) -> Identity:
        """Return whom the token names. Raises AuthUntrustedError, and AuthUnavailableError without keys."""
        try:
            head = jwt.get_unverified_header(token)
            if head["alg"] not in ALGORITHMS:
                raise AuthUntrustedError(f"signed by {head['alg']!r}")
            return _identity(
                jwt.decode(
                    token,
                    self._keys.key(head["kid"]),
                    algorithms=list(ALGORITHMS),
                    audience=AUDIENCE,
                    issuer=self._issuer,
                    leeway=LEEWAY,
                    options={"require": ["exp", "iat", "sub", "aud", "iss"], "strict_aud": True},
                )
            )
        except (jwt.PyJWTError, KeyError, TypeError, ValueError) as exc:
            raise AuthUntrustedError(f"not a token of this project: {type(exc).__name__}") from exc


def _identity(said: dict[str, Any]) -> Identity:
    if said["role"] != AUDIENCE or said.get("is_anonymous"):
        raise AuthUntrustedError("not the token of a person")
    told = said.get("app_metadata")
    role = told.get("role") if isinstance(told, dict) else None
    return Identity(
        uuid.UUID(said["sub"]),
        role if isinstance(role, str) else None,
        datetime.fromtimestamp(said["exp"], UTC),
    )
