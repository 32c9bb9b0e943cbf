"""Supabase Auth on this machine: sign-in, letters, accounts and signing keys, with its checks and its errors.

Shapes from https://supabase.com/docs/reference/self-hosting-auth/introduction and the error codes of
https://supabase.com/docs/guides/auth/debugging/error-codes, as versions since 2024 send them.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import ec

from tests.support.servers.loopback import LoopbackServer, Request, Response, json_response

_VERSION = {"X-Supabase-Api-Version": "2024-01-01"}


def auth_error(status: int, code: str, message: str) -> Response:
    return json_response({"code": code, "message": message}, status, _VERSION)


TOO_MANY = auth_error(429, "over_request_rate_limit", "Request rate limit reached")
TOO_MANY_LETTERS = auth_error(429, "over_email_send_rate_limit", "Email rate limit exceeded")
BROKEN = auth_error(500, "unexpected_failure", "Internal Server Error")
BAD_KEY = json_response({"message": "Invalid API key", "hint": "Double check your API key."}, 401)
NO_ADMIN = auth_error(403, "not_admin", "User not allowed")
WRONG = auth_error(400, "invalid_credentials", "Invalid login credentials")
BANNED = auth_error(400, "user_banned", "User is banned")
UNKNOWN = auth_error(404, "user_not_found", "User not found")
EXISTS = auth_error(422, "email_exists", "A user with this email address has already been registered")
SPENT = auth_error(403, "otp_expired", "Email link is invalid or has expired")
WEAK = json_response(
    {
        "code": "weak_password",
        "message": "Password is known to be weak and easy to guess",
        "weak_password": {"reasons": ["pwned"]},
    },
    422,
    _VERSION,
)
NOTHING = Response(204)


@dataclass
class User:
    """An account at Auth."""

    id: str
    email: str
    password: str | None = None
    confirmed: bool = False
    banned: bool = False
    app_metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Letter:
    """A letter that was sent."""

    email: str
    kind: str
    token_hash: str
    redirect_to: str


class SigningKey:
    """A key of the project, by its id."""

    def __init__(self) -> None:
        self.kid = str(uuid.uuid4())
        self.private = ec.generate_private_key(ec.SECP256R1())

    @property
    def public(self) -> dict[str, Any]:
        numbers = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(self.private.public_key()))
        return {**numbers, "alg": "ES256", "kid": self.kid, "use": "sig", "key_ops": ["verify"], "ext": True}


class SupabaseAuthServer(LoopbackServer):
    """Accounts in memory. `failures` are answered first, in order, one a request; `sign` makes the tokens."""

    publishable_key = "sb_publishable_loopback_0000"
    service_key = "service-role-loopback-0000"

    def __init__(self, *failures: Response) -> None:
        super().__init__()
        self.failures = list(failures)
        self.users: dict[str, User] = {}
        self.letters: list[Letter] = []
        self.keys = [SigningKey()]
        self.weak: set[str] = set()
        self.sign: Callable[[dict[str, Any]], str] = self.signed
        #: Requests to nothing that there is; a test that expects none asserts that it is empty.
        self.faults: list[str] = []
        #: By refresh token: whose it is, of which session, and whether it is good.
        self._granted: dict[str, list[Any]] = {}
        #: By hash: whose letter it is, what for, and the challenge of the code.
        self._tokens: dict[str, tuple[str, str, str]] = {}
        self._codes: dict[str, tuple[str, str]] = {}

    @property
    def issuer(self) -> str:
        return f"{self.url}/auth/v1"

    @property
    def paths(self) -> list[str]:
        """What was asked for, without `/auth/v1/`."""
        return [request.path.removeprefix("/auth/v1/") for request in self.requests]

    def add(self, email: str, password: str | None = None, user_id: object = None, **app_metadata: object) -> User:
        """Somebody who has confirmed the address."""
        user = User(str(user_id or uuid.uuid4()), email, password, confirmed=True, app_metadata=dict(app_metadata))
        self.users[user.id] = user
        return user

    def rotate(self) -> None:
        """Sign with another key from now on; the old one is taken off the list."""
        self.keys = [SigningKey()]

    def signed(self, payload: dict[str, Any]) -> str:
        return jwt.encode(payload, self.keys[0].private, "ES256", {"kid": self.keys[0].kid})

    def code_of(self, letter: Letter) -> str:
        """What the default letter's link does: it uses the token up and sends the browser back with a code."""
        user_id, _, challenge = self._tokens.pop(letter.token_hash)
        code = str(uuid.uuid4())
        self._codes[code] = (user_id, challenge)
        return code

    def open_grants(self, user: User) -> int:
        """How many refresh tokens of theirs are good."""
        return sum(good for owner, _, good in self._granted.values() if owner == user.id)

    def respond(self, request: Request) -> Response:
        if self.failures:
            return self.failures.pop(0)
        parts = urlsplit(request.path)
        path = parts.path.removeprefix("/auth/v1/")
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if path == ".well-known/jwks.json":
            return json_response({"keys": [key.public for key in self.keys]})
        if request.headers.get("apikey") not in (self.publishable_key, self.service_key):
            return BAD_KEY
        if path.startswith(("admin/", "invite")) and self._bearer(request) != self.service_key:
            return NO_ADMIN
        body = request.json() if request.body and request.body != b"null" else {}
        answer = self._people(request, path, query, body) or self._admin(request, path, query, body)
        if answer is None:
            self.faults.append(f"{request.method} {request.path}")
            return json_response({"message": "no Route matched with those values"}, 404)
        return answer

    def _people(self, request: Request, path: str, query: dict[str, str], body: dict[str, Any]) -> Response | None:
        match request.method, path, query.get("grant_type"):
            case "POST", "token", "password":
                return self._by_password(body)
            case "POST", "token", "refresh_token":
                return self._again(body["refresh_token"])
            case "POST", "token", "pkce":
                return self._by_code(body)
            case "POST", "verify", None:
                return self._verify(body)
            case "POST", "otp", None:
                if body["create_user"] is False and self._of(body["email"]) is None:
                    return auth_error(422, "otp_disabled", "Signups not allowed for otp")
                return self._send(body, "magiclink", query)
            case "POST", "recover", None:
                return self._send(body, "recovery", query)
            case "POST", "logout", None:
                return self._log_out(self._bearer(request), query["scope"])
        return None

    def _admin(self, request: Request, path: str, query: dict[str, str], body: dict[str, Any]) -> Response | None:
        if (request.method, path) == ("POST", "admin/users"):
            return self._create(body)
        if (request.method, path) == ("POST", "admin/generate_link"):
            return self._link(body, query)
        if (request.method, path) == ("POST", "invite"):
            return self._link(body | {"type": "invite"}, query)
        if request.method == "PUT" and path.startswith("admin/users/"):
            return self._update(path.rpartition("/")[2], body)
        return None

    def _by_password(self, body: dict[str, Any]) -> Response:
        user = self._of(body["email"])
        if user is None or user.password is None or user.password != body["password"]:
            return WRONG
        if not user.confirmed:
            return auth_error(400, "email_not_confirmed", "Email not confirmed")
        return self._grant(user)

    def _again(self, token: str) -> Response:
        if token not in self._granted:
            return auth_error(400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found")
        user_id, session_id, good = self._granted[token]
        if not good:
            return auth_error(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used")
        self._granted[token][2] = False
        return self._grant(self.users[user_id], session_id)

    def _by_code(self, body: dict[str, Any]) -> Response:
        user_id, challenge = self._codes.pop(body["auth_code"], ("", ""))
        made = base64.urlsafe_b64encode(hashlib.sha256(body["code_verifier"].encode()).digest()).rstrip(b"=")
        if not user_id:
            return auth_error(404, "flow_state_not_found", "invalid flow state, no valid flow state found")
        if made.decode() != challenge:
            return auth_error(400, "bad_code_verifier", "code challenge does not match the saved verifier")
        return self._grant(self.users[user_id])

    def _verify(self, body: dict[str, Any]) -> Response:
        user_id, kind, _ = self._tokens.get(body["token_hash"], ("", "", ""))
        if kind != ("magiclink" if body["type"] == "email" else body["type"]):
            return SPENT
        del self._tokens[body["token_hash"]]
        self.users[user_id].confirmed = True
        return self._grant(self.users[user_id])

    def _send(self, body: dict[str, Any], kind: str, query: dict[str, str]) -> Response:
        user = self._of(body["email"])
        if user is not None:
            assert body["code_challenge_method"] == "s256"
            token = self._token(user, kind, body["code_challenge"], "pkce_")
            self.letters.append(Letter(user.email, kind, token, query.get("redirect_to", "")))
        return json_response({})

    def _log_out(self, token: str, scope: str) -> Response:
        said = jwt.decode(token, options={"verify_signature": False})
        for grant in self._granted.values():
            if grant[0] == said["sub"] and (grant[1] == said["session_id"]) == (scope == "local"):
                grant[2] = False
        return NOTHING

    def _create(self, body: dict[str, Any]) -> Response:
        if self._of(body["email"]) is not None:
            return EXISTS
        if body.get("password") in self.weak:
            return WEAK
        user = self.add(body["email"], body.get("password"), body.get("id"), **body.get("app_metadata", {}))
        user.confirmed = bool(body.get("email_confirm"))
        return json_response(self._shown(user))

    def _link(self, body: dict[str, Any], query: dict[str, str]) -> Response:
        user, kind = self._of(body["email"]), body["type"]
        if user is None and kind != "invite":
            return UNKNOWN
        if user is not None and user.confirmed and kind == "invite":
            return EXISTS
        if user is None:
            user = self.add(body["email"])
            user.confirmed = False
        token = self._token(user, kind)
        made = {
            "action_link": f"{self.issuer}/verify?token={token}&type={kind}",
            "email_otp": "123456",
            "hashed_token": token,
            "verification_type": kind,
            "redirect_to": query.get("redirect_to", ""),
        }
        return json_response(self._shown(user) | made)

    def _update(self, user_id: str, body: dict[str, Any]) -> Response:
        user = self.users.get(user_id)
        if user is None:
            return UNKNOWN
        if body.get("password") in self.weak:
            return WEAK
        user.password = body.get("password", user.password)
        user.confirmed = user.confirmed or bool(body.get("email_confirm"))
        user.app_metadata |= body.get("app_metadata", {})
        if "ban_duration" in body:
            user.banned = body["ban_duration"] != "none"
        return json_response(self._shown(user))

    def _grant(self, user: User, session_id: str | None = None) -> Response:
        if user.banned:
            return BANNED
        session_id = session_id or str(uuid.uuid4())
        now, refresh = int(time.time()), secrets.token_hex(6)
        self._granted[refresh] = [user.id, session_id, True]
        payload = {
            "iss": self.issuer,
            "sub": user.id,
            "aud": "authenticated",
            "exp": now + 3600,
            "iat": now,
            "email": user.email,
            "app_metadata": user.app_metadata,
            "user_metadata": {},
            "role": "authenticated",
            "aal": "aal1",
            "session_id": session_id,
            "is_anonymous": False,
        }
        given = {
            "access_token": self.sign(payload),
            "token_type": "bearer",
            "expires_in": 3600,
            "expires_at": now + 3600,
            "refresh_token": refresh,
            "user": self._shown(user),
        }
        return json_response(given)

    def _token(self, user: User, kind: str, challenge: str = "", prefix: str = "") -> str:
        token = prefix + secrets.token_hex(28)
        self._tokens[token] = (user.id, kind, challenge)
        return token

    def _of(self, email: str) -> User | None:
        return next((user for user in self.users.values() if user.email == email.lower()), None)

    def _shown(self, user: User) -> dict[str, Any]:
        return {
            "id": user.id,
            "aud": "authenticated",
            "role": "authenticated",
            "email": user.email,
            "app_metadata": {"provider": "email", **user.app_metadata},
            "user_metadata": {},
            "identities": [],
            "created_at": "2026-01-02T03:04:05.678901Z",
            "updated_at": "2026-01-02T03:04:05.678901Z",
            "is_anonymous": False,
        }

    def _bearer(self, request: Request) -> str:
        return request.headers.get("authorization", "").removeprefix("Bearer ")
