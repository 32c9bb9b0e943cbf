"""Where the files of drafts and samples are kept, and for how long."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta

FOLDER = "form-drafts"
#: How long a sample is kept after it was added.
KEPT = timedelta(days=7)
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def folder_of_draft(draft_id: uuid.UUID) -> str:
    """Return the folder of all files of a draft, its samples included."""
    return f"{FOLDER}/{draft_id}"


def blank_key(draft_id: uuid.UUID) -> str:
    """Return the key of the blank form as it was uploaded."""
    return f"{folder_of_draft(draft_id)}/blank"


def blank_pdf_key(draft_id: uuid.UUID) -> str:
    """Return the key of the blank form as a PDF."""
    return f"{folder_of_draft(draft_id)}/blank.pdf"


def blank_picture_key(draft_id: uuid.UUID, page_no: int) -> str:
    """Return the key of the picture of one page of the blank form."""
    return f"{folder_of_draft(draft_id)}/page-{page_no}.webp"


def folder_of_sample(draft_id: uuid.UUID, sample_id: uuid.UUID) -> str:
    """Return the folder of all files of a sample."""
    return f"{folder_of_draft(draft_id)}/samples/{sample_id}"


def sample_key(draft_id: uuid.UUID, sample_id: uuid.UUID) -> str:
    """Return the key of a sample as it was uploaded."""
    return f"{folder_of_sample(draft_id, sample_id)}/original"


def sample_pdf_key(draft_id: uuid.UUID, sample_id: uuid.UUID) -> str:
    """Return the key of a sample as a PDF."""
    return f"{folder_of_sample(draft_id, sample_id)}/pages.pdf"


def named_in(key: str) -> set[str]:
    """Return the ids of the draft and of the sample that a file is of."""
    return set(_ID.findall(key))
