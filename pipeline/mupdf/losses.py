"""Check whether a PDF that MuPDF had to repair has lost objects that its pages need."""

from __future__ import annotations

import re

from core.errors import DamagedDocumentError
from core.mupdf import pymupdf
from pipeline.mupdf.library import Data

_REFERENCE = re.compile(r"(?<!\d)(\d++) \d++ R\b")
_OBJECT = re.compile(rb"(?:^|[\r\n\s])\d+ \d+ obj\b")


def check_losses(document: pymupdf.Document, data: Data) -> None:
    """Raise DamagedDocumentError if the file ends within an object or refers to a missing one."""
    if not document.is_repaired:
        return
    if _ends_within_object(data):
        raise DamagedDocumentError("it ends in the middle of an object")
    waiting = [document.page_xref(index) for index in range(document.page_count)]
    waiting += _references(document.xref_get_key(document.pdf_catalog(), "AcroForm")[1])
    seen: set[int] = set()
    while waiting:
        xref = waiting.pop()
        if xref in seen:
            continue
        seen.add(xref)
        source = document.xref_object(xref, compressed=True) if 0 < xref < document.xref_length() else ""
        if source in ("", "null"):
            raise DamagedDocumentError(f"object {xref} is gone")
        waiting += _references(source)


def _references(source: str) -> list[int]:
    return [int(number) for number in _REFERENCE.findall(source)]


def _ends_within_object(data: Data) -> bool:
    """Whether the file ends within its last object; a cut in the cross-reference stream after it loses nothing."""
    starts = [match.start() for match in _OBJECT.finditer(data)]
    if not starts:
        return True
    last = bytes(data[starts[-1] :])
    return b"endobj" not in last and b"/XRef" not in last[:1024]
