"""What people do at Supabase Auth: show who they are, and have a link sent."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal

from core.auth.access_token import Identity, TokenCheck
from core.auth.connection import Connection, Kept
from core.auth.refusals import IS_OVER, LINK_IS_OVER, NOT_SENT, WRONG_PASSWORD, RefusedByAuth, answers
from core.errors import AuthUntrustedError, LinkExpiredError, SignInError

#: What a link of a letter is for, as Auth calls it.
LinkKind = Literal["email", "magiclink", "invite", "recovery"]


@dataclass(frozen=True)
class Grant:
    """What Auth gives whoever has shown who they are. The access token was checked."""

    identity: Identity
    access_token: str = field(repr=False)
    refresh_token: str = field(repr=False)


class AuthPeople:
    """Acts for people, with the key that any client may have.

    Every method raises AuthUnavailableError and AuthRefusedError; those that return a grant raise
    AuthUntrustedError for a token that does not stand the check.
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
        """Have a link sent by which the person signs in; return the verifier of the code that it may bring.

        Nobody learns whether there is such an account.
        """
        options = {"should_create_user": False, "email_redirect_to": back_to}
        return self._mailed(lambda client: client.sign_in_with_otp({"email": email, "options": options}))

    def mail_reset(self, email: str, back_to: str) -> str:
        """Have a link sent by which the person chooses a new password; otherwise as `mail_link`."""
        return self._mailed(lambda client: client.reset_password_for_email(email, {"redirect_to": back_to}))

    def end(self, access_token: str, which: Literal["local", "others"]) -> None:
        """End what this token came with, or all others of the person. It is no error if that is over."""
        with suppress(RefusedByAuth), answers(IS_OVER | {"bad_jwt"}):
            self._connection.client(self._key).admin.sign_out(access_token, which)

    def _granted(
        self, action: Callable[[Any], Any], awaited: frozenset[str], error: type[SignInError | LinkExpiredError]
    ) -> Grant:
        try:
            with answers(awaited):
                given = action(self._connection.client(self._key)).session
        except RefusedByAuth as exc:
            raise error from exc
        if given is None:
            raise AuthUntrustedError("an answer without a token")
        return Grant(self._check(given.access_token), given.access_token, given.refresh_token)

    def _mailed(self, action: Callable[[Any], Any]) -> str:
        kept = Kept()
        with suppress(RefusedByAuth), answers(NOT_SENT):
            action(self._connection.client(self._key, kept))
        return kept.verifier
