"""Invitations and new passwords by mail: whom they go to, in which language, and what happens when they cannot."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select, text

from core.models import Profile, ResetRequest
from core.queue import job_ids
from flask_app import create_app
from jobs.run import do_work
from services.accounts.mailed_links import personal_link, send_reset
from services.context import Context
from services.recovery.kinds import RESETS
from tests.support import factories
from tests.support.mail_server import MailServer
from tests.support.site import person, sign_in_as

INVITED = {"email": "eva@example.org", "display_name": "Eva Lund", "role": "reviewer", "language": "es"}
PASSWORD = "four quiet words here"


@dataclass
class Office:
    """A site with a mail server."""

    app: Flask
    context: Context
    mails: MailServer
    admin: FlaskClient

    def texts(self, address: str) -> list[str]:
        return [mail.get_content() for mail in self.mails.to(address)]


@pytest.fixture
def office(context: Context) -> Iterator[Office]:
    with MailServer() as server:
        reached = replace(context, settings=context.settings.model_copy(update=server.settings))
        app = create_app(reached.settings, reached)
        app.config.update(TESTING=True, WTF_CSRF_ENABLED=False)
        admin = app.test_client()
        sign_in_as(admin, person(context, "admin", display_name="Ada Admin"))
        yield Office(app, reached, server, admin)


def path_in(letter: str) -> str:
    found = re.search(r"https://entries\.example\.org(/\S+)", letter)
    assert found is not None
    return found[1]


def test_links_in_letters_are_those_of_the_site(app: Flask, settings) -> None:
    for purpose, endpoint in (("invitation", "invitation_page"), ("password_reset", "password_reset_page")):
        with app.test_request_context():
            assert personal_link(settings, purpose, "abc") == app.url_for(
                f"auth.{endpoint}", token="abc", _external=False
            )


def test_an_invitation_is_sent_and_not_shown(office: Office) -> None:
    page = office.admin.post("/admin/users", data=INVITED, follow_redirects=True).text
    assert "on its way to eva@example.org" in page and "/invitation/" not in page.replace('/invitation"', "")
    (letter,) = office.texts("eva@example.org")
    assert "Ada Admin" in letter
    guest = office.app.test_client()
    shown = guest.get(path_in(letter))
    assert '<html lang="es"' in shown.text and "Eva Lund" in shown.text
    answer = guest.post(path_in(letter), data={"password": PASSWORD, "display_name": "Eva Lund", "language": "en"})
    assert answer.location == "/"
    eva = office.context.database.one(select(Profile).where(Profile.email == "eva@example.org"))
    assert eva.language == "en" and '<html lang="en"' in guest.get("/account").text
    assert office.admin.post(f"/admin/users/{eva.id}/invitation").status_code == 400


def test_it_is_shown_where_that_is_wanted_or_the_mail_fails(office: Office) -> None:
    shown = office.admin.post("/admin/users", data={**INVITED, "by": "link"}).text
    assert 'value="http://localhost/invitation/' in shown and office.mails.received == []
    office.mails.recipient_replies[""] = "550 5.1.1 no such user"
    failed = office.admin.post("/admin/users", data=INVITED).text
    assert "Check its spelling" in failed and "is still valid" in failed
    first = re.search(r'value="http://localhost(/invitation/[^"]+)"', failed)
    assert first is not None
    office.mails.recipient_replies.clear()
    eva = office.context.database.one(select(Profile).where(Profile.email == "eva@example.org"))
    office.admin.post(f"/admin/users/{eva.id}/invitation")
    (letter,) = office.texts("eva@example.org")
    guest = office.app.test_client()
    assert guest.get(first[1]).status_code == 410, "the later link has replaced it"
    assert '<html lang="es"' in guest.get(path_in(letter)).text


#: Headers that our mails have; nobody who writes into a form adds one.
HEADERS = {"from", "to", "subject", "date", "message-id", "auto-submitted", "mime-version", "content-type"}
HEADERS |= {"content-transfer-encoding", "reply-to", "x-peer", "x-mailfrom", "x-rcptto"}


@pytest.mark.parametrize(
    "typed",
    [
        {"display_name": "Eva\r\nBcc: all@example.org"},
        {"display_name": "Eva\u2028Bcc: all@example.org"},
        {"display_name": "Eva <all@example.org>, Bo"},
        {"display_name": '"; all@example.org, "'},
        {"display_name": "=?utf-8?q?Eva=0ABcc=3A_all=40example=2Eorg?="},
        {"email": "eva@example.org\r\nBcc: all@example.org"},
        {"email": "eva@example.org, all@example.org"},
        {"email": "all@example.org;eva@example.org"},
        {"email": "Eva <eva@example.org>"},
        {"language": "es\r\nBcc: all@example.org"},
    ],
)
def test_what_is_typed_makes_no_header_and_no_other_link(office: Office, typed: dict[str, str]) -> None:
    """The host that the browser names, or a proxy that nobody declared, is in no link either."""
    elsewhere = {
        "X-Forwarded-Host": "evil.example",
        "X-Forwarded-Proto": "https",
        "Forwarded": "host=evil.example",
    }
    office.admin.post("/admin/users", data={**INVITED, **typed}, headers=elsewhere)
    assert [envelope.rcpt_tos for envelope in office.mails.envelopes] in ([], [["eva@example.org"]])
    for mail in office.mails.received:
        assert {name.lower() for name in mail} <= HEADERS
        assert [address.addr_spec for address in mail["To"].addresses] == ["eva@example.org"]
        links = re.findall(r"https?://[^\s/]+", mail.get_content())
        assert links and set(links) == {"https://entries.example.org"}


def requests_of(context: Context) -> list[ResetRequest]:
    return context.database.scalars(select(ResetRequest))


def test_a_forgotten_password(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jobs.run.process_context", lambda: office.context)
    reader = person(office.context, "reviewer", language="es", password_hash="x")
    invited = person(office.context, "reviewer", email="invited@example.org")
    closed = person(office.context, "reviewer", email="closed@example.org", password_hash="x", is_active=False)
    guest = office.app.test_client()
    answers = {}
    for address in (reader.email, reader.email.upper(), invited.email, closed.email, "nobody@example.org"):
        answer = guest.post("/forgotten-password", data={"email": address})
        answers[address] = (answer.status_code, answer.text.partition("<main")[2].replace(address.lower(), "…"))
    assert len(set(answers.values())) == 1
    asked = requests_of(office.context)
    assert len(asked) == 4 and [row.profile_id for row in asked].count(reader.id) == 1
    assert len(job_ids(office.context.redis).queued) == 4
    for row in asked:
        do_work(RESETS, str(row.id))
    assert [envelope.rcpt_tos for envelope in office.mails.envelopes] == [[reader.email]]
    assert requests_of(office.context) == []
    (letter,) = office.texts(reader.email)
    assert guest.post(path_in(letter), data={"password": PASSWORD}).location == "/"
    token = path_in(letter).rpartition("/")[2]
    with office.context.database.session() as session:
        rows = session.scalars(
            text("select to_jsonb(r)::text from security_events r union all select to_jsonb(r)::text from mails r")
        )
        assert not any(token in row for row in rows)


def test_a_mail_that_fails_is_tried_again_with_a_link_of_its_own(office: Office) -> None:
    with office.context.database.session() as session:
        profile = factories.make_profile(session, "reviewer", password_hash="x")
        row = factories.make_reset_request(session, profile_id=profile.id)
    office.mails.message_replies.append("451 4.7.1 later")
    with pytest.raises(Exception, match="later"):
        send_reset(office.context, row.id)
    assert send_reset(office.context, row.id) and not send_reset(office.context, row.id)
    (letter,) = office.texts(profile.email)
    assert office.app.test_client().get(path_in(letter)).status_code == 200


def test_letters_are_slowed_down(office: Office) -> None:
    guest = office.app.test_client()
    codes = [guest.post("/forgotten-password", data={"email": "a@example.org"}).status_code for _ in range(11)]
    assert codes == [200] * 10 + [429]


def test_without_a_mail_server_an_admin_helps(client: FlaskClient) -> None:
    assert "Ask an admin" in client.get("/forgotten-password").text
    assert client.post("/forgotten-password", data={"email": "a@example.org"}).status_code == 404
