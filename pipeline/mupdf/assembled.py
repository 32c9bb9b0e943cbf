"""Assemble one PDF from pages of several, in any order, optionally turned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from core.confined.children import confined
from core.errors import EmptyDocumentError
from core.mupdf import pymupdf
from pipeline.mupdf.library import load_page, open_document, own_errors
from pipeline.mupdf.whole_file.joining import append_pages


class Leaf(NamedTuple):
    """Page `number` (from 1) of the part at `part`, turned clockwise by `rotation` degrees."""

    part: int
    number: int
    rotation: int


def join_pdfs(parts: Sequence[bytes]) -> bytes:
    """Return one PDF with the pages of all parts in order, form fields included.

    A single part is returned unchanged. Raises EmptyDocumentError when there is none, and what `assemble` raises.
    """
    if not parts:
        raise EmptyDocumentError("no files")
    return parts[0] if len(parts) == 1 else _joined(parts)


@confined
def _joined(parts: Sequence[bytes]) -> bytes:
    with pymupdf.open() as joined, own_errors("the files cannot be joined"):
        for part in parts:
            with open_document(part) as document:
                append_pages(joined, document)
        return bytes(joined.tobytes(garbage=3, deflate=True))


@confined
def assemble(parts: Sequence[bytes], leaves: Sequence[Leaf]) -> bytes:
    """Return the leaves as one PDF, form fields included; the parts are not changed.

    Raises DamagedDocumentError for a missing page, EncryptedDocumentError, TooCostlyError.
    """
    starts = [0]
    for part in parts:
        with open_document(part) as document:
            starts.append(starts[-1] + document.page_count)
    with open_document(join_pdfs(parts)) as joined:
        wanted = [starts[leaf.part] + leaf.number for leaf in leaves]
        for number, leaf in zip(wanted, leaves, strict=True):
            page = load_page(joined, number)
            page.set_rotation((page.rotation + leaf.rotation) % 360)
        joined.select([number - 1 for number in wanted])
        return bytes(joined.tobytes(garbage=3, deflate=True))
