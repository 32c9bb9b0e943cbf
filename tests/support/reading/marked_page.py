"""A page whose words stand on coloured blocks, each exactly as large as its word: where they are can be seen."""

from __future__ import annotations

import io
import uuid
from collections.abc import Iterator

from PIL import Image
from sqlalchemy.orm import Session

from core.confined.mupdf import pymupdf
from core.models import Submission
from services.context import Context
from tests.support import factories

#: Word -> (x, y of its baseline on the sheet, colour of its block).
WORDS = {
    "Quintero": (130, 170, (1.0, 0.0, 0.0)),
    "Lakeview": (420, 420, (0.0, 0.7, 0.0)),
    "pancakes": (210, 690, (0.0, 0.0, 1.0)),
}
#: Where the paper that is shown begins and ends on the sheet.
CROP = pymupdf.Rect(55, 83, 571, 742)
_FIELDS = dict(zip(WORDS, ("student_name", "school_name", "teacher_name"), strict=True))
_FILLER = "He fixes my bike and lets me hold the wrench when we are at home on the weekend."


def marked_pdf(rotation: int) -> bytes:
    """One cropped page that is displayed turned by `rotation` degrees."""
    with pymupdf.open() as document:
        page = document.new_page(width=612, height=792)
        for y in range(230, 400, 20):
            page.insert_text((70, y), _FILLER, fontsize=11)
        for word, (x, y, _) in WORDS.items():
            page.insert_text((x, y), word, fontsize=16)
        blocks = {word[4]: pymupdf.Rect(word[:4]) for word in page.get_text("words") if word[4] in WORDS}
        for word, (x, y, colour) in WORDS.items():
            page.draw_rect(blocks[word], color=None, fill=colour)
            page.insert_text((x, y), word, fontsize=16)
        page.set_cropbox(CROP)
        page.set_rotation(rotation)
        return bytes(document.tobytes())


def make_marked_entry(context: Context, session: Session, rotation: int) -> Submission:
    """An entry of that page, without evidence yet."""
    upload = factories.make_upload(session, content_type="application/pdf", page_count=1, entry_count=1)
    upload.pdf_key = upload.storage_key
    context.store.put(upload.storage_key, marked_pdf(rotation))
    size = (CROP.width, CROP.height) if rotation in (0, 180) else (CROP.height, CROP.width)
    factories.make_page(session, upload, width=size[0], height=size[1])
    return factories.make_submission(session, upload, status="completed")


def give_evidence(session: Session, submission_id: uuid.UUID, places: dict[str, tuple[float, ...]]) -> None:
    """A field for each word, read where the word was found."""
    submission = session.get_one(Submission, submission_id)
    for word, name in _FIELDS.items():
        place = dict(zip(("x0", "y0", "x1", "y1"), places[word], strict=True))
        field = factories.make_field(session, submission, name=name, value=word, page=1, **place)
        factories.make_evidence(session, field, page=1, **place)


def fields() -> Iterator[tuple[str, tuple[float, float, float]]]:
    """(name of the field, colour of its block)"""
    for word, name in _FIELDS.items():
        yield name, WORDS[word][2]


def block_in(screenshot: bytes, colour: tuple[float, float, float]) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of what has the colour, in pixels of the picture."""
    picture = Image.open(io.BytesIO(screenshot)).convert("RGB")
    own = max(range(3), key=lambda channel: colour[channel])
    channels = picture.split()
    others = [channels[index] for index in range(3) if index != own]
    lit = channels[own].point(lambda value: 255 if value > 110 else 0)
    for other in others:
        dark = other.point(lambda value: 255 if value < 110 else 0)
        lit = Image.composite(lit, Image.new("L", lit.size), dark)
    found = lit.getbbox()
    assert found is not None, "the block is not in the picture"
    return found
