"""Freeform essays as Word files, short ones and long ones."""

from __future__ import annotations

import zipfile
from io import BytesIO
from random import Random
from xml.sax.saxutils import escape

from lab.samples.entry import draw_entry
from lab.samples.freeform_header import draw_header
from lab.samples.part import Part
from lab.samples.sample import Sample
from lab.samples.truth import Truth

_TYPES = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Override PartName="/word/document.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
_RELATIONS = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    "<Relationships "
    'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
    'Target="word/document.xml"/></Relationships>'
)
_DOCUMENT = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>{body}'
    '<w:sectPr><w:pgSz w:w="12240" w:h="15840"/><w:pgMar w:top="1440" w:right="1440" '
    'w:bottom="1440" w:left="1440"/>'
    "</w:sectPr></w:body></w:document>"
)


def draw_short(rng: Random, part: Part) -> Sample:
    """An essay that fits one page."""
    return _draw(rng, part, "docx_freeform", (70, 260), spacing=276)


def draw_long(rng: Random, part: Part) -> Sample:
    """A double-spaced essay over several pages."""
    return _draw(rng, part, "docx_freeform_multi", (420, 620), spacing=480)


def _draw(rng: Random, part: Part, kind: str, words: tuple[int, int], spacing: int) -> Sample:
    entry = draw_entry(
        rng, part, spanish_share=0.25, count=words, grades=("4", "5", "6", "7", "8", "9", "10", "11")
    )
    header = draw_header(rng, entry)
    truth = Truth(
        page_end=1 if kind == "docx_freeform" else None, optional_words=len((header.title or "").split())
    )
    truth.doc_class = "SINGLE_TYPED" if kind == "docx_freeform" else "MULTI_PAGE_SINGLE"
    for piece in (piece for piece in header.pieces if piece.field):
        truth.values[piece.field or ""] = piece.value
    if truth.values["school_name"]:
        truth.accept_school(entry)
    truth.values["essay_text"] = "\n".join(entry.essay)
    body = [_paragraph("".join(piece.text for piece in line)) for line in header.lines]
    body += [_paragraph(header.title, centred=True)] if header.title else []
    body += [_paragraph("".join(piece.text for piece in line)) for line in header.under_title]
    body += [_paragraph(text, spacing=spacing) for text in entry.essay]
    return Sample(kind, ".docx", _package("".join(body)), [truth], stem="essay")


def _paragraph(text: str, *, centred: bool = False, spacing: int = 276) -> str:
    place = '<w:jc w:val="center"/>' if centred else ""
    return (
        f'<w:p><w:pPr><w:spacing w:line="{spacing}" w:lineRule="auto"/>{place}</w:pPr>'
        f'<w:r><w:rPr><w:sz w:val="24"/></w:rPr><w:t xml:space="preserve">{escape(text)}</w:t></w:r></w:p>'
    )


def _package(body: str) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        for name, text in (
            ("[Content_Types].xml", _TYPES),
            ("_rels/.rels", _RELATIONS),
            ("word/document.xml", _DOCUMENT.format(body=body)),
        ):
            package.writestr(zipfile.ZipInfo(name, (2026, 1, 2, 3, 4, 6)), text)
    return out.getvalue()
