"""Supabase Auth as the provider of accounts."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from core.auth.access_token import SigningKeys, TokenCheck, TokenIdentity
from core.clock import may_pass
from core.config import Settings
from core.errors import (
    AppError,
    AuthRefusedError,
    AuthUnavailableError,
    AuthUntrustedError,
    LinkExpiredError,
    PasswordRefusedError,
    SignInError,
)

if TYPE_CHECKING:
    import httpx


# What this program does at Supabase Auth with the accounts of people, with the key of the service role.


#: How long a closed account is banned, as a Go duration: Auth has no ban without an end.
_FOR_GOOD = "876000h"


@dataclass(frozen=True)
class MadeLink:
    """A link that Auth has made for us to deliver: Auth itself sends no mail."""

    person_id: uuid.UUID
    kind: Literal["invite", "recovery"]
    token_hash: str = field(repr=False)


class AuthAdmin:
    """Every method raises AuthUnavailableError and AuthRefusedError."""

    def __init__(self, connection: Connection, key: str) -> None:
        self._connection, self._key = connection, key

    def make_account(
        self, person_id: uuid.UUID, email: str, role: str, password: str | None = None
    ) -> uuid.UUID | None:
        """Make an account and return its id; None if the address has one.

        With a password the address counts as confirmed. The id differs from `person_id` if this version of Auth
        does not accept one. Raises PasswordRefusedError.
        """
        given: dict[str, Any] = {"id": str(person_id), "email": email, "app_metadata": {"role": role}}
        if password is not None:
            given |= {"password": password, "email_confirm": True}
        try:
            with translating_errors(KNOWN_ADDRESS):
                made = self._connection.admin(self._key).create_user(given)
                return uuid.UUID(made.user.id)
        except RefusedByAuth:
            return None

    def make_link(self, email: str, kind: Literal["invite", "recovery"]) -> MadeLink | None:
        """Make a link; None for an invitation to an address that is confirmed.

        An invitation makes the account if the address has none.
        """
        try:
            with translating_errors(KNOWN_ADDRESS):
                made = self._connection.admin(self._key).generate_link({"type": kind, "email": email})
                return MadeLink(uuid.UUID(made.user.id), kind, made.properties.hashed_token)
        except RefusedByAuth:
            return None

    def set_password(self, person_id: uuid.UUID, password: str) -> str | None:
        """Set the password and return the address that it goes with; None if Auth does not know the person.

        Raises PasswordRefusedError.
        """
        try:
            with translating_errors(UNKNOWN_PERSON):
                admin = self._connection.admin(self._key)
                known = admin.update_user_by_id(str(person_id), {"password": password, "email_confirm": True})
                return str(known.user.email)
        except RefusedByAuth:
            return None

    def tell(self, person_id: uuid.UUID, role: str, is_open: bool) -> None:
        """Tell Auth a person's role and whether the account is open. No error if Auth has no such account."""
        told = {"app_metadata": {"role": role}, "ban_duration": "none" if is_open else _FOR_GOOD}
        try:
            with translating_errors(UNKNOWN_PERSON):
                self._connection.admin(self._key).update_user_by_id(str(person_id), told)
        except RefusedByAuth:
            return


# What people do at Supabase Auth: show who they are, and have a link sent.


#: The purpose of a mailed link, as Auth calls it.
LinkKind = Literal["email", "magiclink", "invite", "recovery"]


@dataclass(frozen=True)
class Grant:
    """What Auth returns after a sign-in. The access token was checked."""

    identity: TokenIdentity
    access_token: str = field(repr=False)
    refresh_token: str = field(repr=False)


class AuthPeople:
    """Acts for people, with the key that any client may have.

    Every method raises AuthUnavailableError and AuthRefusedError; those that return a grant raise
    AuthUntrustedError for a token that fails the check.
    """

    def __init__(self, connection: Connection, key: str, check: TokenCheck) -> None:
        self._connection, self._key, self._check = connection, key, check

    def by_password(self, email: str, password: str) -> Grant:
        """Raises SignInError for a wrong address or password, and for an account that is banned or unconfirmed."""
        if not email or not password:
            raise SignInError
        known = {"email": email, "password": password}
        return self._granted(lambda client: client.sign_in_with_password(known), WRONG_PASSWORD, SignInError)

    def by_link(self, token_hash: str, kind: LinkKind) -> Grant:
        """Use up the token of a letter. Raises LinkExpiredError."""
        link = {"token_hash": token_hash, "type": kind}
        return self._granted(lambda client: client.verify_otp(link), LINK_IS_OVER, LinkExpiredError)

    def by_code(self, code: str, verifier: str) -> Grant:
        """Exchange the code with which Auth sends a browser back (PKCE, RFC 7636). Raises LinkExpiredError."""
        codes = {"auth_code": code, "code_verifier": verifier}
        return self._granted(
            lambda client: client.exchange_code_for_session(codes), LINK_IS_OVER, LinkExpiredError
        )

    def again(self, refresh_token: str) -> Grant:
        """Ask whether the person may still be signed in; the token is used up. Raises SignInError if not."""
        return self._granted(lambda client: client.refresh_session(refresh_token), IS_OVER, SignInError)

    def mail_link(self, email: str, back_to: str) -> str:
        """Have Auth mail a sign-in link; return the PKCE verifier of the code that it may carry.

        The result does not reveal whether the account exists.
        """
        options = {"should_create_user": False, "email_redirect_to": back_to}
        return self._mailed(lambda client: client.sign_in_with_otp({"email": email, "options": options}))

    def mail_reset(self, email: str, back_to: str) -> str:
        """Have Auth mail a link for choosing a new password; otherwise as `mail_link`."""
        return self._mailed(lambda client: client.reset_password_for_email(email, {"redirect_to": back_to}))

    def end(self, access_token: str, which: Literal["local", "others"]) -> None:
        """End the session of this token, or all others of the person. No error if they have ended already."""
        with suppress(RefusedByAuth), translating_errors(IS_OVER | {"bad_jwt"}):
            self._connection.client(self._key).admin.sign_out(access_token, which)

    def _granted(
        self, action: Callable[[Any], Any], awaited: frozenset[str], error: type[SignInError | LinkExpiredError]
    ) -> Grant:
        try:
            with translating_errors(awaited):
                given = action(self._connection.client(self._key)).session
        except RefusedByAuth as exc:
            raise error from exc
        if given is None:
            raise AuthUntrustedError("an answer without a token")
        return Grant(self._check(given.access_token), given.access_token, given.refresh_token)

    def _mailed(self, action: Callable[[Any], Any]) -> str:
        kept = Kept()
        with suppress(RefusedByAuth), translating_errors(NOT_SENT):
            action(self._connection.client(self._key, kept))
        return kept.verifier


# Supabase Auth as the settings name it.


@dataclass(frozen=True)
class AuthProvider:
    """The Auth of one project."""

    people: AuthPeople
    admin: AuthAdmin


def open_auth(settings: Settings) -> AuthProvider | None:
    """Supabase Auth where AUTH_PROVIDER names it, else None. Connects to nothing yet."""
    url, key, secret = settings.supabase_url, settings.supabase_publishable_key, settings.supabase_service_role_key
    if not (settings.supabase_auth and url and key and secret):
        return None
    connection = Connection(url, settings.auth_timeout_seconds)
    check = TokenCheck(connection.address, SigningKeys(connection.signing_keys))
    return AuthProvider(
        AuthPeople(connection, key.get_secret_value(), check), AuthAdmin(connection, secret.get_secret_value())
    )


# Clients of a project's Auth, over one pool of connections a process.


#: Seconds to connect.
_CONNECT = 5.0


class Kept:
    """What a client stores during one action: `supabase_auth`'s storage, in memory."""

    def __init__(self) -> None:
        self._items: dict[str, str] = {}

    @property
    def verifier(self) -> str:
        """The secret whose hash was sent with the request for a mail; "" if none was."""
        # The client appends the purpose of the mail after a slash.
        return next((value.partition("/")[0] for key, value in self._items.items() if "verifier" in key), "")

    def get_item(self, key: str) -> str | None:
        return self._items.get(key)

    def set_item(self, key: str, value: str) -> None:
        self._items[key] = value

    def remove_item(self, key: str) -> None:
        self._items.pop(key, None)


class Connection:
    """Connects on first use; a forked child connects again."""

    def __init__(self, url: str, seconds: float) -> None:
        """`url` is the project's; `seconds` the time for one answer."""
        #: Auth's base address, which is also the issuer of its tokens.
        self.address = f"{url.rstrip('/')}/auth/v1"
        self._seconds = seconds
        self._opened: tuple[int, httpx.Client] | None = None

    def client(self, key: str, kept: Kept | None = None) -> Any:
        """A client for one action of a person."""
        from supabase_auth import SyncGoTrueClient

        return SyncGoTrueClient(
            url=self.address,
            headers=_headers(key),
            http_client=self._http(),
            storage=kept or Kept(),
            auto_refresh_token=False,
            persist_session=False,
            flow_type="pkce",
        )

    def admin(self, key: str) -> Any:
        """A client for the accounts of others; `key` is that of the service role."""
        from supabase_auth import SyncGoTrueAdminAPI

        return SyncGoTrueAdminAPI(url=self.address, headers=_headers(key), http_client=self._http())

    def signing_keys(self) -> Any:
        """Return the project's JWK set as JSON. Raises AuthUnavailableError."""
        import httpx

        try:
            found = self._http().get(f"{self.address}/.well-known/jwks.json")
            found.raise_for_status()
            return found.json()
        except (httpx.HTTPError, ValueError) as exc:
            raise AuthUnavailableError(f"signing keys: {type(exc).__name__}") from exc

    def _http(self) -> httpx.Client:
        import httpx

        if self._opened is None or self._opened[0] != os.getpid():
            timeout = httpx.Timeout(self._seconds, connect=min(self._seconds, _CONNECT))
            # Redirects are not followed: the key would go along.
            self._opened = (os.getpid(), httpx.Client(timeout=timeout, follow_redirects=False))
        return self._opened[1]


def _headers(key: str) -> dict[str, str]:
    return {"apikey": key, "Authorization": f"Bearer {key}"}


# Translate what `supabase_auth` raises into the errors of `core.errors`.


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
#: Codes that reveal whether an address has an account; we answer as if the mail had been sent.
NOT_SENT = frozenset(
    {"email_address_invalid", "otp_disabled", "over_email_send_rate_limit", "user_banned", "user_not_found"}
)
KNOWN_ADDRESS = frozenset({"email_exists", "user_already_exists", "conflict"})
UNKNOWN_PERSON = frozenset({"user_not_found"})
_BAD_PASSWORD = frozenset({"same_password", "weak_password"})


class RefusedByAuth(Exception):
    """Auth refused with one of the codes that the caller expects."""


@contextmanager
def translating_errors(awaited: frozenset[str]) -> Iterator[None]:
    """Translate Auth's errors; a code that is `awaited` becomes RefusedByAuth.

    Raises PasswordRefusedError for a new password that breaks the project's rules, AuthUnavailableError for a
    temporary failure and for an answer that is not Auth's, AuthRefusedError for any other refusal.
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
