"""Headers of every answer, and templates that need nothing the policy forbids."""

from __future__ import annotations

import re
from dataclasses import replace

from flask import Flask
from flask.testing import FlaskClient

from core.config import ROOT
from flask_app import create_app
from services.accounts.mailed_links import invite_user
from services.accounts.person import Role
from services.context import Context


def test_every_answer_is_guarded(client: FlaskClient) -> None:
    for url in ("/sign-in", "/nothing-here", "/static/css/second-reader.css", "/healthz"):
        headers = client.get(url, buffered=True).headers
        assert "unsafe" not in headers["Content-Security-Policy"], url
        assert "script-src 'self'" in headers["Content-Security-Policy"], url
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"], url
        assert headers["X-Content-Type-Options"] == "nosniff", url
        assert headers["Referrer-Policy"] == "same-origin", url


def test_no_path_of_a_personal_link_is_sent_as_the_referrer(own_app: Flask, context: Context) -> None:
    own_app.config.update(WTF_CSRF_ENABLED=True)
    client, link = own_app.test_client(), f"/invitation/{invite_user(context, 'eva@example.org', Role.UPLOADER)}"
    for url in (link, "/invitation/x", "/password-reset/x", "/sign-in/link?token_hash=x", "/sign-in/link?code=x"):
        assert client.get(url).headers["Referrer-Policy"] == "strict-origin", url
    token = re.search(r'name="csrf_token" value="([^"]+)"', client.get(link, base_url="https://localhost").text)[1]
    given = {"csrf_token": token, "password": "four quiet words here"}
    sent = client.post(link, data=given, base_url="https://localhost", headers={"Referer": "https://localhost/"})
    assert sent.status_code == 302


def test_pages_are_kept_by_no_cache(client: FlaskClient, signed_in) -> None:
    assert client.get("/sign-in").headers["Cache-Control"] == "no-store"
    assert signed_in("admin").get("/submissions").headers["Cache-Control"] == "no-store"


def test_nothing_is_inline() -> None:
    """The policy would drop it in silence."""
    for path in (ROOT / "templates").rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=\"|javascript:", text), path.name
        assert not re.search(r"<script(?![^>]*\ssrc=)", text), path.name
        assert not re.search(r"(src|href)=\"(https?:)?//", text), path.name


def test_stylesheets_are_complete_in_themselves() -> None:
    for sheet in (ROOT / "static" / "css").iterdir():
        text = sheet.read_text(encoding="utf-8")
        assert "url(" not in text and "@import" not in text, sheet.name


def test_cookies_over_https_only_where_https_is_spoken(context: Context) -> None:
    for secure in (False, True):
        settings = context.settings.model_copy(update={"cookie_secure": secure})
        app = create_app(settings, replace(context, settings=settings))
        response = app.test_client().get("/sign-in")
        cookie = response.headers["Set-Cookie"]
        assert "HttpOnly" in cookie and "SameSite=Lax" in cookie
        assert ("Secure" in cookie) == secure
        assert ("Strict-Transport-Security" in response.headers) == secure
