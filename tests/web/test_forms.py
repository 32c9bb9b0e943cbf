"""The pages of the studio of forms: who may open them, two people in one draft, versions as files and in use."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from html import unescape

import pytest
from flask.testing import FlaskClient

from core.models import SecurityEvent
from pipeline.profiles import all_profiles, built_in_profiles, use_profiles
from pipeline.profiles.catalogue import FILES_ALONE
from services.context import Context
from services.form_studio.draft import find_draft
from services.forms.versions import export_toml, save_version
from tests.support.form_drafts import make_read_draft
from tests.support.site import person
from tests.support.small_form import PADDLE_DAY, files_alone_afterwards
from tests.web.conftest import Signed


@pytest.fixture(autouse=True)
def no_forms_left() -> Iterator[None]:
    with files_alone_afterwards():
        yield


@pytest.fixture
def admin(signed_in: Signed) -> FlaskClient:
    return signed_in("admin")


def test_admins_alone(signed_in: Signed) -> None:
    for role in ("reviewer", "auditor"):
        assert signed_in(role).get("/admin/forms").status_code == 403
        assert signed_in(role).post("/admin/forms/drafts").status_code == 403


def test_a_form_of_another_process_is_in_use_at_the_next_request(context: Context, admin: FlaskClient) -> None:
    save_version(context, None, PADDLE_DAY)
    use_profiles((), FILES_ALONE)
    admin.get("/admin/forms")
    assert "paddle_day" in all_profiles()


def test_the_second_gets_back_what_was_typed(context: Context, admin: FlaskClient) -> None:
    draft_id = make_read_draft(context, person(context, "admin", email="ada@example.org").id)
    address = f"/admin/forms/drafts/{draft_id}"
    typed = {"version": "1", "form-label": "Mine", "form-key": "mine", "field-0-key": "a", "field-0-zone-x0": "5"}
    assert admin.post(f"{address}/marks", data=typed).status_code == 400, "a box has four sides"
    del typed["field-0-zone-x0"]
    assert admin.post(f"{address}/marks", data={**typed, "field-0-zone": "5 6 7"}).status_code == 400
    assert admin.post(f"{address}/marks", data={**typed, "do": "remove-field-7"}).status_code == 400
    assert admin.post(f"{address}/marks", data={**typed, "form-label": "Theirs"}).status_code == 302
    refused = admin.post(f"{address}/marks", data=typed)
    assert (
        refused.status_code == 409 and 'value="Mine"' in refused.text and "has changed this draft" in refused.text
    )
    as_script = admin.post(f"{address}/marks", data=typed, headers={"Accept": "application/json"})
    assert (
        as_script.status_code == 409 and (as_script.json or {})["version"] == find_draft(context, draft_id).version
    )
    # Sent again with the version that is told, it stands; the other comes back by a step.
    again = {**typed, "version": str((as_script.json or {})["version"])}
    answer = admin.post(f"{address}/marks", data=again, headers={"Accept": "application/json"}).get_json()
    assert answer["inputs"] is None and "to fix before" in answer["problems"]
    admin.post(f"{address}/undo", data={**again, "version": str(answer["version"])})
    marks = find_draft(context, draft_id).marks
    assert marks is not None and marks.label == "Theirs"


def test_a_closed_card_keeps_its_values_in_hidden_inputs(context: Context, admin: FlaskClient) -> None:
    draft_id = make_read_draft(context, person(context, "admin", email="ada@example.org").id)
    address, before = f"/admin/forms/drafts/{draft_id}", find_draft(context, draft_id)
    page = admin.get(address).text
    kept = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page)
    typed = {name: unescape(value) for name, value in kept} | {"form-label": "Mine", "form-key": "mine"}
    assert admin.post(f"{address}/marks", data=typed).location.split("?")[-1].startswith("inputs=all")
    after = find_draft(context, draft_id)
    assert before.marks and after.marks and after.version > before.version
    assert (after.marks.fields, after.marks.printed) == (before.marks.fields, before.marks.printed)
    assert "data-kept" in page and "data-kept" not in admin.get(f"{address}?inputs=all").text


@pytest.mark.parametrize(
    "toml",
    [
        ".".join(["a"] * 40_000) + " = 1",
        "page = [0, 0]\n" + export_toml(PADDLE_DAY),
        "page = [612, nan]\n" + export_toml(PADDLE_DAY),
        f"page = [612, {'9' * 100_000}]\n" + export_toml(PADDLE_DAY),
        export_toml(PADDLE_DAY).replace("[A-Z]{2}-[0-9]{3}", "(((a{9999}){9999}){9999})"),
        export_toml(PADDLE_DAY) + "[[ignore]]\nzone = [1, 2]\n",
    ],
    ids=["keys", "no size", "no number", "digits", "pattern", "two sides"],
)
def test_a_file_that_would_break_pages_is_refused_on_the_page(admin: FlaskClient, toml: str) -> None:
    form = {"toml": (io.BytesIO(toml.encode()), "form.toml")}
    answer = admin.post("/admin/forms/import", data=form, follow_redirects=True)
    assert answer.status_code == 200 and "This" in answer.text and "imported as" not in answer.text
    assert [admin.get(page).status_code for page in ("/admin/forms", "/submissions")] == [200, 200]


def test_a_form_as_a_file_goes_into_use_and_out_of_it(context: Context, admin: FlaskClient) -> None:
    file = export_toml(PADDLE_DAY).encode()

    def sent(data: bytes) -> str:
        form = {"toml": (io.BytesIO(data), "form.toml")}
        return admin.post("/admin/forms/import", data=form, follow_redirects=True).text

    assert "This is not a form in TOML" in sent(b"key = ")
    assert "imported as version 1" in sent(file) and "paddle_day" not in all_profiles()
    assert (
        "is now in use"
        in admin.post("/admin/forms/paddle_day/bring-back", data={"version": "1"}, follow_redirects=True).text
    )
    assert "paddle_day" in all_profiles()
    with admin.get("/admin/forms/paddle_day.toml?version=1") as download:
        assert download.get_data() == file
        assert download.headers["Content-Disposition"] == "attachment; filename=paddle_day-1.toml"
    assert admin.get(f"/admin/forms/{min(built_in_profiles())}.toml").status_code == 200
    assert "out of use" in admin.post("/admin/forms/paddle_day/retire", follow_redirects=True).text
    assert "not in use" in admin.post("/admin/forms/paddle_day/retire", follow_redirects=True).text
    assert "paddle_day" not in all_profiles()
    with context.database.session() as session:
        kinds = {kind for (kind,) in session.query(SecurityEvent.kind)}
    assert {"form_saved", "form_brought_back", "form_retired"} <= kinds
