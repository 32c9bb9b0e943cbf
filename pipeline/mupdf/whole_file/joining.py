"""Append the pages of one PDF to another, form fields included."""

from __future__ import annotations

from core.mupdf import pymupdf
from pipeline.mupdf.library import load_page

#: Parents of a field that are gone through, in case they refer to one another.
_MOST_PARENTS = 32


def append_pages(made: pymupdf.Document, document: pymupdf.Document) -> None:
    """Append all pages of a document, which is changed in memory."""
    if not document.is_form_pdf:
        _list_fields(document)
    made.insert_pdf(document)


def _list_fields(document: pymupdf.Document) -> None:
    """List the fields of pages whose document lists none: PyMuPDF copies those of a form only.

    Preview and other programs save forms so, and readers display them.
    """
    fields: dict[int, None] = {}
    for number in range(1, document.page_count + 1):
        for xref, kind, _ in load_page(document, number).annot_xrefs():
            if kind == pymupdf.mupdf.PDF_ANNOT_WIDGET:
                fields[_root(document, xref)] = None
    if fields:
        listed = " ".join(f"{xref} 0 R" for xref in fields)
        document.xref_set_key(document.pdf_catalog(), "AcroForm", f"<</Fields[{listed}]>>")


def _root(document: pymupdf.Document, xref: int) -> int:
    for _ in range(_MOST_PARENTS):
        kind, value = document.xref_get_key(xref, "Parent")
        if kind != "xref":
            break
        xref = int(value.split()[0])
    return xref
