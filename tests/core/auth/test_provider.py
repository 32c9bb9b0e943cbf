"""Supabase Auth over a loopback server: what it grants, and what each failure of it means here."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest

from core.auth.provider import AuthProvider, open_auth
from core.config import Settings, load_settings
from core.errors import (
    AppError,
    AuthRefusedError,
    AuthUnavailableError,
    AuthUntrustedError,
    ConfigurationError,
    LinkExpiredError,
    PasswordRefusedError,
    SignInError,
)
from tests.support.servers import supabase_auth_server as shapes
from tests.support.servers.loopback import DROPPED, GATEWAY_PAGE, SILENCE, Response, json_response
from tests.support.servers.supabase_auth_server import SupabaseAuthServer

PASSWORD = "four quiet words here"
BACK = "https://office.example/sign-in/link"


def settings_of(server: SupabaseAuthServer, **changes: object) -> Settings:
    given: dict[str, object] = {
        "auth_provider": "supabase",
        "supabase_url": server.url,
        "supabase_publishable_key": server.publishable_key,
        "supabase_service_role_key": server.service_key,
        "auth_timeout_seconds": 0.5,
    }
    return load_settings(_env_file=None, **(given | changes))


@pytest.fixture
def server() -> Iterator[SupabaseAuthServer]:
    with SupabaseAuthServer() as running:
        yield running
    assert running.faults == []


@pytest.fixture
def auth(server: SupabaseAuthServer) -> AuthProvider:
    opened = open_auth(settings_of(server))
    assert opened is not None
    return opened


def test_a_password(server: SupabaseAuthServer, auth: AuthProvider) -> None:
    ana = server.add("ana@example.org", PASSWORD, role="reviewer")
    grant = auth.people.by_password("ana@example.org", PASSWORD)
    assert (str(grant.identity.person_id), grant.identity.role) == (ana.id, "reviewer")
    assert grant.access_token not in repr(grant) and grant.refresh_token not in repr(grant)
    again = auth.people.again(grant.refresh_token)
    assert again.identity.person_id == grant.identity.person_id
    with pytest.raises(SignInError):
        auth.people.again(grant.refresh_token)


@pytest.mark.parametrize(
    ("email", "password"),
    [("ana@example.org", "wrong"), ("nobody@example.org", PASSWORD), ("", PASSWORD), ("a", "")],
)
def test_a_wrong_password(server: SupabaseAuthServer, auth: AuthProvider, email: str, password: str) -> None:
    server.add("ana@example.org", PASSWORD)
    with pytest.raises(SignInError):
        auth.people.by_password(email, password)


def test_who_is_banned_or_has_not_confirmed(server: SupabaseAuthServer, auth: AuthProvider) -> None:
    ana = server.add("ana@example.org", PASSWORD)
    ana.banned = True
    with pytest.raises(SignInError):
        auth.people.by_password(ana.email, PASSWORD)
    ana.banned, ana.confirmed = False, False
    with pytest.raises(SignInError):
        auth.people.by_password(ana.email, PASSWORD)


@pytest.mark.parametrize(
    ("failure", "error"),
    [
        (shapes.TOO_MANY, AuthUnavailableError),
        (shapes.BROKEN, AuthUnavailableError),
        (Response(502, b"<html>Bad gateway</html>", {"Content-Type": "text/html"}), AuthUnavailableError),
        (Response(500, b"<html>", {"Content-Type": "text/html"}), AuthUnavailableError),
        (GATEWAY_PAGE, AuthUnavailableError),
        (json_response({"access_token": "x"}), AuthUnavailableError),
        (json_response({}), AuthUnavailableError),
        (Response(302, b"", {"Location": "https://elsewhere.example/"}), AuthUnavailableError),
        (SILENCE, AuthUnavailableError),
        (DROPPED, AuthUnavailableError),
        (shapes.BAD_KEY, AuthRefusedError),
        (shapes.auth_error(422, "email_provider_disabled", "Email logins are disabled"), AuthRefusedError),
        # As versions before 2024 say it.
        (json_response({"error": "invalid_grant", "error_description": "Invalid login"}, 400), SignInError),
    ],
)
def test_failures_of_auth_sign_nobody_in(
    server: SupabaseAuthServer, auth: AuthProvider, failure: Response, error: type[AppError]
) -> None:
    server.add("ana@example.org", PASSWORD)
    server.failures.append(failure)
    with pytest.raises(error) as told:
        auth.people.by_password("ana@example.org", PASSWORD)
    assert PASSWORD not in str(told.value) and server.publishable_key not in str(told.value)


def test_an_auth_that_is_away(server: SupabaseAuthServer) -> None:
    away = open_auth(settings_of(server, supabase_url="http://127.0.0.1:1"))
    assert away is not None
    for action in (lambda: away.people.by_password("a@b.c", "x"), lambda: away.admin.make_link("a@b.c", "invite")):
        with pytest.raises(AuthUnavailableError):
            action()


def test_a_token_that_another_has_signed(server: SupabaseAuthServer, auth: AuthProvider) -> None:
    server.add("ana@example.org", PASSWORD)
    forger = shapes.SigningKey()
    server.sign = lambda said: shapes.jwt.encode(said, forger.private, "ES256", {"kid": forger.kid})
    with pytest.raises(AuthUntrustedError):
        auth.people.by_password("ana@example.org", PASSWORD)


def test_keys_that_cannot_be_fetched(server: SupabaseAuthServer, auth: AuthProvider) -> None:
    server.add("ana@example.org", PASSWORD)
    granted = server.respond
    server.respond = lambda request: shapes.BROKEN if "jwks" in request.path else granted(request)  # type: ignore[method-assign]
    with pytest.raises(AuthUnavailableError):
        auth.people.by_password("ana@example.org", PASSWORD)


def test_a_link_by_its_hash(server: SupabaseAuthServer, auth: AuthProvider) -> None:
    server.add("ana@example.org")
    auth.people.mail_link("ana@example.org", BACK)
    [letter] = server.letters
    assert letter.redirect_to == BACK
    assert auth.people.by_link(letter.token_hash, "email").identity.role is None
    with pytest.raises(LinkExpiredError):
        auth.people.by_link(letter.token_hash, "email")


def test_a_link_by_its_code(server: SupabaseAuthServer, auth: AuthProvider) -> None:
    ana = server.add("ana@example.org")
    verifiers = [auth.people.mail_link(ana.email, BACK), auth.people.mail_reset(ana.email, BACK)]
    for letter, verifier in zip(server.letters, verifiers, strict=True):
        assert str(auth.people.by_code(server.code_of(letter), verifier).identity.person_id) == ana.id
    with pytest.raises(LinkExpiredError):
        auth.people.by_code("spent", verifiers[0])


def test_a_code_with_the_verifier_of_another_browser(server: SupabaseAuthServer, auth: AuthProvider) -> None:
    server.add("ana@example.org")
    auth.people.mail_link("ana@example.org", BACK)
    with pytest.raises(LinkExpiredError):
        auth.people.by_code(server.code_of(server.letters[0]), "x" * 64)


def test_letters_do_not_tell_who_has_an_account(server: SupabaseAuthServer, auth: AuthProvider) -> None:
    assert len(auth.people.mail_link("nobody@example.org", BACK)) == 64
    assert len(auth.people.mail_reset("nobody@example.org", BACK)) == 64
    server.add("ana@example.org")
    server.failures.append(shapes.TOO_MANY_LETTERS)
    assert len(auth.people.mail_link("ana@example.org", BACK)) == 64
    assert server.letters == []


def test_sessions_elsewhere_are_ended(server: SupabaseAuthServer, auth: AuthProvider) -> None:
    ana = server.add("ana@example.org", PASSWORD)
    first, second = (auth.people.by_password(ana.email, PASSWORD) for _ in range(2))
    auth.people.end(second.access_token, "others")
    with pytest.raises(SignInError):
        auth.people.again(first.refresh_token)
    auth.people.end(second.access_token, "local")
    assert server.open_grants(ana) == 0


def test_accounts(server: SupabaseAuthServer, auth: AuthProvider) -> None:
    eva = uuid.uuid4()
    assert auth.admin.make_account(eva, "eva@example.org", "reviewer", PASSWORD) == eva
    assert auth.admin.make_account(uuid.uuid4(), "eva@example.org", "reviewer") is None
    assert auth.people.by_password("eva@example.org", PASSWORD).identity.role == "reviewer"
    auth.admin.tell(eva, "uploader", False)
    with pytest.raises(SignInError):
        auth.people.by_password("eva@example.org", PASSWORD)
    auth.admin.tell(eva, "admin", True)
    assert auth.people.by_password("eva@example.org", PASSWORD).identity.role == "admin"
    assert auth.admin.set_password(eva, "another four quiet words") == "eva@example.org"
    auth.people.by_password("eva@example.org", "another four quiet words")


def test_accounts_that_auth_does_not_know(server: SupabaseAuthServer, auth: AuthProvider) -> None:
    assert auth.admin.set_password(uuid.uuid4(), PASSWORD) is None
    auth.admin.tell(uuid.uuid4(), "admin", True)


def test_a_password_that_auth_refuses(server: SupabaseAuthServer, auth: AuthProvider) -> None:
    eva = server.add("eva@example.org")
    server.weak.add(PASSWORD)
    with pytest.raises(PasswordRefusedError):
        auth.admin.set_password(uuid.UUID(eva.id), PASSWORD)
    with pytest.raises(PasswordRefusedError):
        auth.admin.make_account(uuid.uuid4(), "ada@example.org", "admin", PASSWORD)


def test_an_invitation(server: SupabaseAuthServer, auth: AuthProvider) -> None:
    link = auth.admin.make_link("eva@example.org", "invite")
    assert link is not None and link.token_hash not in repr(link)
    assert auth.people.by_link(link.token_hash, "invite").identity.person_id == link.person_id
    assert auth.admin.make_link("eva@example.org", "invite") is None
    assert auth.admin.make_link("eva@example.org", "recovery") is not None


def test_the_key_of_clients_makes_no_accounts(server: SupabaseAuthServer) -> None:
    wrong = open_auth(settings_of(server, supabase_service_role_key=server.publishable_key))
    assert wrong is not None
    with pytest.raises(AuthRefusedError):
        wrong.admin.make_account(uuid.uuid4(), "eva@example.org", "admin")


@pytest.mark.parametrize("missing", ["supabase_publishable_key", "supabase_url", "supabase_service_role_key"])
def test_the_start_fails_without_a_key(server: SupabaseAuthServer, missing: str) -> None:
    with pytest.raises(ConfigurationError, match=r"SUPABASE_URL.* must be set"):
        settings_of(server, **{missing: None})


def test_the_older_name_of_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUPABASE_ANON_KEY", "anon-0000")
    found = load_settings(_env_file=None).supabase_publishable_key
    assert found is not None and found.get_secret_value() == "anon-0000"


def test_the_demo_has_accounts_of_its_own(server: SupabaseAuthServer) -> None:
    with pytest.raises(ConfigurationError, match="DEMO_ACCOUNTS is refused"):
        settings_of(server, demo_accounts=True)


def test_without_the_setting_there_is_none(server: SupabaseAuthServer) -> None:
    assert open_auth(settings_of(server, auth_provider="local")) is None
