"""Versions of a report: compared, restored, exported."""

from __future__ import annotations

import uuid

from sqlalchemy import select

from core.models import ReportVersion
from services.context import Context
from tests.support.research.reports import document, make_files
from tests.support.research.supervisions import make_supervision


def test_any_two_are_compared(signed_in, finished: uuid.UUID) -> None:
    desk = signed_in("auditor")
    page = desk.get(f"/research/{finished}").text
    assert f'action="/research/{finished}/compare"' in page
    compared = desk.get(f"/research/{finished}/compare?from=1&to=2").text
    assert "What was found, version <del>1</del><ins>2</ins>" in compared
    assert "1 section changed" in compared
    back = desk.get(f"/research/{finished}/compare?from=2&to=1&view=side").text
    assert "version <del>2</del><ins>1</ins>" in back and '<table class="sides">' in back
    assert "No differences." in desk.get(f"/research/{finished}/compare?from=2&to=2").text
    assert desk.get(f"/research/{finished}/compare?from=1&to=9").status_code == 404


def test_restoring_is_shown_and_confirmed(signed_in, context: Context, finished: uuid.UUID) -> None:
    desk = signed_in("officer")
    path = f"/research/{finished}/versions/1/restore"
    assert f'href="{path}"' in desk.get(f"/research/{finished}").text
    asked = desk.get(path).text
    assert "No version is lost" in asked and "version <del>2</del><ins>1</ins>" in asked
    after = desk.post(path, follow_redirects=True).text
    assert "Version 1 is current again, as version 3." in after and "from version 1" in after
    with context.database.session() as session:
        made = session.get_one(ReportVersion, (finished, 3))
        assert made.document["sections"][0]["heading"] == "What was found, version 1"
        assert len(session.scalars(select(ReportVersion).where(ReportVersion.report_id == finished)).all()) == 3


def test_what_cannot_be_restored(signed_in, context: Context, finished: uuid.UUID) -> None:
    desk = signed_in("officer")
    refused = desk.post(f"/research/{finished}/versions/2/restore")
    assert refused.status_code == 400 and "This is already the current version." in refused.text
    assert desk.get(f"/research/{finished}/versions/7/restore").status_code == 404
    with context.database.session() as session:
        under_way = make_supervision(session).report_id
    late = desk.post(f"/research/{under_way}/versions/1/restore")
    assert late.status_code == 409 and "in progress" in late.text
    assert "/versions/1/restore" not in desk.get(f"/research/{under_way}").text


def test_every_version_is_exported(signed_in, context: Context, finished: uuid.UUID) -> None:
    desk = signed_in("officer")
    page = desk.get(f"/research/{finished}").text
    for number in (1, 2):
        assert f'/research/{finished}/export/markdown?version={number}"' in page
        address = f"/research/{finished}/export/markdown?version={number}"
        assert desk.get(address).status_code == 202
        make_files(context)
        with desk.get(address) as file:
            assert f"What was found, version {number}" in file.text
    assert document().title in page
