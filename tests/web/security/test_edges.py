"""Names of the server, bodies of strangers, and what log lines hold."""

from __future__ import annotations

import io
import logging
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest
from flask import Flask
from flask.testing import FlaskClient

from core.config import STRANGERS_BYTES, load_settings
from core.errors import ConfigurationError
from core.models import Profile
from core.tracing.log import configure_logging
from flask_app import create_app
from services.accounts.mailed_links import request_password_reset
from services.accounts.person import person_of
from services.context import Context
from services.uploads.progress import batch_progress
from services.uploads.submit import IncomingFile, submit_files
from tests.support import factories


def site(context: Context, **values: object) -> FlaskClient:
    settings = context.settings.model_copy(update=values)
    return create_app(settings, replace(context, settings=settings)).test_client()


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:5000", "[::1]:5000", "LOCALHOST:80"])
def test_names_of_this_machine(client: FlaskClient, host: str) -> None:
    assert client.get("/sign-in", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "192.0.2.1",
        "[::",
        "a@localhost",
        "",
        "a..b",
        ".",
        "x" * 70 + ".org",
    ],
)
@pytest.mark.parametrize("path", ["/sign-in", "/static/css/second-reader.css", "/api/v1/openapi.json", "/nowhere"])
def test_other_names_are_refused(client: FlaskClient, host: str, path: str) -> None:
    assert client.get(path, headers={"Host": host}).status_code == 400


def test_names_of_the_settings(context: Context) -> None:
    client = site(context, allowed_hosts="Office.example.org, reader.lan", host="10.0.0.5")
    for host in ("office.example.org", "reader.lan:8080", "10.0.0.5"):
        assert client.get("/sign-in", headers={"Host": host}).status_code == 200
    assert client.get("/sign-in", headers={"Host": "10.0.0.6"}).status_code == 400
    everywhere = site(context, host="0.0.0.0")
    assert everywhere.get("/sign-in", headers={"Host": "10.0.0.6"}).status_code == 200
    assert everywhere.get("/sign-in", headers={"Host": "evil.example"}).status_code == 400


def test_behind_a_proxy_the_name_has_to_be_given() -> None:
    with pytest.raises(ConfigurationError, match="ALLOWED_HOSTS"):
        load_settings(_env_file=None, trusted_proxies=1)


def test_what_strangers_send_is_bounded(app: Flask, client: FlaskClient, signed_in) -> None:
    too_much = {"email": "x" * STRANGERS_BYTES, "password": "x"}
    assert client.post("/sign-in", data=too_much).status_code == 413
    file, kind = b"x" * (STRANGERS_BYTES + 1), "multipart/form-data; boundary=x"
    assert client.post("/upload", data=file, content_type=kind).status_code == 401, (
        "after sign-in it is not too large"
    )
    assert client.post("/nowhere", data=too_much).status_code == 413
    assert client.post("/api/v1/batches", data=file).status_code == 401
    theme = {"theme": "dark", "x": "x" * STRANGERS_BYTES}
    assert signed_in("reviewer").post("/theme", data=theme).status_code == 302


def test_what_was_typed_still_comes_back(client: FlaskClient) -> None:
    address = "/submissions/00000000-0000-0000-0000-000000000001/essay"
    lost = client.post(address, data={"line": "word " * 10_000})
    assert lost.status_code == 401 and "word word" in lost.text


@pytest.fixture
def written(context: Context, monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """What the process writes to its log."""
    stream = io.StringIO()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", stream)
        configure_logging(context.settings)
        yield stream
    configure_logging(context.settings)


def test_no_log_line_holds_a_token(
    own_app: Flask, context: Context, people: dict[str, Profile], written: io.StringIO
) -> None:
    token = request_password_reset(context, people["reviewer"].email)
    own_app.config.update(PROPAGATE_EXCEPTIONS=False)

    def fail(token: str) -> str:
        raise RuntimeError("broken")

    fail.access_rule = "public"  # type: ignore[attr-defined]
    own_app.view_functions["auth.password_reset_page"] = fail
    assert own_app.test_client().get(f"/password-reset/{token}").status_code == 500
    logging.getLogger("werkzeug").warning('"%s" 200 -', f"GET /password-reset/{token} HTTP/1.1")
    told = written.getvalue()
    assert "/password-reset/<token>" in told and "/password-reset/…" in told and "broken" in told
    assert token not in told


def test_a_second_sender_learns_no_id_of_the_first(signed_in, context: Context, people) -> None:
    with context.database.session() as session:
        factories.make_season(session)
        other = factories.make_profile(session, "uploader")
    file = [IncomingFile("a.txt", b"the very same")]
    submit_files(context, other.id, file)
    first = batch_files(context, people["auditor"], submit_files(context, other.id, file))
    assert first[0].status == "duplicate" and first[0].duplicate_of is not None
    batch = submit_files(context, people["uploader"].id, file)
    assert batch_files(context, people["uploader"], batch)[0].duplicate_of is None
    page = signed_in("uploader").get(f"/batches/{batch}").text
    assert "Someone else has already uploaded the same file" in page and str(first[0].duplicate_of) not in page


def batch_files(context: Context, profile: Profile, batch):
    return batch_progress(context, person_of(profile), batch).files
