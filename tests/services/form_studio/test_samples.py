"""A draft is tried on filled forms: what was read and where, nothing among the entries, nothing kept for long."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from sqlalchemy import func, select, update

from core.errors import ConflictError, InvalidInputError, LeaseLostError, NoFileError, NotFoundError
from core.models import ErasureReason, FormSample, Submission
from lab.samples.camp.collection import blank_forms, draw_half
from services.context import Context
from services.erasure.erase import erase_submissions
from services.erasure.purge import purge_expired
from services.form_studio import samples as reading
from services.form_studio.blank import read_blank, sample_picture
from services.form_studio.draft import begin_draft, change_draft, find_draft, folder_of_sample, remove_sample
from services.form_studio.samples import add_samples, find_sample, list_samples, read_sample, read_samples_again
from services.uploads.submit import IncomingFile
from tests.support.review import desk
from tests.support.site import person


@pytest.fixture
def admin(context: Context) -> uuid.UUID:
    return person(context, "admin").id


@pytest.fixture
def draft(context: Context, admin: uuid.UUID) -> uuid.UUID:
    draft_id = begin_draft(context, admin, "camp.pdf", blank_forms()["camp-blank-flat.pdf"])
    read_blank(context, draft_id)
    marks = find_draft(context, draft_id).marks
    assert marks is not None
    named = marks.model_copy(update={"key": "summer_camp", "label": "Summer camp"})
    change_draft(context, admin, draft_id, named, 1)
    return draft_id


def files_of(context: Context, draft_id: uuid.UUID, sample_id: uuid.UUID) -> list[str]:
    return list(context.store.older_keys(folder_of_sample(draft_id, sample_id), -1))


def test_no_sample_is_read_by_marks_that_would_cost_too_much(
    context: Context, admin: uuid.UUID, draft: uuid.UUID
) -> None:
    marks = find_draft(context, draft).marks
    assert marks is not None
    first = marks.fields[0].model_copy(update={"pattern": "(((a{9999}){9999}){9999})"})
    change_draft(context, admin, draft, marks.model_copy(update={"fields": (first, *marks.fields[1:])}), 2)
    filled = next(one for one in draw_half("development") if one.damage == "printed")
    (sample,) = add_samples(context, admin, draft, [IncomingFile(filled.name, filled.data)])
    with pytest.raises(ConflictError):
        read_sample(context, sample)


def test_what_is_read_and_where(context: Context, admin: uuid.UUID, draft: uuid.UUID) -> None:
    filled = next(one for one in draw_half("development") if one.damage == "printed")
    (sample,) = add_samples(context, admin, draft, [IncomingFile(filled.name, filled.data)])
    assert read_sample(context, sample) and not read_sample(context, sample)
    row = find_sample(context, draft, sample)
    assert row.result is not None and row.draft_version == 2
    (form,) = row.result.forms
    assert form.profile == "summer_camp" and len(form.fields) == 17
    name = form.fields[0]
    assert name.value == filled.values["student_name"] and name.confidence > 0.9
    (place,) = name.places
    assert place.box.x0 > 36 / 792 and place.box.x1 < 396 / 792 and 96 / 612 < place.box.cy < 138 / 612
    assert sample_picture(context, draft, row, 1)[:4] == b"RIFF"
    assert context.database.scalar(select(func.count()).select_from(Submission)) == 0
    read_samples_again(context, draft)
    assert find_sample(context, draft, sample).working


def test_samples_go(context: Context, admin: uuid.UUID, draft: uuid.UUID, monkeypatch: pytest.MonkeyPatch) -> None:
    with context.database.session() as session:
        submission = desk.make_entry(context, session, status="completed").submission.id
    with pytest.raises(NoFileError):
        add_samples(context, admin, draft, [])
    with pytest.raises(InvalidInputError):
        add_samples(context, admin, draft, [], [uuid.uuid4()])
    file = IncomingFile("a.pdf", blank_forms()["camp-blank-flat.pdf"])
    old, removed, uploaded, of_entry = add_samples(context, admin, draft, [file, file, file], [submission])
    with context.database.session() as session:
        aged = FormSample.created_at - timedelta(days=8)
        session.execute(update(FormSample).where(FormSample.id == old).values(created_at=aged))
    assert purge_expired(context).samples == 1 and files_of(context, draft, old) == []

    # Removed while it is read: nothing of it is left.
    def meanwhile(*values: object) -> object:
        remove_sample(context, draft, removed)
        return read(*values)

    read = reading._read
    monkeypatch.setattr(reading, "_read", meanwhile)
    with pytest.raises(LeaseLostError):
        read_sample(context, removed)
    assert files_of(context, draft, removed) == []
    with pytest.raises(NotFoundError):
        remove_sample(context, draft, removed)
    monkeypatch.undo()

    assert read_sample(context, of_entry)
    assert {row.id for row in list_samples(context, draft)} == {uploaded, of_entry}
    erase_submissions(context, [submission], None, ErasureReason.ASKED)
    assert list_samples(context, draft) == []
    assert files_of(context, draft, uploaded) == [] == files_of(context, draft, of_entry)
