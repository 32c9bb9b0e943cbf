"""An entry whose essay was read line by line, one of them wrongly."""

from __future__ import annotations

from sqlalchemy.orm import Session

from core.confined.mupdf import pymupdf
from core.models import Submission
from services.context import Context
from tests.support import factories

LINES = [
    "My father drives the night bus through our town.",
    "When he comes home he makes pancakes for all of us",
    "and asks me what l dreamed ahout.",
    "He fixes my bike and lets me hold the wrench.",
    "He says that a good father listens first and talks later,",
    "and I want to be as patient as he is when I am grown.",
]
MISREAD, RIGHT = LINES[2], "and asks me what I dreamed about."
_WIDTH, _HEIGHT, _LEFT, _TOP, _STEP = 612.0, 792.0, 72, 120, 26


def essay_pdf() -> bytes:
    """The page as it was written."""
    with pymupdf.open() as document:
        page = document.new_page(width=_WIDTH, height=_HEIGHT)
        for number, line in enumerate(LINES):
            page.insert_text((_LEFT, _TOP + _STEP * number), RIGHT if line == MISREAD else line, fontsize=12)
        return bytes(document.tobytes())


def make_essay_entry(context: Context, session: Session, text: str = "\n".join(LINES)) -> Submission:
    """A completed entry of that page, the places of its lines as evidence."""
    upload = factories.make_upload(session, content_type="application/pdf", page_count=1, entry_count=1)
    upload.pdf_key = upload.storage_key
    context.store.put(upload.storage_key, essay_pdf())
    factories.make_page(session, upload, role="essay_page")
    submission = factories.make_submission(
        session, upload, status="completed", student_name="Marisol Quintero", school_name="Juniper", grade="4"
    )
    for name, value in (("student_name", "Marisol Quintero"), ("school_name", "Juniper"), ("grade", "4")):
        factories.make_field(session, submission, name=name, value=value)
    essay = factories.make_field(session, submission, name="essay_text", value=text, page=1)
    for number in range(len(LINES)):
        y = _TOP + _STEP * number
        factories.make_evidence(
            session, essay, ordinal=number, x0=_LEFT / _WIDTH, y0=(y - 13) / _HEIGHT, x1=0.8, y1=(y + 4) / _HEIGHT
        )
    factories.make_run(session, submission, status="settled", outcome="completed")
    return submission
