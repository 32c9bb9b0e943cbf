"""The set-up: where an admin lands, each step tried, and what is told of it."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from sqlalchemy import select

from core.clock import utcnow
from core.models import Season, SecurityEvent
from services.context import Context
from services.season_admin.set_up import read_set_up_sample, set_up_view
from tests.support.mail_server import MailServer
from tests.support.site import sign_in_as
from web.access import EXTENSION, ContextHolder


def states(context: Context) -> dict[str, str]:
    return {key.value: step.state.value for key, step in set_up_view(context).steps.items()}


def test_an_admin_lands_there_until_it_is_over(signed_in, context: Context) -> None:
    admin = signed_in("admin")
    assert admin.get("/").location == "/admin/set-up"
    assert signed_in("reviewer").get("/").location == "/review"
    assert "This installation is new." in admin.get("/admin/orchestrator_stats").text
    assert "Later" in admin.get("/admin/set-up").text
    admin.post("/admin/set-up/finish")
    assert admin.get("/").location == "/admin/orchestrator_stats"
    assert "This installation is new." not in admin.get("/admin/orchestrator_stats").text
    admin.post("/admin/set-up/take-up")
    assert admin.get("/").location == "/admin/set-up"
    assert signed_in("reviewer").get("/admin/set-up").status_code == 403


def test_the_season_and_its_schools(signed_in, context: Context) -> None:
    admin = signed_in("admin")
    admin.get("/admin/set-up")
    given = {"name": "Season 2027", "starts_on": "2027-01-10", "ends_on": "2027-01-02", "version": "1"}
    refused = admin.post("/admin/set-up/season", data=given)
    assert (
        refused.status_code == 400
        and "last day is before its first day" in refused.text
        and "Season 2027" in refused.text
    )
    past = admin.post("/admin/set-up/season", data={**given, "starts_on": "", "ends_on": "2020-01-02"})
    assert past.status_code == 400 and "has already passed" in past.text
    later = f"{utcnow().year + 2}-05-01"
    assert admin.post(
        "/admin/set-up/season", data={**given, "ends_on": later, "deadline": "2027-03-01"}
    ).location.endswith("#season")
    assert admin.post("/admin/set-up/season", data={**given, "ends_on": later}).status_code == 409
    with context.database.session() as session:
        season = session.scalars(select(Season).where(Season.is_current)).one()
        assert (season.name, str(season.ends_on), str(season.deadline)) == ("Season 2027", later, "2027-03-01")
    assert admin.post("/admin/set-up/schools", data={"name": "Eastside"}).status_code == 302
    file = (io.BytesIO(b"name\nEastside\nJuniper Hill\n"), "schools.csv")
    told = admin.post("/admin/set-up/schools", data={"file": file}, follow_redirects=True).text
    assert "Schools added: 1. Already on the list: 1." in told
    assert states(context) | {"season": "done", "schools": "done", "model": "open"} == states(context)


def test_each_step_is_tried(signed_in, context: Context) -> None:
    admin = signed_in("admin")
    admin.post("/admin/set-up/try/storage")
    admin.post("/admin/set-up/try/mail")
    admin.post("/admin/set-up/rules-alone")
    page = admin.get("/admin/set-up").text
    assert "The file store saved a test file and returned it." in page and "No mail server is set up" in page
    assert states(context) | {"storage": "done", "mail": "open", "model": "done"} == states(context)
    admin.post("/admin/set-up/leave-out/mail")
    assert states(context)["mail"] == "passed"
    assert [admin.post(f"/admin/set-up/try/{step}").status_code for step in ("whole", "nothing")] == [404, 404]
    told = context.database.scalars(
        select(SecurityEvent).where(SecurityEvent.kind == "set_up").order_by(SecurityEvent.created_at)
    )
    assert [(event.details["step"], event.details["state"]) for event in told] == [
        ("storage", "done"),
        ("mail", "open"),
        ("model", "done"),
        ("mail", "passed"),
    ]
    assert all(event.actor_id is not None for event in told)


def test_a_worker_reads_the_sample(signed_in, context: Context) -> None:
    admin = signed_in("admin")
    assert not read_set_up_sample(context), "nobody asks"
    admin.post("/admin/set-up/try/reading")
    assert "No worker is running" in admin.get("/admin/set-up/reading").text
    admin.post("/admin/set-up/reading/stop")
    assert not read_set_up_sample(context) and states(context)["reading"] == "open"
    admin.post("/admin/set-up/try/reading")
    nothing = replace(context, settings=context.settings.model_copy(update={"ocr_provider": "none"}))
    assert read_set_up_sample(nothing) and states(context)["reading"] == "open"
    assert "OCR_PROVIDER is none" in admin.get("/admin/set-up/reading").text


@pytest.mark.parametrize(
    ("reply", "state", "told"), [(None, "done", "accepted the message"), ("550 5.1.1 no", "open", "spelling")]
)
def test_a_trial_mail(own_app, people, context: Context, reply: str | None, state: str, told: str) -> None:
    admin = people["admin"]
    with MailServer() as server:
        if reply:
            server.recipient_replies[admin.email] = reply
        changed = replace(context, settings=context.settings.model_copy(update=server.settings))
        own_app.extensions[EXTENSION] = ContextHolder(changed.settings, changed)
        client = own_app.test_client()
        sign_in_as(client, admin)
        page = client.post("/admin/set-up/try/mail", follow_redirects=True).text
        assert told in page and states(context)["mail"] == state
        assert [mail["Subject"] for mail in server.to(admin.email)] == ["Second Reader can send e-mail"] * (
            not reply
        )
