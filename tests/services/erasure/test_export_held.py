"""An export holds all of the child, and nothing of the others of the file."""

from __future__ import annotations

import io
import json
import zipfile

from core.models import BulkChangeItem, DuplicatePair, Submission
from services.context import Context
from services.erasure.held_export import export_held
from tests.support import factories
from tests.support.erasure import child
from tests.support.erasure.scan import texts_of_pdf
from tests.support.office import make_person


def test_all_of_the_child_and_nothing_of_others(context: Context) -> None:
    child.hand_in(context, make_person(context), child.stack())
    entry = child.named(context, child.NAME)
    data = export_held(context, entry.id, make_person(context, "admin"))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    held = json.loads(files["held.json"])
    values = {row["name"]: row["value"] for row in held["submission_fields"]}
    assert values["student_name"] == child.NAME
    assert all(sentence in values["essay_text"] for sentence in child.SENTENCES)
    assert held["runs"] and held["review_events"] and held["field_evidence"] and held["orchestrator_logs"]
    shown = list(texts_of_pdf(files.pop("pages.pdf")))
    assert any(child.NAME in text for text in shown)
    everything = " ".join([*shown, *(file.decode() for file in files.values())])
    for name in child.OTHERS:
        assert name not in everything
    assert "bicycles" not in everything and "bakery" not in everything
    assert "Lo que la máquina leyó" in files["README.txt"].decode()


def test_letters_bulk_edits_new_readings_and_comparisons_are_in_it(context: Context) -> None:
    admin = make_person(context, "admin")
    child.hand_in(context, admin, child.stack())
    with context.database.session() as session:
        entry, other = (
            session.get_one(Submission, child.named(context, name).id) for name in (child.NAME, child.OTHERS[0])
        )
        factories.make_letter(session, entry, body="alone")
        factories.make_letter(session, entry, other, body="of two children")
        change = factories.make_bulk_change(session)
        session.add(BulkChangeItem(bulk_id=change.id, submission_id=entry.id, after_value="5"))
        factories.make_reread_item(session, entry, changes={"grade": ["4", "5"]})
        session.add(
            DuplicatePair(
                season_id=entry.season_id,
                first_id=other.id,
                second_id=entry.id,
                likenesses=[],
                strength="possible",
            )
        )
        entry_id, other_id = entry.id, other.id
    with zipfile.ZipFile(io.BytesIO(export_held(context, entry_id, admin))) as archive:
        held = json.loads(archive.read("held.json"))
    assert [row["body"] for row in held["letters"]] == ["alone"]
    assert len(held["letter_items"]) == 2
    assert [row["after_value"] for row in held["bulk_change_items"]] == ["5"]
    assert [row["changes"] for row in held["reread_items"]] == [{"grade": ["4", "5"]}]
    assert [row["first_id"] for row in held["duplicate_pairs"]] == [str(other_id)]
