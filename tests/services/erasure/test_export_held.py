"""An export holds all of the child, and nothing of the others of the file."""

from __future__ import annotations

import io
import json
import zipfile

from services.context import Context
from services.erasure.held_export import export_held
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
