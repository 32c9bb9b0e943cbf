"""The way of docs/supabase.md, from an empty project to a working office, as an operator and two people go it."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner, Result

from commands import office as module
from core.config import ROOT
from tests.web.at_auth.conftest import PASSWORD, Office, attempt, is_signed_in

PAGE = (ROOT / "docs" / "supabase.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^flask users (.+)$", PAGE, re.MULTILINE)


def words(command: str) -> list[str]:
    return [quoted or plain for quoted, plain in re.findall(r'"([^"]*)"|(\S+)', command)]


def run(office: Office, monkeypatch: pytest.MonkeyPatch, command: str, typed: str = "") -> Result:
    monkeypatch.setattr(module, "get_settings", lambda: office.context.settings)
    done = CliRunner().invoke(module.users, words(command), input=typed)
    assert done.exit_code == 0, done.output
    return done


def test_an_empty_project_becomes_an_office(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    make, invite = COMMANDS
    run(office, monkeypatch, make, f"{PASSWORD}\n{PASSWORD}\n")
    path = run(office, monkeypatch, invite).output.strip()
    assert is_signed_in(office.signed_in("ada@example.org"))
    browser = office.browser()
    given = dict(part.split("=") for part in path.partition("?")[2].split("&"))
    chooses = browser.post("/sign-in/link", data=given).location
    browser.post(chooses, data={"password": "eva has four words", "display_name": "Eva"})
    assert is_signed_in(browser)
    assert attempt(office.browser(), "eva@example.org", "eva has four words").status_code == 302
    assert {user.email: user.app_metadata["role"] for user in office.auth.users.values()} == {
        "ada@example.org": "admin",
        "eva@example.org": "reviewer",
    }


@pytest.mark.parametrize("kind", ["email", "recovery", "invite"])
def test_links_of_the_templates_lead_to_a_page(office: Office, kind: str) -> None:
    [link] = re.findall(rf"`\{{\{{ .SiteURL \}}\}}(\S+)\{{\{{ .TokenHash \}}\}}&type={kind}`", PAGE)
    assert 'name="token_hash" value="abc"' in office.browser().get(f"{link}abc&type={kind}").text


def test_the_settings_of_the_page_are_settings(office: Office) -> None:
    block = PAGE.split("## 2. Settings")[1].split("```")[1]
    names = {line.partition("=")[0].lower() for line in block.split()}
    assert names - {""} <= set(type(office.context.settings).model_fields)
