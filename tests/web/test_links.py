"""Invitations and password resets by their links."""

from __future__ import annotations

from flask.testing import FlaskClient

from services.accounts.mailed_links import invite_user, request_password_reset
from services.accounts.person import Role
from services.context import Context

PASSWORD = "four quiet words here"


def test_an_invitation_opens_the_account(client: FlaskClient, context: Context) -> None:
    link = f"/invitation/{invite_user(context, 'eva@example.org', Role.UPLOADER)}"
    assert "eva@example.org" in client.get(link).text
    weak = client.post(link, data={"password": "short", "display_name": "Eva Lund"})
    assert weak.status_code == 400 and "at least 12 characters" in weak.text and "Eva Lund" in weak.text
    assert client.post(link, data={"password": PASSWORD, "display_name": "Eva Lund"}).location == "/"
    assert client.get("/").location == "/upload"
    assert client.get(link).status_code == 410


def test_a_reset_ends_the_other_sessions(app, context: Context) -> None:
    invitation = f"/invitation/{invite_user(context, 'eva@example.org', Role.UPLOADER)}"
    old, new = app.test_client(), app.test_client()
    old.post(invitation, data={"password": PASSWORD})
    link = f"/password-reset/{request_password_reset(context, 'eva@example.org')}"
    assert "eva@example.org" in new.get(link).text
    assert new.post(link, data={"password": "short"}).status_code == 400
    assert new.post(link, data={"password": PASSWORD + "!"}).location == "/"
    assert new.get("/").location == "/upload"
    assert old.get("/").location.startswith("/sign-in")


def test_trying_links_is_slowed_down(client: FlaskClient) -> None:
    codes = {client.get(f"/invitation/{number}").status_code for number in range(31)}
    assert codes == {410, 429}


def test_passwords_that_are_refused_are_slowed_down_as_well(client: FlaskClient, context: Context) -> None:
    invitation = f"/invitation/{invite_user(context, 'eva@example.org', Role.UPLOADER)}"
    tried = [client.post(invitation, data={"password": "short"}).status_code for _ in range(32)]
    assert (tried[0], tried[-1]) == (400, 429)
    assert client.post(invitation, data={"password": PASSWORD}).status_code == 429


def test_links_guessed_with_a_password_are_slowed_down_too(client: FlaskClient) -> None:
    codes = {client.post(f"/password-reset/{n}", data={"password": PASSWORD}).status_code for n in range(31)}
    assert codes == {410, 429}


def test_a_name_is_measured_before_the_password_and_not_repeated(client: FlaskClient, context: Context) -> None:
    link = f"/invitation/{invite_user(context, 'eva@example.org', Role.UPLOADER)}"
    refused = client.post(link, data={"password": "short", "display_name": "Eva " * 5_000})
    assert refused.status_code == 400 and "at most 100 characters" in refused.text
    assert "Eva " * 30 not in refused.text


def test_a_forgotten_password_says_what_to_do(client: FlaskClient) -> None:
    assert "Ask an admin" in client.get("/forgotten-password").text
