"""One drawn file: its bytes, its name, and the truth about the entries in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from core.confined.mupdf import pymupdf
from lab.samples.tounicode import rewrite, to_common
from lab.samples.truth import Truth


@dataclass
class Sample:
    """A file of the corpus."""

    kind: str
    suffix: str
    data: bytes
    truths: list[Truth]
    #: How the writer or the office named it; the corpus puts a number before it.
    stem: str = "entry"
    #: Sheets between entries that nobody wrote on.
    blank_pages: list[int] = field(default_factory=list)
    #: The part of the corpus that it belongs to, if any.
    part: str | None = None
    #: What its label says beside that: `no_entry`, texts that no value may hold; `may_refuse`, whether refusing
    #: the file in words is fair; `may_repeat`, whether an entry that is there twice is.
    fair: dict[str, Any] = field(default_factory=dict)


def to_bytes(doc: pymupdf.Document, rng: Random) -> bytes:
    """The finished PDF, equal for equal drawings."""
    doc.subset_fonts()
    doc.set_metadata({"producer": rng.choice(("Quill 4.2", "Print Service 12", "Folio PDF")), "title": "Untitled"})
    return rewrite(doc.tobytes(garbage=4, deflate=True, no_new_id=True), to_common)
