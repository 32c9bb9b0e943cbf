"""Which tokens stand the check, and when the keys are fetched."""

from __future__ import annotations

import base64
import hmac
import json
import time
import uuid
from collections.abc import Callable
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from core.auth.access_token import LASTING, LEEWAY, PAUSE, SigningKeys, TokenCheck
from core.errors import AuthUnavailableError, AuthUntrustedError
from tests.support.servers.supabase_auth_server import SigningKey

ISSUER = "https://project.example/auth/v1"
WHO = uuid.uuid4()
KEY = SigningKey()


def payload(**changes: Any) -> dict[str, Any]:
    """What a good token says; a change to None leaves it out."""
    now = int(time.time())
    said = {
        "iss": ISSUER,
        "sub": str(WHO),
        "aud": "authenticated",
        "exp": now + 3600,
        "iat": now,
        "role": "authenticated",
        "is_anonymous": False,
        "app_metadata": {"provider": "email", "role": "reviewer"},
    }
    return {name: value for name, value in (said | changes).items() if value is not None}


def signed(said: dict[str, Any], key: SigningKey = KEY) -> str:
    return jwt.encode(said, key.private, "ES256", {"kid": key.kid})


def check_with(*keys: dict[str, Any]) -> TokenCheck:
    return TokenCheck(ISSUER, SigningKeys(lambda: {"keys": list(keys)}))


def by_shared_secret() -> str:
    """Signed with what everybody knows: the public key, taken for a secret."""
    known = KEY.private.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    body = signed(payload()).split(".")[1]
    head = base64.urlsafe_b64encode(json.dumps({"alg": "HS256", "kid": KEY.kid}).encode()).rstrip(b"=").decode()
    mark = base64.urlsafe_b64encode(hmac.digest(known, f"{head}.{body}".encode(), "sha256")).rstrip(b"=")
    return f"{head}.{body}.{mark.decode()}"


def of_another() -> str:
    forger = SigningKey()
    forger.kid = KEY.kid
    return signed(payload(), forger)


def cut() -> str:
    return signed(payload())[:-4]


def test_a_token_of_the_project() -> None:
    found = check_with(KEY.public)(signed(payload()))
    assert (found.person_id, found.role) == (WHO, "reviewer")
    assert found.expires_at.timestamp() == pytest.approx(time.time() + 3600, abs=5)


def test_a_token_that_names_no_role() -> None:
    assert check_with(KEY.public)(signed(payload(app_metadata={"role": 3}))).role is None


def test_a_key_of_rsa() -> None:
    private = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    public = jwt.algorithms.RSAAlgorithm.to_jwk(private.public_key(), as_dict=True)
    token = jwt.encode(payload(), private, "RS256", {"kid": "r"})
    assert check_with({**public, "kid": "r", "alg": "RS256"})(token).person_id == WHO


@pytest.mark.parametrize(
    "forged",
    [
        by_shared_secret,
        of_another,
        cut,
        lambda: jwt.encode(payload(), None, "none", {"kid": KEY.kid}),
        lambda: jwt.encode(payload(), KEY.private, "ES256"),
        lambda: jwt.encode(payload(), KEY.private, "ES256", {"kid": "another"}),
        lambda: signed(payload(exp=int(time.time()) - LEEWAY - 5)),
        lambda: signed(payload(iat=int(time.time()) + LEEWAY + 60)),
        lambda: signed(payload(iss="https://another.example/auth/v1")),
        lambda: signed(payload(aud="anon")),
        lambda: signed(payload(aud=["authenticated", "another"])),
        lambda: signed(payload(exp=None)),
        lambda: signed(payload(iat=None)),
        lambda: signed(payload(sub=None)),
        lambda: signed(payload(sub="nobody")),
        lambda: signed(payload(role="service_role")),
        lambda: signed(payload(role=None)),
        lambda: signed(payload(is_anonymous=True)),
        lambda: "",
        lambda: "a.b.c",
    ],
)
def test_any_other_token_is_refused(forged: Callable[[], str]) -> None:
    with pytest.raises(AuthUntrustedError):
        check_with(KEY.public)(forged())


def test_clocks_may_differ_a_little() -> None:
    now = int(time.time())
    assert check_with(KEY.public)(signed(payload(exp=now - 5, iat=now + 5))).person_id == WHO


def test_a_shared_secret_among_the_keys_is_no_key() -> None:
    shared = {"kty": "oct", "k": "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0", "kid": "s", "alg": "HS256"}
    token = jwt.encode(payload(), "secretsecretsecretsecretsecretsecret", "HS256", {"kid": "s"})
    for keys in ([shared], [{**shared, "alg": "ES256"}], [shared, KEY.public, {}, {"kty": "EC"}, 3]):
        with pytest.raises(AuthUntrustedError):
            check_with(*keys)(token)


class Counted:
    """A project whose keys change, a clock that is set, and the number of fetches."""

    def __init__(self) -> None:
        self.keys: list[SigningKey] = [KEY]
        self.now = 1000.0
        self.fetched = 0
        self.away = False
        self.found = SigningKeys(self._fetch, lambda: self.now)

    def _fetch(self) -> Any:
        self.fetched += 1
        if self.away:
            raise AuthUnavailableError("away")
        return {"keys": [key.public for key in self.keys]}


def test_keys_are_fetched_once() -> None:
    project = Counted()
    for _ in range(3):
        assert project.found.key(KEY.kid).key_id == KEY.kid
    assert project.fetched == 1


def test_a_new_key_is_fetched_and_invented_ones_are_not_each_time() -> None:
    project, new = Counted(), SigningKey()
    project.found.key(KEY.kid)
    project.keys, project.now = [new], project.now + PAUSE + 1
    assert project.found.key(new.kid).key_id == new.kid
    for number in range(5):
        with pytest.raises(AuthUntrustedError):
            project.found.key(f"invented {number}")
    assert project.fetched == 2


def test_a_key_that_was_taken_off_the_list_ceases_to_count() -> None:
    project = Counted()
    project.found.key(KEY.kid)
    project.keys, project.now = [SigningKey()], project.now + LASTING + 1
    with pytest.raises(AuthUntrustedError):
        project.found.key(KEY.kid)


def test_while_the_keys_cannot_be_fetched_nobody_asks_again_and_again() -> None:
    project = Counted()
    project.away = True
    for _ in range(3):
        with pytest.raises(AuthUnavailableError):
            project.found.key(KEY.kid)
    assert project.fetched == 1
    project.away, project.now = False, project.now + PAUSE + 1
    assert project.found.key(KEY.kid).key_id == KEY.kid


@pytest.mark.parametrize("found", [None, [], {"keys": 3}, {}, "<html>"])
def test_what_is_no_set_of_keys(found: object) -> None:
    with pytest.raises(AuthUnavailableError):
        SigningKeys(lambda: found).key(KEY.kid)
