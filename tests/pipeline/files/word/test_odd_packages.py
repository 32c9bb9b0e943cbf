"""Packages that nothing sane has written: they are read or refused with a typed error, and never crash."""

import contextlib
import io
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.config import load_settings
from core.errors import AppError, DamagedDocumentError, NotADocumentError
from pipeline.files.content_type import DOCX, content_type
from pipeline.files.word.document import docx_to_pdf
from tests.support.reading.documents import docx, paragraph, rewritten, with_relations

BOUNDS = load_settings().file_bounds
#: Elements that are looked into, in places where the format allows none of them.
TAGS = (
    "w:p", "w:r", "w:t", "w:tbl", "w:tr", "w:tc", "w:sdt", "w:sdtPr", "w:sdtContent", "w:showingPlcHdr",
    "w:fldChar", "w:fldSimple", "w:instrText", "w:ffData", "w:ddList", "w:checkBox", "w:drawing", "w:pict",
    "w:object", "w:txbxContent", "wp:anchor", "wp:inline", "wp:positionV", "wp:posOffset", "a:blip",
    "a:srcRect", "pic:pic", "pic:blipFill", "pic:spPr", "a:xfrm", "v:imagedata", "v:textpath", "v:shape",
    "mc:AlternateContent", "mc:Choice", "mc:Fallback", "m:oMath", "m:oMathPara", "m:t", "w:altChunk",
    "w:subDoc", "w:sectPr", "w:headerReference", "w:pPr", "w:rPr", "w:vanish", "w:strike", "w:del", "w:ins",
    "w:moveFrom", "w:framePr", "w:ruby", "w:rubyBase", "w:sym", "w:br", "w:ptab", "w:noBreakHyphen", "w:bdo",
    "w:hyperlink", "dgm:relIds", "w:footnoteReference", "w:pageBreakBefore", "w:body",
)  # fmt: skip
ATTRIBUTES = (
    'w:fldCharType="begin"', 'w:fldCharType="separate"', 'w:fldCharType="end"', 'w:val="9999999999"', 'w:val=""',
    'r:id="rId8"', 'r:embed="rId8"', 'w:type="page"', 'l="99999"', 'rot="x"', 'w:char="zz"', 'w:id="2"',
    'cropleft="1f"',
    'Requires="wps"', 'string="Ana"', 'w:dropCap="drop"', 'style="position:absolute;margin-top:1e999pt"',
)  # fmt: skip
LEAVES = st.sampled_from(["", "Ana Bell", "&#x5D3;", "\ue5cc"])


def element(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    attributes = st.lists(st.sampled_from(ATTRIBUTES), max_size=2, unique_by=lambda said: said.split("=")[0])
    return st.builds(
        lambda tag, said, content: f"<{tag} {' '.join(said)}>{''.join(content)}</{tag}>",
        st.sampled_from(TAGS),
        attributes,
        st.lists(inner, max_size=4),
    )


@given(
    st.lists(st.recursive(LEAVES, element, max_leaves=25), max_size=4),
    st.sampled_from(["image", "aFChunk", "header"]),
)
@settings(max_examples=150, deadline=None)
def test_elements_in_odd_places(content: list[str], kind: str) -> None:
    data = with_relations(
        "".join(content) + paragraph("Essay"), {"rId8": f"{kind} odd.xml"}, {"odd.xml": "<w:p/>"}
    )
    with contextlib.suppress(AppError):
        assert docx_to_pdf(data, BOUNDS).pdf.startswith(b"%PDF-")


@given(st.binary(max_size=300), st.sampled_from(["[Content_Types].xml", "_rels/.rels", "word/document.xml"]))
@settings(max_examples=40, deadline=None)
def test_parts_of_rubbish(rubbish: bytes, part: str) -> None:
    data = rewritten(docx(paragraph("Essay")), lambda name, was: (name, rubbish if name == part else was))
    with contextlib.suppress(AppError):
        if content_type(data) == DOCX:
            docx_to_pdf(data, BOUNDS)


def test_a_file_within_itself_ends() -> None:
    data = docx(paragraph("Inner"))
    for _ in range(5):
        data = with_relations(
            '<w:altChunk r:id="rId8"/>' + paragraph("Outer"), {"rId8": "aFChunk a.docx"}, {"a.docx": data}
        )
    assert [note.code for note in docx_to_pdf(data, BOUNDS).notes] == ["UNREAD_CONTENT"]


def test_fields_within_fields_without_end() -> None:
    begin = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
    end = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    assert docx_to_pdf(docx(f"<w:p>{begin * 3000}{end * 3000}</w:p>" + paragraph("Essay")), BOUNDS).notes == []


def test_a_spreadsheet_is_no_word_file() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("xl/workbook.xml", "<workbook/>")
    with pytest.raises(NotADocumentError):
        content_type(out.getvalue())


@pytest.mark.parametrize("kind", ["document.macroEnabled", "template.macroEnabledTemplate"])
def test_templates_and_files_with_macros_are_read(kind: str) -> None:
    was = b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    data = rewritten(
        docx(paragraph("Ana Bell")),
        lambda name, part: (name, part.replace(was, b"application/vnd.ms-word." + kind.encode() + b".main+xml")),
    )
    assert content_type(data) == DOCX
    assert docx_to_pdf(data, BOUNDS).pdf


def test_a_main_part_that_is_not_there_is_damage() -> None:
    data = rewritten(docx(paragraph("Ana")), lambda name, part: (name.replace("word/document.xml", "x.xml"), part))
    with pytest.raises(DamagedDocumentError):
        docx_to_pdf(data, BOUNDS)
