"""Translate what `supabase_auth` raises into the errors of `core.errors`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from core.errors import AppError, AuthRefusedError, AuthUnavailableError, PasswordRefusedError
from core.http_retry import may_pass

#: Codes of Auth (https://supabase.com/docs/guides/auth/debugging/error-codes) by what they mean to us.
WRONG_PASSWORD = frozenset(
    {
        "email_address_invalid",
        "email_not_confirmed",
        "invalid_credentials",
        "invalid_grant",
        "user_banned",
        "user_not_found",
        "validation_failed",
    }
)
LINK_IS_OVER = frozenset(
    {
        "access_denied",
        "bad_code_verifier",
        "flow_state_expired",
        "flow_state_not_found",
        "otp_expired",
        "user_banned",
        "user_not_found",
        "validation_failed",
    }
)
IS_OVER = frozenset(
    {
        "invalid_grant",
        "refresh_token_already_used",
        "refresh_token_not_found",
        "session_expired",
        "session_not_found",
        "user_banned",
        "user_not_found",
        "validation_failed",
    }
)
#: What tells whether an address has an account; a request for a letter is answered as if it had been sent.
NOT_SENT = frozenset(
    {"email_address_invalid", "otp_disabled", "over_email_send_rate_limit", "user_banned", "user_not_found"}
)
KNOWN_ADDRESS = frozenset({"email_exists", "user_already_exists", "conflict"})
UNKNOWN_PERSON = frozenset({"user_not_found"})
_BAD_PASSWORD = frozenset({"same_password", "weak_password"})


class RefusedByAuth(Exception):
    """Auth refused with one of the codes that the caller awaits."""


@contextmanager
def answers(awaited: frozenset[str]) -> Iterator[None]:
    """Raise RefusedByAuth for a code that is `awaited`.

    Raises PasswordRefusedError for a new password that breaks the project's rules, AuthUnavailableError for what
    may pass and for an answer that is not Auth's, AuthRefusedError for any other refusal.
    """
    from supabase_auth.errors import AuthApiError, AuthError, AuthWeakPasswordError

    try:
        yield
    except AuthWeakPasswordError as exc:
        raise PasswordRefusedError(f"supabase auth: {exc.code}") from exc
    except AuthApiError as exc:
        raise _translated(exc.status, exc.code, awaited) from exc
    except AuthError as exc:
        raise AuthUnavailableError(f"supabase auth: {type(exc).__name__}") from exc
    except (KeyError, TypeError, ValueError) as exc:
        # An answer of status 200 that is not Auth's: a proxy's page, a cut body.
        raise AuthUnavailableError(f"supabase auth: {type(exc).__name__}") from exc


def _translated(status: int, code: str | None, awaited: frozenset[str]) -> AppError | RefusedByAuth:
    if code in awaited:
        return RefusedByAuth(code)
    if code in _BAD_PASSWORD:
        return PasswordRefusedError(f"supabase auth: {code}")
    if may_pass(status):
        return AuthUnavailableError(f"supabase auth: {status} {code}")
    # Versions before 2024 name no code; a refusal of the key is a 401.
    if code is None and status in (400, 403, 404) and awaited:
        return RefusedByAuth(str(status))
    return AuthRefusedError(f"supabase auth: {status} {code}")
