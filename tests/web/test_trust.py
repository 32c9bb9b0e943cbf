"""The page of how far the machine can be trusted; its figures are in tests/services/trust."""

from __future__ import annotations

import re

import pytest

import web.admin
from core.clock import utcnow
from core.models import AuditStratum
from services.context import Context
from services.trust.trust_view import note_drift
from tests.services.trust.test_agreement import audited as by_agreement
from tests.support import factories
from tests.support.review import desk


@pytest.fixture
def audited(context: Context) -> None:
    """A hundred and twenty entries that passed unseen and were audited, one of them wrong."""
    with context.database.session() as session:
        owner, auditor = factories.make_profile(session), factories.make_profile(session, "auditor").id
        upload = factories.make_upload(session, factories.make_batch(session, owner))
        for number in range(120):
            submission = factories.make_submission(session, upload, status="completed", chunk_index=number)
            finding = "same" if number else "auditor"
            fields = {"grade": ("4", "4" if number else "5", finding)}
            made = {"status": "settled", "typed_at": utcnow(), "settled_at": utcnow(), "auditor_id": auditor}
            audit = factories.make_audit(session, submission, fields=fields, probability=0.1, **made)
        of = {"form": audit.form, "language": audit.language, "provider": audit.provider, "band": audit.band}
        session.add(AuditStratum(season_id=audit.season_id, **of, total=120.5, seen=1200))
        desk.make_escalated(context, session)


def test_nothing_audited(signed_in) -> None:
    text = signed_in("auditor").get("/admin/trust").text
    assert "Nothing has been audited yet" in text and "entries this month to know within 3 points" in text


@pytest.mark.usefixtures("audited")
def test_precision_and_forecast(signed_in) -> None:
    text = signed_in("admin").get("/admin/trust?threshold=0.93&wanted=0.98").text
    said = " ".join(text.split())
    assert "Of the 1,200 entries completed without review, about 99.2 % have every required field right:" in said
    assert "with 95 % certainty between 95.7 % and 99.8 % (audits: 120)." in said
    assert "This is known within 3 points." in said and "No audits waiting" in said
    assert (
        "At 0.93: 99 % without review, expected precision 99.2 % [95.4–99.9], as many entries for people as now."
        in text
    )
    assert "complete_confidence=0.93" in text and "See what would change" in text
    assert "Propose this threshold" in text and "Against audits" in text


@pytest.mark.usefixtures("audited")
def test_an_auditor_changes_no_threshold(signed_in) -> None:
    text = signed_in("auditor").get("/admin/trust?threshold=0.97").text
    assert "complete_confidence" not in text
    assert "120 more entries a week for people" in text


def test_what_is_no_threshold_is_the_one_in_force(signed_in) -> None:
    for given in ("x", "-1", "0", "nan"):
        answer = signed_in("auditor").get(f"/admin/trust?threshold={given}")
        assert answer.status_code == 200 and "data-forecast" not in answer.text
    assert 'value="0.93"' in signed_in("auditor").get("/admin/trust?threshold=93").text


def test_agreement_of_two_readers_has_a_line_of_its_own(context: Context, signed_in) -> None:
    assert "two readers agree" not in signed_in("auditor").get("/admin/trust").text, "nothing has passed by it"
    season_id = by_agreement(context, wrong=3, right=9)
    said = " ".join(signed_in("admin").get("/admin/trust").text.split())
    assert "24 entries passed because the recognizer and the second reader read the same." in said
    assert "About 75.0 % have every required field right:" in said and "(audits: 12)" in said
    assert "Both readers can make the same mistake, which no check can notice." in said
    assert "the second reader made at most 7" in said
    assert "These entries are wrong too often." in said
    assert re.search(r"If two readers that agree may complete an entry: At 0.9: \d+ % without review", said)
    assert re.search(r"If they may not: At 0.9: 0 % without review", said)
    assert f"/admin/seasons/{season_id}/preview?agreed_completes=false" in said
    assert "agreed_completes=false" not in signed_in("auditor").get("/admin/trust").text


def test_the_alarm_of_agreement_leads_to_the_rule(context: Context, signed_in) -> None:
    season_id = by_agreement(context, wrong=3, right=9)
    auditor, alarm = signed_in("auditor"), "Entries completed because two readers agree are wrong too often."
    assert alarm not in auditor.get("/admin/queue").text
    note_drift(context)
    page = auditor.get("/admin/queue").text
    assert alarm in page and f'href="/admin/seasons/{season_id}#agreed_completes"' in page
    assert alarm not in auditor.get("/admin/trust").text


@pytest.mark.parametrize("role", ["uploader", "officer", "reviewer"])
def test_not_for_others(signed_in, role: str) -> None:
    assert signed_in(role).get("/admin/trust").status_code == 403


def test_the_alarm_stands_on_the_other_pages(signed_in, monkeypatch: pytest.MonkeyPatch) -> None:
    auditor = signed_in("auditor")
    alarm = "This week is different from the month before."
    assert alarm not in auditor.get("/admin/queue").text
    monkeypatch.setattr(web.admin, "has_drifted", lambda _context: True)
    pages = {
        page: alarm in auditor.get(f"/admin/{page}").text for page in ("queue", "orchestrator_stats", "trust")
    }
    # The page of trust says what has drifted itself, from the tables of now.
    assert pages == {"queue": True, "orchestrator_stats": True, "trust": False}
