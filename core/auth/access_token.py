"""Access tokens of Supabase Auth, and the keys that sign them."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import jwt

from core.errors import AuthUnavailableError, AuthUntrustedError

#: The `aud` claim in the tokens of signed-in people.
AUDIENCE = "authenticated"
#: Seconds by which the clocks of this machine and of Auth may differ.
LEEWAY = 30


@dataclass(frozen=True)
class TokenIdentity:
    person_id: uuid.UUID
    #: `app_metadata.role`, or None: the copy that Auth keeps. It does not decide what the person may do.
    role: str | None
    expires_at: datetime


class TokenCheck:
    """Checks the tokens of one project."""

    def __init__(self, issuer: str, keys: SigningKeys) -> None:
        self._issuer, self._keys = issuer, keys

    def __call__(self, token: str) -> TokenIdentity:
        """Return the person that the token names. Raises AuthUntrustedError, AuthUnavailableError without keys."""
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


def _identity(claims: dict[str, Any]) -> TokenIdentity:
    if claims["role"] != AUDIENCE or claims.get("is_anonymous"):
        raise AuthUntrustedError("not the token of a person")
    metadata = claims.get("app_metadata")
    role = metadata.get("role") if isinstance(metadata, dict) else None
    return TokenIdentity(
        uuid.UUID(claims["sub"]),
        role if isinstance(role, str) else None,
        datetime.fromtimestamp(claims["exp"], UTC),
    )


# The public keys with which a project signs tokens, fetched when they are needed.


#: What a token may be signed with. A shared secret (HS256) would let whoever checks a token make one too.
ALGORITHMS = ("ES256", "RS256")
#: Seconds after which the keys are fetched again, so that a revoked key is no longer accepted.
LASTING = 600.0
#: Least seconds between two fetches: tokens with invented ids of keys must not make us ask Auth for each.
PAUSE = 30.0


class SigningKeys:
    """The keys by id. Safe for threads."""

    def __init__(self, fetch: Callable[[], Any], clock: Callable[[], float] = time.monotonic) -> None:
        """`fetch` returns the project's JWK set (RFC 7517, 5) as JSON, and raises AuthUnavailableError."""
        self._fetch, self._clock = fetch, clock
        self._keys: dict[str, jwt.PyJWK] = {}
        self._fetched_at = self._tried_at = float("-inf")
        self._lock = threading.Lock()

    def key(self, kid: str) -> jwt.PyJWK:
        """Return the key of this id. Raises AuthUntrustedError if the project has none, AuthUnavailableError."""
        with self._lock:
            now = self._clock()
            stale = now - self._fetched_at > LASTING
            if (stale or kid not in self._keys) and now - self._tried_at > PAUSE:
                self._tried_at = now
                self._keys, self._fetched_at, stale = usable_keys(self._fetch()), now, False
            if stale:
                raise AuthUnavailableError("the signing keys could not be fetched a moment ago")
            if kid not in self._keys:
                raise AuthUntrustedError("signed with a key that the project does not have")
            return self._keys[kid]


def usable_keys(found: Any) -> dict[str, jwt.PyJWK]:
    """Return the keys of a JWK set that tokens may be signed with; skip the others.

    Raises AuthUnavailableError if `found` is not a JWK set.
    """
    if not isinstance(found, dict) or not isinstance(found.get("keys"), list):
        raise AuthUnavailableError("the signing keys came in no form that is known")
    return {key.key_id: key for key in map(_usable, found["keys"]) if key is not None and key.key_id}


def _usable(found: Any) -> jwt.PyJWK | None:
    try:
        key = jwt.PyJWK(found)
    except (jwt.PyJWTError, AttributeError, TypeError):
        return None
    return key if key.algorithm_name in ALGORITHMS and key.public_key_use in (None, "sig") else None
