"""An admin sees what goes, gives the password, types the code, and gets the receipt."""

from __future__ import annotations

import io
import re
import uuid
import zipfile
from datetime import timedelta

from flask import Flask
from sqlalchemy import select, update

from core.clock import utcnow
from core.models import BrowserSession, Erasure, SecurityEvent, Submission
from services.accounts.people import create_user
from services.accounts.person import Role
from services.context import Context
from services.erasure.held_export import PAGE_SIZE
from tests.support.factories import make_season
from tests.support.review import desk
from tests.web.conftest import Signed
from web.submissions.submission import confirmation_code

PASSWORD = "four quiet words here"


def test_from_the_preview_to_the_receipt(signed_in: Signed, context: Context) -> None:
    admin = signed_in("admin")
    with context.database.session() as session:
        entry = desk.make_proposal(context, session).submission
    page = f"/submissions/{entry.id}/erase"
    assert page in admin.get(f"/submissions/{entry.id}").text
    shown = admin.get(page).text
    assert "Marisol Quintero</strong>, Lakeview Elementary School" in shown
    assert "Proposals" in shown and "cannot be undone" in shown and confirmation_code(entry.id) in shown
    refused = admin.post(page, data={"reason": "asked", "code": "wrong"})
    assert refused.status_code == 400 and "Type the code" in refused.text
    assert admin.post(page, data={"reason": "", "code": confirmation_code(entry.id)}).status_code == 400
    done = admin.post(page, data={"reason": "asked", "code": confirmation_code(entry.id)})
    receipt = admin.get(done.location).text
    assert "The family asked for it" in receipt and str(entry.id) in receipt and "Quintero" not in receipt
    assert done.location in signed_in("auditor").get("/erasures").text
    assert admin.get(f"/submissions/{entry.id}").status_code == 404
    with context.database.session() as session:
        assert session.get(Submission, entry.id) is None
        kinds = set(session.scalars(select(SecurityEvent.kind)))
    assert "erased" in kinds


def test_other_entries_of_the_same_name_are_named(signed_in: Signed, context: Context) -> None:
    with context.database.session() as session:
        entry, other, third = (desk.make_entry(context, session).submission for _ in range(3))
        for one, name in ((entry, "Nadia Quintero"), (other, "nadia  QUINTERO"), (third, "Nadia Quint")):
            session.get_one(Submission, one.id).student_name = name
    shown = signed_in("admin").get(f"/submissions/{entry.id}/erase").text
    assert "same name" in shown and f"/submissions/{other.id}" in shown and f"/submissions/{third.id}" not in shown


def test_the_password_is_asked_for_again(app: Flask, context: Context) -> None:
    create_user(context, "root@example.org", Role.ADMIN, PASSWORD)
    client = app.test_client()
    client.post("/sign-in", data={"email": "root@example.org", "password": PASSWORD})
    with context.database.session() as session:
        entry = desk.make_entry(context, session).submission
        session.execute(update(BrowserSession).values(confirmed_at=utcnow() - timedelta(hours=1)))
    code = confirmation_code(entry.id)
    asked = client.post(f"/submissions/{entry.id}/erase", data={"reason": "asked", "code": code})
    assert asked.status_code in (302, 401)
    assert context.database.scalars(select(Erasure)) == []


def test_an_export_and_who_may(signed_in: Signed, context: Context) -> None:
    with context.database.session() as session:
        entry = desk.make_entry(context, session).submission
    path = f"/submissions/{entry.id}/held.zip"
    sent = signed_in("admin").post(path)
    assert zipfile.ZipFile(io.BytesIO(sent.data)).namelist()[0] == "README.txt"
    for role in ("reviewer", "auditor", "uploader"):
        assert signed_in(role).post(path).status_code == 403
        assert signed_in(role).get(f"/submissions/{entry.id}/erase").status_code == 403
    assert signed_in("reviewer").get("/erasures").status_code == 403


def test_every_receipt_is_on_a_page(signed_in: Signed, context: Context) -> None:
    with context.database.session() as session:
        season = make_season(session).id
        session.add_all(
            Erasure(season_id=season, reason="asked", submission_ids=[uuid.uuid4()], counts={})
            for _ in range(PAGE_SIZE + 1)
        )
    auditor = signed_in("auditor")
    first = auditor.get("/erasures").text
    after = re.search(r'rel="next" href="([^"]+)"', first)
    assert after is not None
    found = [re.findall(r'href="/erasures/([^"?]+)"', page) for page in (first, auditor.get(after[1]).text)]
    assert [len(ids) for ids in found] == [PAGE_SIZE, 1] and len({*found[0], *found[1]}) == PAGE_SIZE + 1
