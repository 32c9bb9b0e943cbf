"""The page of exports."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from flask.testing import FlaskClient
from sqlalchemy import func, select, update

from core.models import BrowserSession, Export
from services.context import Context
from services.exports.making import make_export
from tests.support.review import desk
from tests.web.conftest import Signed


@pytest.fixture
def reviewer(context: Context, signed_in: Signed) -> FlaskClient:
    with context.database.session() as session:
        desk.make_entry(context, session, status="completed", student_name="Ana Ruiz", grade="4")
    return signed_in("reviewer")


def asked(context: Context, client: FlaskClient, **form: object) -> uuid.UUID:
    response = client.post("/exports", data={"what": "entries.csv", **form})
    assert response.status_code == 302, response.text
    return context.database.one(select(Export.id).order_by(Export.created_at.desc()).limit(1))


def test_from_the_list_to_the_file(context: Context, reviewer: FlaskClient) -> None:
    assert 'href="/exports?status=completed"' in reviewer.get("/submissions?status=completed").text
    page = reviewer.get("/exports?status=completed&q=ana").text
    assert "No files yet." in page and 'name="q" value="ana"' in page
    export_id = asked(context, reviewer, status="completed", q="ana", column=["student_name", "grade"])
    assert 'data-working="yes"' in reviewer.get("/exports").text
    assert reviewer.get(f"/exports/{export_id}/file").status_code == 409
    make_export(context, export_id)
    page = reviewer.get("/exports").text
    assert 'data-working="no"' in page and f"/exports/{export_id}/file" in page and "2 chosen" in page
    with reviewer.get(f"/exports/{export_id}/file") as response:
        assert response.get_data(as_text=True) == '"student_name","grade"\r\n"Ana Ruiz","4"\r\n'
        assert response.headers["Cache-Control"] == "no-store"
        assert response.headers["Content-Disposition"].startswith("attachment; filename=entries-")


def test_the_password_is_asked_for(context: Context, reviewer: FlaskClient) -> None:
    export_id = asked(context, reviewer)
    make_export(context, export_id)
    context.database.execute(update(BrowserSession).values(confirmed_at=func.now() - timedelta(hours=1)))
    assert reviewer.post("/exports", data={"what": "entries.csv"}).status_code == 401
    assert "/confirm" in reviewer.get(f"/exports/{export_id}/file").headers["Location"]


def test_progress(context: Context, reviewer: FlaskClient) -> None:
    export_id = asked(context, reviewer)
    part = reviewer.get("/exports/progress")
    assert reviewer.get("/exports/progress", headers={"If-None-Match": part.headers["ETag"]}).status_code == 304
    make_export(context, export_id)
    again = reviewer.get("/exports/progress", headers={"If-None-Match": part.headers["ETag"]})
    assert again.status_code == 200 and "<!doctype" not in again.text.lower()


def test_removed_and_tried_again(context: Context, reviewer: FlaskClient) -> None:
    export_id = asked(context, reviewer)
    assert reviewer.post(f"/exports/{export_id}/retry", follow_redirects=True).status_code == 200
    context.database.execute(update(Export).values(status="failed", error_code="storage_error"))
    assert "Try again" in reviewer.get("/exports").text
    reviewer.post(f"/exports/{export_id}/retry")
    assert make_export(context, export_id)
    assert "The export was removed." in reviewer.post(f"/exports/{export_id}/remove", follow_redirects=True).text
    assert reviewer.get(f"/exports/{export_id}/file").status_code == 404


@pytest.mark.parametrize("what", ["entries.pdf", "judges.csv"])
def test_a_format_that_there_is_not(reviewer: FlaskClient, what: str) -> None:
    response = reviewer.post("/exports", data={"what": what})
    assert response.status_code == 400 and "the format must be one of" in response.text


def test_a_nul_is_refused(reviewer: FlaskClient) -> None:
    assert reviewer.get("/exports?q=a%00b").status_code == 400
    assert reviewer.post("/exports", data={"what": "entries.csv", "school": "\0"}).status_code == 400


def test_nothing_is_asked_for(reviewer: FlaskClient) -> None:
    assert reviewer.post("/exports", data={}).status_code == 302


@pytest.mark.parametrize("role", ["uploader", "officer"])
def test_who_sees_no_entries_exports_none(signed_in: Signed, role: str) -> None:
    client = signed_in(role)
    assert client.get("/exports").status_code == 403
    assert client.post("/exports", data={"what": "entries.csv"}).status_code == 403
    assert 'href="/exports' not in client.get("/").text


def test_that_of_somebody_else(context: Context, reviewer: FlaskClient, signed_in: Signed) -> None:
    export_id = asked(context, reviewer)
    make_export(context, export_id)
    assert signed_in("auditor").get(f"/exports/{export_id}/file").status_code == 404
    with signed_in("admin").get(f"/exports/{export_id}/file") as response:
        assert response.status_code == 200
