"""The record of events: what is written, who reads it, and that nobody changes it."""

from __future__ import annotations

import io
import json
import uuid
from dataclasses import replace
from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import func, select, text, update
from sqlalchemy.exc import ProgrammingError

from core.models import BrowserSession, SecurityEvent
from services import event_log as module
from services.accounts.people import create_user
from services.accounts.person import Role
from services.audit import purge_security_events, record_export
from services.context import Context
from services.event_log import EventFilter, list_events
from services.letters.wording import usual_wording
from tests.support.research.library import add_and_read
from tests.support.review import desk
from tests.support.routes import api_routes, routes
from web.security.requests import recorded_as

PASSWORD = "four quiet words here"
#: Pages and answers about an entry or a file that show no entry by itself.
NOT_RECORDED = {"api.get_split", "review.escalation_holder", "review.suggestion_holder", "submissions.split_page"}
OF_AN_ENTRY = {"submission_id", "suggestion_id", "escalation_id", "upload_id"}


def kinds(context: Context) -> list[str]:
    return context.database.scalars(select(SecurityEvent.kind).order_by(SecurityEvent.created_at))


def events(context: Context, kind: str) -> list[SecurityEvent]:
    return context.database.scalars(select(SecurityEvent).where(SecurityEvent.kind == kind))


def test_signing_in_and_out(app: Flask, context: Context) -> None:
    ana = create_user(context, "ana@example.org", Role.REVIEWER, PASSWORD)
    client = app.test_client()
    for email, password in (
        ("ana@example.org", "wrong"),
        ("secret typed here", "x"),
        ("ana@example.org", PASSWORD),
    ):
        client.post("/sign-in", data={"email": email, "password": password})
    client.post("/sign-out")
    assert kinds(context) == ["account_made", "sign_in_failed", "sign_in_failed", "sign_in", "sign_out"]
    assert [row.subject_id for row in events(context, "sign_in_failed")] == [ana, None]
    (row,) = events(context, "sign_in")
    assert (row.actor_id, row.network) == (ana, "127.0.0.0/24")
    with context.database.session() as session:
        assert "secret" not in str(session.execute(text("select * from security_events")).all())


def test_a_lock_out_is_recorded_once(app: Flask, context: Context) -> None:
    ana = create_user(context, "ana@example.org", Role.REVIEWER, PASSWORD)
    for _ in range(12):
        app.test_client().post("/sign-in", data={"email": "ana@example.org", "password": "wrong"})
    (row,) = events(context, "locked_out")
    assert (row.subject_id, row.details) == (ana, {"what": "sign-in"})


def test_what_an_admin_does(signed_in, people, context: Context) -> None:
    admin, reviewer = signed_in("admin"), people["reviewer"].id
    admin.post("/admin/users", data={"email": "eva@example.org", "role": "uploader"})
    admin.post(f"/admin/users/{reviewer}/password-reset")
    admin.post(f"/admin/users/{reviewer}/role", data={"role": "auditor"})
    admin.post(f"/admin/users/{reviewer}/active", data={"active": "no"})
    admin.post("/tokens", data={"name": "desk", "days": "7", "scope": "read"})
    found = kinds(context)[-5:]
    assert found == ["invited", "reset_link_made", "role_changed", "account_closed", "token_made"]
    (row,) = events(context, "role_changed")
    assert (row.actor_id, row.subject_id) == (people["admin"].id, reviewer)
    assert row.details == {"before": "reviewer", "role": "auditor"}


FILE = b"name,email,aliases\nJuniper Hill,desk@juniper.example,JHS\nFoxglove,,\n"
HILL, OAKS = "Juniper Hill", "Sterling Oaks"
#: Changes of the list of schools in an order that works: of whom, the path, the form, and what is recorded.
SCHOOL_CHANGES = (
    ("reviewer", "", {"name": HILL, "city": "Amberly"}, [{"new": {"name": HILL, "city": "Amberly"}}]),
    ("reviewer", "/aliases", {"school": HILL, "alias": "J.H."}, [{"new": {"spellings": ["J.H."]}}]),
    ("admin", "/aliases/remove", {"school": HILL, "alias": "J.H."}, [{"old": {"spellings": ["J.H."]}}]),
    (
        "reviewer",
        "/email",
        {"school": HILL, "email": "old@juniper.example"},
        [{"new": {"email": "old@juniper.example"}}],
    ),
    ("reviewer", "/email", {"school": HILL, "email": "old@juniper.example"}, []),
    (
        "admin",
        "/import",
        {"file": FILE},
        [
            {
                "old": {"email": "old@juniper.example"},
                "new": {"email": "desk@juniper.example", "spellings": ["JHS"]},
            },
            {"school": "Foxglove", "new": {"name": "Foxglove"}},
        ],
    ),
    ("reviewer", "", {"name": OAKS}, [{"school": OAKS, "new": {"name": OAKS}}]),
    (
        "admin",
        "/merge",
        {"duplicate": HILL, "into": OAKS},
        [
            {"old": {"name": HILL, "city": "Amberly", "email": "desk@juniper.example"}, "new": {"name": OAKS}},
            {"school": OAKS, "new": {"city": "Amberly", "email": "desk@juniper.example"}},
        ],
    ),
)


def test_every_change_of_the_list_of_schools(signed_in, people, context: Context) -> None:
    seen: set[uuid.UUID] = set()
    for role, path, form, recorded in SCHOOL_CHANGES:
        data = {name: (io.BytesIO(FILE), "s.csv") if value is FILE else value for name, value in form.items()}
        assert signed_in(role).post(f"/schools{path}", data=data).status_code in (200, 302)
        new = [row for row in events(context, "school_changed") if row.id not in seen]
        seen |= {row.id for row in new}
        assert {row.actor_id for row in new} <= {people[role].id}, path
        told = sorted((row.details for row in new), key=lambda details: details["school"] != HILL)
        assert told == [{"school": HILL} | one for one in recorded], path
    page = signed_in("admin").get("/admin/events?kind=school_changed").text
    assert "E-mail address: desk@juniper.example" in page and "Changed the list of schools" in page


def test_letters_batches_and_the_library(signed_in, people, context: Context) -> None:
    with context.database.session() as session:
        batch = desk.make_proposal(context, session).upload.batch_id
    document = add_and_read(context, "Shared reading helps children.")
    usual = {code: usual_wording(code) for code in ("en", "es")}
    texts = {
        f"{part}-{code}": getattr(text, part)
        for code, text in usual.items()
        for part in ("subject", "body", "reminder")
    }
    changes = (
        (
            "admin",
            "/letters/texts",
            {**texts, "version": 0, "office": "The desk", "contact": ""},
            "letter_texts_changed",
        ),
        ("reviewer", f"/batches/{batch}/expected", {"expected_entries": "77"}, "batch_changed"),
        ("officer", f"/research/library/{document}/remove", {}, "library_removed"),
        ("officer", f"/research/library/{document}/restore", {}, "library_restored"),
    )
    found = []
    for role, path, form, kind in changes:
        assert signed_in(role).post(path, data=form).status_code == 302, path
        (row,) = events(context, kind)
        assert row.actor_id == people[role].id
        found.append(row.details)
    named = {"document": str(document)}
    assert found == [{"new": {"office": "The desk"}}, {"batch": str(batch), "new": {"expected": 77}}, named, named]
    signed_in("reviewer").post(f"/batches/{batch}/received", data={"received_on": "2026-01-02"})
    assert [row.details["new"] for row in events(context, "batch_changed")][1:] == [{"received": "2026-01-02"}]


def test_what_fails_is_not_recorded(signed_in, people, context: Context) -> None:
    signed_in("admin").post(f"/admin/users/{people['admin'].id}/role", data={"role": "auditor"})
    assert events(context, "role_changed") == []


def test_every_answer_about_an_entry_is_recorded(app: Flask) -> None:
    of_an_entry = {rule.endpoint for rule in app.url_map.iter_rules() if rule.arguments & OF_AN_ENTRY}
    shown = {route.endpoint for route in [*routes(app), *api_routes(app)] if route.method == "GET"} & of_an_entry
    recorded = {name for name in shown if recorded_as(app.view_functions[name])}
    assert shown - recorded == NOT_RECORDED and len(recorded) == 16


def test_a_view_is_recorded_once_in_ten_minutes(signed_in, people, context: Context, monkeypatch) -> None:
    with context.database.session() as session:
        one = desk.make_proposal(context, session)
    address, client = f"/submissions/{one.submission.id}", signed_in("reviewer")
    client.get(address)
    client.get(address)
    # Another process remembers nothing of this one.
    monkeypatch.setattr(module, "_remembered", module._Remembered())
    client.get(address)
    client.get(f"/review/suggestions/{one.suggestion.id}")
    client.get(f"{address}/essay")
    (row,) = events(context, "submission_viewed")
    assert (row.actor_id, row.submission_id) == (people["reviewer"].id, one.submission.id)
    monkeypatch.setattr(module, "SLOT_SECONDS", 7)
    client.get(address)
    assert len(events(context, "submission_viewed")) == 2


def test_pages_and_originals(signed_in, people, context: Context) -> None:
    with context.database.session() as session:
        one = desk.make_proposal(context, session)
    client, address = signed_in("auditor"), f"/uploads/{one.upload.id}"
    assert client.get(f"{address}/original").status_code == 200
    for _ in range(2):
        assert client.get(f"{address}/pages/{one.submission.page_start}.webp?w=240").status_code == 200
    for kind in ("original_downloaded", "pages_viewed"):
        (row,) = events(context, kind)
        assert (row.submission_id, row.upload_id) == (one.submission.id, one.upload.id)
    assert signed_in("uploader").get(f"{address}/original").status_code == 404
    assert len(events(context, "original_downloaded")) == 1


@pytest.mark.parametrize(
    "statement",
    ["update security_events set kind = 'x'", "delete from security_events", "truncate security_events"],
)
def test_nothing_changes_the_record(context: Context, people, statement: str) -> None:
    record_export(context, people["admin"].id, "entries", 3)
    with pytest.raises(ProgrammingError, match="only grows"), context.database.session() as session:
        session.execute(text(statement))


def test_no_other_role_may_change_it(context: Context) -> None:
    with context.database.session() as session:
        for role, right in (("service_role", "update"), ("service_role", "delete"), ("authenticated", "select")):
            held = func.has_table_privilege(role, "public.security_events", right)
            assert session.scalar(select(held)) is False


def test_only_what_is_old_enough_is_purged(context: Context, people) -> None:
    record_export(context, people["admin"].id, "entries", 3)
    with context.database.session() as session:
        for days in (401, 399):
            session.add(SecurityEvent(kind="exported", created_at=func.now() - timedelta(days=days)))
    assert purge_security_events(context) == 1
    assert kinds(context) == ["exported", "exported"]
    with pytest.raises(ProgrammingError, match="only grows"), context.database.session() as session:
        session.execute(text("select purge_security_events(interval '400 days')"))
        session.execute(text("delete from security_events"))


def test_the_page_and_its_filters(signed_in, people, context: Context) -> None:
    with context.database.session() as session:
        one = desk.make_proposal(context, session)
    signed_in("reviewer").get(f"/submissions/{one.submission.id}")
    record_export(context, people["admin"].id, "everything", 77)
    auditor = signed_in("auditor")
    page = auditor.get("/admin/events").text
    assert "Viewed an entry" in page and f"/submissions/{one.submission.id}" in page and "Rows: 77" in page
    assert "Rows: 77" not in auditor.get(f"/admin/events?entry={one.submission.id}").text
    assert "Rows: 77" in auditor.get(f"/admin/events?person={people['admin'].email.upper()}").text
    assert "Rows: 77" not in auditor.get("/admin/events?kind=sign_in").text
    assert "No events match." in auditor.get("/admin/events?to=2001-02-03").text
    assert "Rows: 77" in auditor.get("/admin/events?from=2001-02-03&kind=x&to=x").text
    assert signed_in("reviewer").get("/admin/events").status_code == 403


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_days_at_the_ends_of_the_calendar_filter_like_others(
    signed_in, people, context: Context, day: str
) -> None:
    record_export(context, people["admin"].id, "everything", 77)
    auditor = signed_in("auditor")
    assert ("Rows: 77" in auditor.get(f"/admin/events?from={day}").text) == (day < "2000")
    assert ("Rows: 77" in auditor.get(f"/admin/events?to={day}").text) == (day > "2000")
    stats = signed_in("admin").get(f"/admin/orchestrator_stats/submissions?kind=run&from=0001-01-01&to={day}")
    assert stats.status_code == 200


def test_a_day_of_the_filter_is_one_of_the_office(people, context: Context) -> None:
    far = replace(context, settings=context.settings.model_copy(update={"office_timezone": "Pacific/Kiritimati"}))
    record_export(far, people["admin"].id, "everything", 77)
    at = events(context, "exported")[0].created_at
    day = far.settings.office_day(at)
    for first, last in ((day, day), (day - timedelta(days=1), day - timedelta(days=1))):
        found = list_events(far, EventFilter(first=first, last=last)).rows
        assert len(found) == (first == day)


def test_an_entry_is_found_by_name_or_code_and_an_unknown_one_says_so(signed_in, people, context: Context) -> None:
    with context.database.session() as session:
        one, other = (desk.make_proposal(context, session, student=name) for name in ("Ana Ruiz", "Leo Marsh"))
    reviewer, auditor = signed_in("reviewer"), signed_in("auditor")
    for entry in (one, other):
        reviewer.get(f"/submissions/{entry.submission.id}")
    record_export(context, people["admin"].id, "everything", 77)
    code = str(one.submission.id)[:8]
    for given in ("ruiz", code, code.upper(), str(one.submission.id)):
        page = auditor.get("/admin/events", query_string={"entry": given}).text
        assert f"/submissions/{one.submission.id}" in page and str(other.submission.id) not in page
        assert "Viewed an entry" in page and "Rows: 77" not in page
    unknown = auditor.get("/admin/events?entry=Nobody+Here").text
    assert "No entry has the name or code “Nobody Here”." in unknown
    assert "Rows: 77" not in unknown and "/submissions/" + code[:4] not in unknown


def test_an_entrys_page_says_who_looked_at_it_to_who_oversees(signed_in, people, context: Context) -> None:
    with context.database.session() as session:
        one = desk.make_proposal(context, session)
    address = f"/submissions/{one.submission.id}"
    reviewer = signed_in("reviewer").get(address).text
    assert "Viewed by" not in reviewer
    seen = " ".join(signed_in("auditor").get(address).text.split("Viewed by")[1].split())
    assert people["reviewer"].display_name in seen.split("</ul>")[0]
    assert f"/admin/events?entry={one.submission.id}" in seen


def test_json_lines_want_the_password_and_are_an_event(signed_in, context: Context, people) -> None:
    record_export(context, people["admin"].id, "everything", 77)
    auditor = signed_in("auditor")
    lines = auditor.get("/admin/events.jsonl?kind=exported").text.splitlines()
    newest, oldest = (json.loads(line) for line in lines)
    assert (newest["details"], oldest["details"]["rows"]) == ({"what": "events", "rows": 1}, 77)
    assert uuid.UUID(oldest["actor_id"]) == people["admin"].id
    context.database.execute(update(BrowserSession).values(confirmed_at=func.now() - timedelta(hours=1)))
    assert auditor.get("/admin/events.jsonl").location == "/confirm?next=/admin/events.jsonl"
