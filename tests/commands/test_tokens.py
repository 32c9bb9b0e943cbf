"""`flask tokens …`, as an operator types it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from click.testing import CliRunner, Result

from commands import office as module
from core.config import Settings
from services.accounts.api_tokens import find_token
from services.context import Context
from tests.support.site import person, tidy_context


@pytest.fixture
def context(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Context]:
    monkeypatch.setattr(module, "get_settings", lambda: settings)
    with tidy_context(settings) as opened:
        yield opened


def run(*arguments: str) -> Result:
    return CliRunner().invoke(module.tokens, arguments)


def test_make_list_and_revoke(context: Context) -> None:
    person(context, "reviewer", email="ada@example.org")
    token = run("create", "Ada@example.org", "nightly script", "--days", "7").output.strip()
    found = find_token(context, token)
    assert found is not None and found.owner.email == "ada@example.org"
    line = run("list", "ada@example.org").output
    assert "nightly script" in line and "usable" in line and token not in line
    narrow = find_token(context, run("create", "ada@example.org", "scanner", "--scope", "uploads").output.strip())
    assert narrow is not None and narrow.scopes == {"uploads"}
    assert found.scopes == {"read", "write", "uploads", "exports"}
    assert run("revoke", "ada@example.org", line.split()[0]).exit_code == 0
    assert find_token(context, token) is None


def test_nobody_of_that_address(context: Context) -> None:
    result = run("create", "nobody@example.org", "script")
    assert (result.exit_code, result.output) == (1, "Error: no active account with this address\n")
