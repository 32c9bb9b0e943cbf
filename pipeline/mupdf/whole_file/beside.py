"""What a PDF holds beside its pages: files that are attached to it, and the data of a form drawn by XFA only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from core.config import FileBounds
from core.mupdf import pymupdf
from pipeline.mupdf.library import load_page
from pipeline.mupdf.plain import AttachedFile, Beside
from pipeline.mupdf.whole_file.several_on_page import Looked, looked_at
from pipeline.mupdf.whole_file.xfa import read_xfa

mupdf: Any = pymupdf.mupdf
_MOST_ATTACHMENTS = 500
#: Keys of an embedded file's stream (PDF 32000-1, table 45), the usual ones first.
_STREAMS = ("F", "UF", "Unix", "DOS", "Mac")
#: Key of the type of `Page.annot_xrefs`.
_FILE = int(mupdf.PDF_ANNOT_FILE_ATTACHMENT)
#: What the page of a portfolio says that is shown where portfolios are not.
_PORTFOLIO = re.compile(r"portfolio|acrobat|adobe reader", re.IGNORECASE)
_LONGEST_COVER = 1500
#: What the page of a dynamic form says where XFA is not drawn.
_WAITING = re.compile(r"please wait|adobe reader|acrobat|pdf viewer", re.IGNORECASE)


def beside_pages(document: pymupdf.Document, bounds: FileBounds) -> Beside:
    """Look for all of it. The streams of the document were checked against the bounds before."""
    attached = list(_attached_files(document, bounds.max_unpacked_bytes))
    catalog = document.pdf_catalog()
    is_cover = bool(attached) and _has(document, catalog, "Collection") and _says(document, _PORTFOLIO)
    is_dynamic = _is_dynamic(document, catalog)
    looked = {} if is_dynamic else _looked(document)
    return Beside(
        attached=attached,
        is_portfolio_cover=is_cover,
        is_dynamic=is_dynamic,
        form_data=read_xfa(document) if is_dynamic else [],
        sheets={number: look.sheets for number, look in looked.items() if look.sheets},
        pictured={number: look.picture for number, look in looked.items() if look.picture is not None},
    )


def _looked(document: pymupdf.Document) -> dict[int, Looked]:
    return {number: looked_at(load_page(document, number)) for number in range(1, document.page_count + 1)}


def _has(document: pymupdf.Document, xref: int, key: str) -> bool:
    return bool(document.xref_get_key(xref, key)[0] != "null")


def _says(document: pymupdf.Document, said: re.Pattern[str]) -> bool:
    """Whether the document is one short page that says this."""
    if document.page_count > 1:
        return False
    text = load_page(document, 1).get_text()
    return len(text) <= _LONGEST_COVER and bool(said.search(text))


def _is_dynamic(document: pymupdf.Document, catalog: int) -> bool:
    """Whether only a reader of XFA draws what was filled in (PDF 32000-1, 12.7.8).

    Static forms have XFA beside fields that any reader draws.
    """
    if not _has(document, catalog, "AcroForm/XFA"):
        return False
    if document.xref_get_key(catalog, "NeedsRendering")[1] == "true":
        return True
    has_fields = any(next(load_page(document, n + 1).widgets(), None) for n in range(document.page_count))
    return not has_fields and _says(document, _WAITING)


def _attached_files(document: pymupdf.Document, limit: int) -> Iterator[AttachedFile]:
    """Yield the attached files, each once; together they have at most `limit` bytes."""
    seen: set[int] = set()
    for spec in _specifications(document):
        stream = next((found for key in _STREAMS if (found := _got(spec, "EF", key)) is not None), None)
        if stream is None or mupdf.pdf_to_num(stream) in seen:
            continue
        if len(seen) >= _MOST_ATTACHMENTS:
            return
        seen.add(mupdf.pdf_to_num(stream))
        data = _unpacked(stream)
        if data is not None and len(data) > limit:
            data = None
        limit -= len(data or b"")
        yield AttachedFile(_name(spec), data)


def _specifications(document: pymupdf.Document) -> Iterator[Any]:
    """Yield the file specifications: of the whole document, and of what is pinned to its pages."""
    catalog = document.pdf_catalog()
    if _has(document, catalog, "Names/EmbeddedFiles"):
        tree = mupdf.pdf_load_name_tree(pymupdf._as_pdf_document(document), mupdf.PDF_ENUM_NAME_EmbeddedFiles)
        for place in range(mupdf.pdf_dict_len(tree)):
            yield mupdf.pdf_dict_get_val(tree, place)
    if _has(document, catalog, "AF"):
        listed = mupdf.pdf_dict_gets(_object(document, catalog), "AF")
        for place in range(mupdf.pdf_array_len(listed)):
            yield mupdf.pdf_array_get(listed, place)
    for index in range(document.page_count):
        if not _has(document, document.page_xref(index), "Annots"):
            continue
        for xref, kind, _ in load_page(document, index + 1).annot_xrefs():
            if kind == _FILE:
                yield mupdf.pdf_dict_gets(_object(document, xref), "FS")


def _object(document: pymupdf.Document, xref: int) -> Any:
    return mupdf.pdf_load_object(pymupdf._as_pdf_document(document), xref)


def _got(spec: Any, *keys: str) -> Any | None:
    """Return what is in a dictionary, and in those within it, by these keys."""
    for key in keys:
        spec = mupdf.pdf_dict_gets(spec, key)
    return spec if spec.m_internal else None


def _name(spec: Any) -> str:
    found = _got(spec, "UF") or _got(spec, "F") or _got(spec, "Desc")
    return str(mupdf.pdf_to_text_string(found)) if found is not None else ""


def _unpacked(stream: Any) -> bytes | None:
    try:
        return bytes(pymupdf.JM_BinFromBuffer(mupdf.pdf_load_stream(stream)))
    except (RuntimeError, mupdf.FzErrorBase):
        return None
