"""`flask users …`, as an operator types it."""

from __future__ import annotations

from collections.abc import Iterator

import pyotp
import pytest
from click.testing import CliRunner, Result

from commands import office as module
from core.config import Settings
from core.embedded.handles import PostgresHandle
from services.accounts.mailed_links import invited_person, person_to_reset
from services.accounts.person import Role
from services.accounts.second_factor import enrolment, has_second_factor, switch_on
from services.accounts.sign_in import sign_in
from services.context import Context
from tests.support.services import empty_database
from tests.support.site import tidy_context

PASSWORD = "four quiet words here"


@pytest.fixture
def context(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Context]:
    monkeypatch.setattr(module, "get_settings", lambda: settings)
    with tidy_context(settings) as opened:
        yield opened


def run(*arguments: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(module.users, arguments, input=typed)


def test_the_first_admin(context: Context) -> None:
    result = run("create-admin", "ada@example.org", "--name", "Ada", "--password-stdin", typed=PASSWORD + "\n")
    assert result.exit_code == 0, result.output
    assert sign_in(context, "ada@example.org", PASSWORD).role is Role.ADMIN
    assert PASSWORD not in result.output
    assert "ada@example.org" in run("list").output


def test_an_error_is_one_line(context: Context) -> None:
    result = run("create-admin", "ada@example.org", "--password-stdin", typed="short\n")
    assert (result.exit_code, result.output) == (1, "Error: The password needs at least 12 characters.\n")


def test_a_database_that_was_never_migrated(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, postgres_server: PostgresHandle, slot: int
) -> None:
    with empty_database(postgres_server.dsn, slot, "unready") as url:
        monkeypatch.setattr(module, "get_settings", lambda: settings.model_copy(update={"database_url": url}))
        result = run("create-admin", "ada@example.org", "--password-stdin", typed=PASSWORD + "\n")
    assert result.exit_code == 1 and "Run `flask db-upgrade`" in result.output


def test_an_invitation_and_a_reset(context: Context) -> None:
    path = run("invite", "eva@example.org", "--role", "reviewer").output.strip()
    assert invited_person(context, path.removeprefix("/invitation/")).role is Role.REVIEWER
    path = run("reset-password", "eva@example.org").output.strip()
    assert person_to_reset(context, path.removeprefix("/password-reset/")).email == "eva@example.org"
    assert run("reset-password", "nobody@example.org").exit_code == 1


def test_a_lost_second_factor(context: Context) -> None:
    run("create-admin", "ada@example.org", "--password-stdin", typed=PASSWORD + "\n")
    assert run("reset-second-factor", "ada@example.org").exit_code == 1
    ada = sign_in(context, "ada@example.org", PASSWORD)
    switch_on(context, ada.id, pyotp.TOTP(enrolment(context, ada.id).secret).now())
    assert run("reset-second-factor", "ada@example.org").exit_code == 0
    with context.database.session() as session:
        assert not has_second_factor(session, ada.id)
