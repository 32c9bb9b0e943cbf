"""The pages of the seasons: a change is looked at first, made by an admin, told with its author and taken back."""

from __future__ import annotations

import re
import uuid

import pytest
from werkzeug.datastructures import MultiDict

from core.models import Season
from pipeline.validation.policy import DEFAULT_REQUIRED, Policy
from services.context import Context
from services.policy import rules_of
from tests.pipeline.orchestrator.test_recorded import logged
from tests.support import factories
from tests.support.reading.orchestration import entry, read
from web.admin.seasons import agreement_hint, sent_again, sent_changes


@pytest.fixture
def season(context: Context) -> str:
    """The address of a season with an entry that was completed at 0.97."""
    with context.database.session() as session:
        row = factories.make_run(session, factories.make_submission(session, status="completed"))
        sure = entry(student_name=read("Marisol Vega", 0.95))
        factories.make_log(session, row, trace_json=logged(sure, Policy()))
        return f"/admin/seasons/{row.season_id}"


def rules(context: Context) -> dict[str, object]:
    with context.database.session() as session:
        return rules_of(session.query(Season).filter_by(is_current=True).one())


def hidden(page: str, action: str) -> dict[str, list[str]]:
    """The hidden fields of the form that is sent there."""
    form = re.search(rf'<form method="post" action="{action}".*?</form>', page, re.DOTALL)
    assert form is not None
    found = MultiDict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', form[0]))
    return {name: values for name, values in found.lists() if name != "csrf_token"}


def test_a_change_is_looked_at_made_and_taken_back(context: Context, signed_in, season: str) -> None:
    client = signed_in("admin")
    page = client.get(f"{season}/preview?complete_confidence=0.98").text
    assert "Would change" in page and re.search(r"Completed without review, after</dt><dd>0 ", page)
    assert "Proposals are looked for" in page and rules(context) == {}
    sent = hidden(page, f"{season}/rules")
    assert sent == {"version": ["1"], "complete_confidence": ["0.98"]}
    told = client.post(f"{season}/rules", data=sent, follow_redirects=True).text
    assert "The rules were changed" in told and "Admin" in told and rules(context) == {"complete_confidence": 0.98}
    undo = re.search(rf'action="({season}/changes/[^"]+/undo)"', told)
    assert undo is not None
    assert "The change was undone" in client.post(undo[1], follow_redirects=True).text
    assert rules(context) == {}
    assert "Changed the rules of a season" in client.get("/admin/events").text


def test_the_rule_on_agreement_says_when_it_has_no_effect(context: Context, signed_in, season: str) -> None:
    client, idle = signed_in("admin"), "No vision model is set up, so the rule has no effect now."
    assert idle in client.get(season).text
    page = client.get(f"{season}/preview?agreed_completes=false").text
    assert idle in page and "Two readers that agree may complete an entry" in page
    assert idle not in client.get(f"{season}/preview?auto_complete=false").text
    client.post(f"{season}/rules", data=hidden(page, f"{season}/rules"))
    assert rules(context) == {"agreed_completes": False}
    seeing = {"vision_model": "seer", "vision_base_url": "http://localhost:1"}
    assert idle not in agreement_hint(context.settings.model_copy(update=seeing))


def test_the_whole_form_of_a_season_changes_nothing_by_itself(context: Context, signed_in, season: str) -> None:
    client = signed_in("admin")
    given = {"given": ["required", "required_by_form", "form_profiles"], "form_profiles": ["ifi_2026"]}
    differs = {"differs": "SINGLE_SCANNED", "form_differs": "ifi_2022", "required_by_form.ifi_2022": ["phone"]}
    client.post(f"{season}/rules", data={"min_essay_words": "40", **given, **differs})
    assert rules(context) == {
        "min_essay_words": 40,
        "required": {"SINGLE_SCANNED": []},
        "required_by_form": {"ifi_2022": ["phone"]},
        "form_profiles": ["ifi_2026"],
    }
    page = client.get(season).text
    form = re.search(rf'action="{season}/preview".*?</form>', page, re.DOTALL)
    assert form is not None
    sent = [(name, "") for name in re.findall(r'<(?:input|select) id="\w+" name="(\w+)"', form[0])]
    sent = [(name, "40" if name == "min_essay_words" else value) for name, value in sent]
    sent += re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', form[0])
    sent += re.findall(r'type="checkbox" name="([^"]+)" value="([^"]*)" checked', form[0])
    assert len(sent) > 12
    assert "these are already the rules" in client.get(f"{season}/preview", query_string=sent).text


def test_who_accepts_what_as_it_is(context: Context, signed_in, season: str) -> None:
    client = signed_in("admin")
    sent = {"waived_by": "admins", "given": "may_stay_empty", "may_stay_empty": ["grade", "phone"]}
    told = client.post(f"{season}/rules", data=sent, follow_redirects=True).text
    assert rules(context) == {"waived_by": "admins", "may_stay_empty": ["grade", "phone"]}
    assert '<option value="admins" selected>Admins</option>' in told and "Grade, Phone" in told
    assert client.post(f"{season}/rules", data={"waived_by": "anybody"}).status_code == 400
    client.post(f"{season}/rules", data={"waived_by": "", "given": "may_stay_empty"})
    assert rules(context) == {}


def test_two_admins_at_once(context: Context, signed_in, season: str) -> None:
    client = signed_in("admin")
    assert client.post(f"{season}/rules", data={"version": "1", "max_steps": "4"}).status_code == 302
    late = client.post(f"{season}/rules", data={"version": "1", "max_steps": "3"})
    assert late.status_code == 409 and "have changed since you opened this page" in late.text
    assert rules(context) == {"max_steps": 4}


def test_nonsense_is_told_and_changes_nothing(context: Context, signed_in, season: str) -> None:
    client = signed_in("admin")
    for answer in (
        client.get(f"{season}/preview?complete_confidence=much"),
        client.post(f"{season}/rules", data={"complete_confidence": "7"}),
    ):
        assert answer.status_code == 400 and "This value is not allowed" in answer.text
    assert client.get(f"/admin/seasons/{uuid.uuid4()}/preview?max_steps=3").status_code == 404
    assert rules(context) == {}


def test_closing_opening_and_the_next(context: Context, signed_in, season: str) -> None:
    client = signed_in("admin")
    assert "Closed, shown" in client.post(f"{season}/close", follow_redirects=True).text
    assert client.post(f"{season}/close").status_code == 409
    assert "The season is open" in client.post(f"{season}/open", follow_redirects=True).text
    begun = client.post(f"{season}/roll-over", data={"name": "Autumn 2027"}, follow_redirects=True).text
    assert "<h1>Autumn 2027</h1>" in begun and "Autumn 2027" in client.get("/admin/seasons").text
    refused = client.post(f"{season}/roll-over", data={"name": "Autumn 2027"})
    assert refused.status_code == 400 and 'value="Autumn 2027"' in refused.text


def test_an_auditor_looks_and_changes_nothing(context: Context, signed_in, season: str) -> None:
    client = signed_in("auditor")
    assert "See what would change" not in client.get(season).text
    page = client.get(f"{season}/preview?min_essay_words=500").text
    assert "An admin can make this change." in page and "Change the rules" not in page


def test_what_a_form_sends() -> None:
    assert sent_changes(MultiDict()) == {}
    assert sent_changes(MultiDict({"complete_confidence": " ", "page": "2"})) == {"complete_confidence": None}
    boxes = MultiDict(
        [
            ("given", "default_required"),
            ("given", "required"),
            *(("default_required", f) for f in DEFAULT_REQUIRED),
        ]
    )
    assert sent_changes(boxes) == {"default_required": None, "required": None}
    assert sent_changes(MultiDict({"default_required": "grade"})) == {"default_required": ["grade"]}
    by_class = MultiDict([("given", "required"), ("differs", "SINGLE_TYPED"), ("required.SINGLE_TYPED", "grade")])
    assert sent_changes(by_class) == {"required": {"SINGLE_TYPED": ["grade"]}}
    assert sent_changes(MultiDict(sent_again(by_class))) == sent_changes(by_class)
    assert sent_again(MultiDict({"page": "2", "csrf_token": "x"})) == []


def test_what_still_waits_is_said_before_the_next_season_and_found_after_it(
    context: Context, signed_in, season: str
) -> None:
    with context.database.session() as session:
        for status, number in (("escalated", 1), ("suggested", 2), ("queued", 3)):
            factories.make_submission(session, status=status, student_name=f"Waiting {number}")
        factories.make_submission(session, status="completed", student_name="Done Already")
    client, season_id = signed_in("admin"), season.rpartition("/")[2]
    page = client.get(season).text
    assert (
        "2 entries in this season are still waiting for a person." in page
        and "1 entry is still being read." in page
    )
    client.post(f"{season}/roll-over", data={"name": "The next one"})
    entries = client.get("/submissions").text
    assert "Waiting 1" not in entries
    assert "2 entries are still waiting for a person in the season" in entries
    old = client.get(f"/submissions?season={season_id}").text
    assert "Waiting 1" in old and "Done Already" in old and 'name="entry"' not in old
    assert "No school" in client.get(f"/submissions/by-school?season={season_id}").text
    assert "No entries yet." in client.get("/submissions/by-school").text
    for unknown in (uuid.uuid4(), "nonsense"):
        assert client.get(f"/submissions?season={unknown}").status_code == 404


def test_a_season_with_nothing_left_says_so(context: Context, signed_in, season: str) -> None:
    assert "No entries in this season are waiting for a person." in signed_in("admin").get(season).text
