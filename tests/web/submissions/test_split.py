"""The form that corrects a split, as a browser without scripts sends it."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient
from sqlalchemy import select
from werkzeug.datastructures import MultiDict

from core.models import Submission, Upload, UploadSplit
from services.context import Context
from services.uploads.submissions import analyse_upload
from tests.support import factories
from tests.support.reading.stacks import make_stack, marks_of


@pytest.fixture
def stack(context: Context) -> tuple[Upload, list[Submission]]:
    with context.database.session() as session:
        return make_stack(context, session, [(1, 2), (3, 3)])


@pytest.fixture
def client(signed_in) -> FlaskClient:
    return signed_in("reviewer")


def form_of(page: str) -> MultiDict[str, str]:
    """The form's fields as they stand in the page."""
    form = MultiDict[str, str]()
    for tag in re.findall(r"<input[^>]*>", page.partition("data-split")[2]):
        name, value = re.search(r'name="([^"]+)"', tag), re.search(r'value="([^"]*)"', tag)
        # The token is another each second; it is not asked for here.
        if name and name[1] != "csrf_token" and ("checkbox" not in tag or " checked" in tag):
            form.add(name[1], value[1] if value else "on")
    for name, options in re.findall(r'<select name="([^"]+)">(.*?)</select>', page, flags=re.DOTALL):
        form.add(name, re.findall(r'value="(\d+)" selected', options)[0])
    return form


def test_the_page_shows_what_stands(client: FlaskClient, stack: tuple[Upload, list[Submission]]) -> None:
    form = form_of(client.get(f"/uploads/{stack[0].id}/split").text)
    assert form.getlist("file") == [str(stack[0].id)]
    assert [form[f"entry-0-{number}"] for number in (1, 2, 3)] == ["1", "1", "2"]
    assert [form[f"order-0-{number}"] for number in (1, 2, 3)] == ["1", "2", "1"]
    assert {form[f"version-{entry.id}"] for entry in stack[1]} == {"1"}


def test_looking_changes_nothing(
    client: FlaskClient, stack: tuple[Upload, list[Submission]], context: Context
) -> None:
    url = f"/uploads/{stack[0].id}/split"
    form = form_of(client.get(url).text)
    assert "Nothing has been changed yet." in client.post(url, data=form).text
    form["entry-0-2"] = "2"
    form["order-0-2"], form["order-0-3"] = "1", "2"
    page = client.post(url, data=form).text
    assert "2 entries will be replaced: Marisol Quintero, Tomas Alder. 2 new entries will be read." in page
    assert form_of(page).to_dict(flat=False) == form.to_dict(flat=False)
    assert context.database.scalars(select(UploadSplit.id)) == []


def test_saving_and_taking_back(
    client: FlaskClient, stack: tuple[Upload, list[Submission]], context: Context
) -> None:
    url = f"/uploads/{stack[0].id}/split"
    form = form_of(client.get(url).text)
    wanted = {"entry-0-3": "1", "order-0-3": "1", "order-0-1": "2", "turn-0-3": "180", "out-0-2": "on"}
    for name, value in {**wanted, "do": "save"}.items():
        form[name] = value
    page = client.post(url, data=form, follow_redirects=True).text
    assert "Saved. The new entry is being read." in page
    split = context.database.one(select(UploadSplit))
    assert split.made_upload_id is not None
    analyse_upload(context, split.made_upload_id)
    assert marks_of(context, split.made_upload_id) == ["A3", "A1"]
    page = client.get(url).text
    assert form_of(page)["entry-1-1"] == "1" and "out-0-2" in form_of(page)
    page = client.post(f"/splits/{split.id}/undo", data={"next": url}, follow_redirects=True).text
    assert "Undone. 2 entries are restored." in page
    assert [form_of(page)[f"entry-0-{number}"] for number in (1, 2, 3)] == ["1", "1", "2"]


def test_another_file_is_added_to_the_plan(client: FlaskClient, context: Context) -> None:
    with context.database.session() as session:
        batch = factories.make_batch(session)
        first, _ = make_stack(context, session, [(1, 1), (2, 2)], batch)
        second, _ = make_stack(context, session, [(1, 1)], batch, mark="B", position=1)
    url = f"/uploads/{first.id}/split"
    form = form_of(client.get(url).text)
    form["entry-0-2"] = "1"
    form["order-0-2"] = "2"
    form["do"] = "add"
    form["add"] = str(second.id)
    added = form_of(client.post(url, data=form).text)
    assert added.getlist("file") == [str(first.id), str(second.id)]
    assert [added["entry-0-1"], added["entry-0-2"], added["entry-1-1"]] == ["1", "1", "2"]
    assert sum(key.startswith("version-") for key in added) == 3


def test_who_comes_second_keeps_the_plan(
    client: FlaskClient, stack: tuple[Upload, list[Submission]], context: Context
) -> None:
    url = f"/uploads/{stack[0].id}/split"
    form = form_of(client.get(url).text)
    form["entry-0-2"] = "7"
    form["do"] = "save"
    with context.database.session() as session:
        colleague = factories.make_profile(session, "reviewer", display_name="Robin Marsh")
        session.get_one(Submission, stack[1][0].id).version = 2
        factories.make_event(session, stack[1][0], kind="edited", actor_id=colleague.id)
    answer = client.post(url, data=form)
    assert answer.status_code == 409 and "Value changed by Robin Marsh" in answer.text
    again = form_of(answer.text)
    assert [again[f"entry-0-{number}"] for number in (1, 2, 3)] == ["1", "3", "2"]
    again["do"] = "save"
    assert client.post(url, data=again).status_code == 302


@pytest.mark.parametrize(("field", "value"), [("entry-0-2", "x"), ("turn-0-2", "45"), ("order-0-2", "")])
def test_what_does_not_fit_is_said(
    client: FlaskClient, stack: tuple[Upload, list[Submission]], field: str, value: str
) -> None:
    url = f"/uploads/{stack[0].id}/split"
    form = form_of(client.get(url).text)
    form[field] = value
    answer = client.post(url, data=form)
    assert answer.status_code == 400 and "Page 2:" in answer.text


def test_a_file_without_entries_has_no_page(client: FlaskClient, context: Context) -> None:
    with context.database.session() as session:
        upload = factories.make_upload(session, status="stored")
    assert client.get(f"/uploads/{upload.id}/split").status_code == 404


def test_a_script_is_told_what_saving_would_do(
    client: FlaskClient, stack: tuple[Upload, list[Submission]]
) -> None:
    url = f"/uploads/{stack[0].id}/split"
    form = form_of(client.get(url).text)
    form["out-0-3"] = "on"
    answer = client.post(url, data=form, headers={"Accept": "application/json"})
    assert answer.json["preview"].split(". ") == [
        "One entry will be replaced: Tomas Alder",
        "One page will be left out",
        "One entry stays as it is.",
    ]


def test_a_superseded_entry_leads_to_what_replaced_it(
    client: FlaskClient, stack: tuple[Upload, list[Submission]], context: Context
) -> None:
    url = f"/uploads/{stack[0].id}/split"
    form = form_of(client.get(url).text)
    form["entry-0-2"] = "2"
    form["order-0-2"], form["order-0-3"] = "1", "2"
    form["do"] = "save"
    client.post(url, data=form)
    made = context.database.one(select(UploadSplit.made_upload_id))
    assert made is not None
    analyse_upload(context, made)
    new = context.database.scalars(select(Submission.id).where(Submission.upload_id == made))
    page = client.get(f"/submissions/{stack[1][0].id}").text
    assert "corrected the split of its file" in page
    assert all(f"/submissions/{found}" in page for found in new) and url in page
