"""Files of several entries, as their analysis left them: each page says which file and number it is."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.confined.mupdf import pymupdf
from core.models import Submission, Upload, UploadBatch, UploadSplit
from services.context import Context
from services.uploads.split import PlannedEntry, PlannedPage
from tests.support import factories
from tests.support.review import desk

NAMES = ("Marisol Quintero", "Tomas Alder", "Ines Calloway", "Jonah Birch")


def stack_pdf(mark: str, pages: int) -> bytes:
    """Pages with a short form each; the mark and the number stand on them."""
    with pymupdf.open() as document:
        for number in range(1, pages + 1):
            page = document.new_page(width=612, height=792)
            page.insert_text((60, 55), f"What my father means to me {mark}{number}", fontsize=18)
            page.insert_text((60, 90), f"Student's Name: {NAMES[number % len(NAMES)]}", fontsize=12)
            page.insert_textbox(pymupdf.Rect(60, 220, 550, 560), desk.ESSAY, fontsize=12, lineheight=1.5)
        return bytes(document.tobytes())


def make_stack(
    context: Context,
    session: Session,
    entries: Sequence[tuple[int, int]],
    batch: UploadBatch | None = None,
    mark: str = "A",
    status: str = "completed",
    **values: Any,
) -> tuple[Upload, list[Submission]]:
    """A file with an entry for each (first, last) page."""
    count = max(last for _, last in entries)
    upload = factories.make_upload(
        session,
        batch,
        **{"original_filename": f"stack {mark}.pdf", "page_count": count, "entry_count": len(entries), **values},
    )
    upload.pdf_key = upload.storage_key
    context.store.put(upload.storage_key, stack_pdf(mark, count))
    for number in range(1, count + 1):
        factories.make_page(session, upload, page_no=number)
    made = [
        factories.make_submission(
            session,
            upload,
            chunk_index=index,
            page_start=first,
            page_end=last,
            status=status,
            student_name=NAMES[index % len(NAMES)],
        )
        for index, (first, last) in enumerate(entries)
    ]
    return upload, made


def planned(*pages: tuple[Upload, int] | tuple[Upload, int, int]) -> PlannedEntry:
    """An entry of (file, page) or (file, page, rotation)."""
    return PlannedEntry(tuple(PlannedPage(page[0].id, *page[1:]) for page in pages))


def marks_of(context: Context, upload_id: uuid.UUID) -> list[str]:
    """The marks of a file's pages, in order."""
    key = context.database.one(select(Upload.pdf_key).where(Upload.id == upload_id))
    assert key is not None
    with pymupdf.open("pdf", context.store.get(key)) as document:
        return [page.get_text().split("means to me ")[1].split()[0] for page in document]


def versions_of(entries: Sequence[Submission]) -> dict[uuid.UUID, int]:
    """The versions as a page showed them."""
    return {entry.id: entry.version for entry in entries}


def split_of(context: Context, split_id: uuid.UUID) -> UploadSplit:
    """The row of a correction as it stands."""
    return context.database.get_one(UploadSplit, split_id)
