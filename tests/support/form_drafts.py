"""A draft of a form with samples in every state, for tests that look at its pages."""

from __future__ import annotations

import uuid

from core.models import FormDraft
from lab.samples.camp.collection import blank_forms
from pipeline.pages.page_model import Box
from services.context import Context
from services.form_studio.blank import read_blank
from services.form_studio.draft import begin_draft, sample_pdf_key
from services.form_studio.samples import ReadField, ReadForm, ReadPage, ReadPlace, SampleResult
from tests.support import factories


def make_read_draft(context: Context, actor_id: uuid.UUID) -> uuid.UUID:
    """Make a draft whose blank is read; return its id."""
    blank = blank_forms()["camp-blank-flat.pdf"]
    draft_id = begin_draft(context, actor_id, "camp.pdf", blank)
    assert read_blank(context, draft_id)
    place = ReadPlace(page=1, box=Box(0.06, 0.18, 0.4, 0.22))
    field = ReadField(name="student_name", value="Theo Novak", confidence=0.9, method="zone", places=(place,))
    nothing = ReadField(name="city", value=None, confidence=0.0, method="")
    form = ReadForm(profile="", page_start=1, page_end=1, fields=(field, nothing))
    result = SampleResult(pages=(ReadPage(number=1, width=792, height=612),), forms=(form,))
    with context.database.session() as session:
        draft = session.get_one(FormDraft, draft_id)
        done = factories.make_form_sample(
            session, draft, status="done", result=result.model_dump(mode="json"), draft_version=0
        )
        factories.make_form_sample(session, draft, status="running", original_filename="hand.png")
        factories.make_form_sample(session, draft, status="failed", error_code="storage_error")
        done_id = done.id
    context.store.put(sample_pdf_key(draft_id, done_id), blank)
    return draft_id
