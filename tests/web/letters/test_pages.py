"""The pages of letters and mails, without a mail server: everything is printed."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta

import pytest
from flask.testing import FlaskClient
from sqlalchemy import select

from core.clock import utcnow
from core.models import AsideKind, Letter, LetterItem, OutgoingMail, Submission
from services.context import Context
from services.entries.decision import lock_entry
from services.review.asides import set_aside
from tests.support import factories
from tests.support.review import desk
from tests.web.conftest import Signed

FORM = {"by": "school", "until": (utcnow().date() + timedelta(days=7)).isoformat(), "language": "own"}


@pytest.fixture
def entry(context: Context) -> uuid.UUID:
    with context.database.session() as session:
        made = desk.make_escalated(context, session).submission
        made.student_name, made.missing_fields = "Ana Ruiz", ["grade"]
        return made.id


@pytest.fixture
def admin(signed_in: Signed, entry: uuid.UUID) -> FlaskClient:
    client = signed_in("admin")
    page = client.get("/letters/texts").text
    given = {
        name: re.sub(r"\s*readonly", "", value)
        for name, value in re.findall(r'name="(subject-\w\w)"[^>]* value="([^"]*)"', page)
    }
    given |= dict(re.findall(r'<textarea[^>]* name="([\w-]+)"[^>]*>([^<]*)</textarea>', page))
    form = {**given, "version": "0", "office": "The desk", "contact": "555-0100"}
    refused = client.post("/letters/texts", data=form | {"body-es": "Falta {child}"})
    assert (
        refused.status_code == 400
        and "Falta {child}" in refused.text
        and "{child} cannot be used here" in refused.text
    )
    assert client.post("/letters/texts", data=form).status_code == 302
    return client


def test_from_the_list_to_the_settled_entry(context: Context, admin: FlaskClient, entry: uuid.UUID) -> None:
    assert "/submissions/missing" in admin.get("/submissions/by-school").text
    chosen = {**FORM, "entry": f"{entry}:0"}
    assert f'value="{entry}:0" checked' in admin.get("/submissions/missing?mark=all").text
    assert admin.post("/submissions/missing/preview", data=FORM).status_code == 400
    preview = admin.post("/submissions/missing/preview", data=chosen).text
    assert "Dear Lakeview Elementary School" in preview and "555-0100" in preview and "A la atención" in preview
    assert context.database.scalars(select(Letter)) == [], "nothing has gone out"
    assert admin.post("/submissions/missing/send", data=chosen).status_code == 302
    again = admin.post("/submissions/missing/send", data=chosen)
    assert again.status_code == 409 and "Nothing was sent." in again.text
    with context.database.session() as session:
        item, letter = session.scalars(select(LetterItem)).one(), session.scalars(select(Letter)).one()
        version = session.get_one(Submission, entry).version
    assert "asked on" in admin.get("/submissions/missing?by=parent").text
    assert "Ana Ruiz" in admin.get(f"/letters/{letter.id}").text and "Asked" in admin.get("/letters").text
    assert "Dear Lakeview" in admin.get(f"/letters/{letter.id}/print").text
    with admin.get(f"/letters/file.pdf?letter={letter.id}") as pdf:
        assert pdf.get_data()[:5] == b"%PDF-"
    assert admin.get("/letters/file.pdf").status_code == 404
    there = f"/letters/items/{item.id}"
    assert "/letters/items/" in admin.get(f"/submissions/{entry}").text
    assert admin.post(f"{there}/give-up").status_code == 302
    assert "No answer" in admin.get("/letters").text
    assert admin.post(f"{there}/await").status_code == 302
    form = {"version": str(version), "value-grade": "much", "then": "settle"}
    refused = admin.post(f"{there}/answer", data=form)
    assert refused.status_code == 400 and "What you typed is still here." in refused.text
    done = admin.post(f"{there}/answer", data=form | {"value-grade": "5"}, follow_redirects=True)
    assert "The answer was saved, and the entry is settled." in done.text and "Answered" in done.text
    assert "Answer to the letter of" in admin.get(f"/submissions/{entry}").text


def test_a_page_says_what_its_entry_is_set_aside_for(
    context: Context, signed_in: Signed, entry: uuid.UUID
) -> None:
    reviewer = signed_in("reviewer")
    with context.database.session() as session:
        waiting = lock_entry(session, entry)
        who = waiting.owner_user_id
        set_aside(session, waiting, who, AsideKind.ASKED, fields=["grade"], note="Ask Ms. Boone.")
    assert "asked for Grade on" in reviewer.get(f"/submissions/{entry}").text
    listed = reviewer.get("/submissions/missing").text
    assert "asks for this" in listed and "Ask Ms. Boone." in listed
    with context.database.session() as session:
        set_aside(session, lock_entry(session, entry), who, AsideKind.PARKED, note="Page 2 follows.")
    assert "Page 2 follows." in reviewer.get(f"/submissions/{entry}").text


def test_mails_are_tried_again_and_cancelled(context: Context, signed_in: Signed) -> None:
    admin = signed_in("admin")
    with context.database.session() as session:
        failed = factories.make_mail(session, state="failed", error_code="mail_recipient").id
        waits = factories.make_mail(session).id
    page = admin.get("/admin/mails?state=failed").text
    assert "does not accept messages for this address" in page and str(waits) not in page
    assert admin.post(f"/admin/mails/{waits}/cancel").status_code == 302
    assert admin.post(f"/admin/mails/{failed}/retry").status_code == 302
    assert admin.post(f"/admin/mails/{failed}/retry").status_code == 409
    with context.database.session() as session:
        assert session.get_one(OutgoingMail, failed).state == "waiting"
        assert session.get_one(OutgoingMail, waits).state == "cancelled"
    assert signed_in("auditor").post(f"/admin/mails/{failed}/cancel").status_code == 403


def test_a_school_has_an_address(context: Context, signed_in: Signed) -> None:
    reviewer = signed_in("reviewer")
    with context.database.session() as session:
        school = factories.make_school(session, name="Juniper School").id
    form = {"of": str(school), "school": "Juniper School", "email": "desk@example.org"}
    assert reviewer.post("/schools/email", data=form | {"email": "nobody"}).status_code == 400
    assert reviewer.post("/schools/email", data=form).status_code == 302
    assert "desk@example.org" in reviewer.get(f"/schools/{school}").text
