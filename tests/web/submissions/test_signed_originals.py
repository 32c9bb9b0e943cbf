"""An original in Supabase Storage is fetched from there, by an address that is good for a short time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import httpx
import pytest
from flask import Flask
from sqlalchemy import select

from core.file_store import SupabaseFileStore
from core.models import Profile, SecurityEvent, Upload
from flask_app import create_app
from services.context import Context
from tests.support import factories
from tests.support.servers.supabase_storage_server import BROKEN, SupabaseStorageServer
from tests.support.site import sign_in_as

NAME = 'señal "1".pdf'


@pytest.fixture
def storage() -> Iterator[SupabaseStorageServer]:
    with SupabaseStorageServer() as server:
        yield server
    assert server.faults == []


@pytest.fixture
def in_storage(context: Context, storage: SupabaseStorageServer) -> Context:
    return replace(context, store=SupabaseFileStore(storage.url, storage.key, storage.bucket))


@pytest.fixture
def uploaded(in_storage: Context, people: dict[str, Profile]) -> Upload:
    with in_storage.database.session() as session:
        batch = factories.make_batch(session, people["uploader"])
        upload = factories.make_upload(session, batch, original_filename=NAME, content_type="application/pdf")
    in_storage.store.put(upload.storage_key, b"%PDF-1.7", "application/pdf")
    return upload


def site(context: Context, **changes: object) -> Flask:
    settings = context.settings.model_copy(update=changes)
    app = create_app(settings, replace(context, settings=settings))
    app.config.update(TESTING=True, WTF_CSRF_ENABLED=False)
    return app


def asked(app: Flask, profile: Profile, upload: Upload):
    browser = app.test_client()
    sign_in_as(browser, profile)
    return browser.get(f"/uploads/{upload.id}/original")


def test_the_browser_is_sent_there(in_storage: Context, people: dict[str, Profile], uploaded: Upload) -> None:
    sent = asked(site(in_storage), people["uploader"], uploaded)
    assert sent.status_code == 302
    assert (sent.headers["Cache-Control"], sent.headers["Referrer-Policy"]) == ("no-store", "no-referrer")
    fetched = httpx.get(sent.location)
    assert fetched.content == b"%PDF-1.7" and fetched.headers["Content-Disposition"].startswith("attachment")
    assert httpx.URL(sent.location).params["download"] == NAME
    assert in_storage.database.scalars(select(SecurityEvent.kind))[-1] == "original_downloaded"


def test_the_address_ends(
    in_storage: Context, people: dict[str, Profile], uploaded: Upload, storage: SupabaseStorageServer
) -> None:
    sent = asked(site(in_storage, supabase_signed_seconds=7), people["uploader"], uploaded)
    [(token, (name, until))] = storage.signed.items()
    storage.signed[token] = (name, until - 8)
    assert httpx.get(sent.location).status_code == 400


def test_a_page_that_was_open_for_long_leads_to_a_new_address(
    in_storage: Context, people: dict[str, Profile], uploaded: Upload, storage: SupabaseStorageServer
) -> None:
    app = site(in_storage, supabase_signed_seconds=7)
    first = asked(app, people["uploader"], uploaded)
    [(token, (name, until))] = storage.signed.items()
    storage.signed[token] = (name, until - 8)
    assert httpx.get(first.location).status_code == 400
    # The page holds our own address alone, and so do its pictures: each visit is given a new one.
    again = asked(app, people["uploader"], uploaded)
    assert again.location != first.location and httpx.get(again.location).content == b"%PDF-1.7"


def test_nobody_gets_one_for_what_they_may_not_see(
    in_storage: Context, people: dict[str, Profile], uploaded: Upload, storage: SupabaseStorageServer
) -> None:
    assert asked(site(in_storage), people["officer"], uploaded).status_code == 404
    assert storage.signed == {}


def test_the_app_can_send_it(in_storage: Context, people: dict[str, Profile], uploaded: Upload) -> None:
    sent = asked(site(in_storage, supabase_signed_seconds=0), people["uploader"], uploaded)
    assert (sent.status_code, sent.data) == (200, b"%PDF-1.7")


def test_a_storage_that_is_away_is_said(
    in_storage: Context, people: dict[str, Profile], uploaded: Upload, storage: SupabaseStorageServer
) -> None:
    storage.failures += [BROKEN] * 5
    assert asked(site(in_storage), people["uploader"], uploaded).status_code == 503
