"""Assemble one PDF from pages of several, in any order, optionally turned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pipeline.files.intake import join_pdfs
from pipeline.files.pdf import load_page, open_pdf


class Leaf(NamedTuple):
    """Page `number` (from 1) of the part at `part`, turned clockwise by `rotation` degrees."""

    part: int
    number: int
    rotation: int


def assemble(parts: Sequence[bytes], leaves: Sequence[Leaf]) -> bytes:
    """Return the leaves as one PDF, form fields included; the parts are not changed.

    Raises DamagedDocumentError for a missing page, EncryptedDocumentError.
    """
    starts = [0]
    for part in parts:
        with open_pdf(part) as document:
            starts.append(starts[-1] + document.page_count)
    with open_pdf(join_pdfs(parts)) as joined:
        wanted = [starts[leaf.part] + leaf.number for leaf in leaves]
        for number, leaf in zip(wanted, leaves, strict=True):
            page = load_page(joined, number)
            page.set_rotation((page.rotation + leaf.rotation) % 360)
        joined.select([number - 1 for number in wanted])
        return bytes(joined.tobytes(garbage=3, deflate=True))
