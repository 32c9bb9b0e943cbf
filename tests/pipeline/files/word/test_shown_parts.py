"""Text boxes, margins, pictures, documents brought in and pages of a Word file, and what of it is named."""

import io
from collections.abc import Sequence

import pytest
from PIL import Image, ImageDraw

from core.config import load_settings
from core.confined.mupdf import pymupdf
from pipeline.files.content_type import FileNote
from pipeline.files.word.document import docx_to_pdf
from tests.support.reading.documents import ESSAY, docx, encoded, paragraph, with_relations, word_part

BOUNDS = load_settings().file_bounds
THREE = "".join(map(paragraph, ("Name: Ana Bell", "School: Coral Bay School", "Grade: 6")))
BREAK = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'


def pages_of(data: bytes) -> list[list[str]]:
    with pymupdf.open("pdf", docx_to_pdf(data, BOUNDS).pdf) as document:
        return [page.get_text().splitlines() for page in document]


def lines_of(data: bytes) -> list[str]:
    return [line for page in pages_of(data) for line in page]


def notes_of(data: bytes) -> list[FileNote]:
    return docx_to_pdf(data, BOUNDS).notes


def box(content: str, down: int | None = None, *, relative: str = "paragraph") -> str:
    """A text box in the line, or one that floats so many units down."""
    place = "inline" if down is None else "anchor"
    position = (
        ""
        if down is None
        else f'<wp:positionV relativeFrom="{relative}"><wp:posOffset>{down}</wp:posOffset></wp:positionV>'
    )
    return (
        f"<w:drawing><wp:{place}>{position}<a:graphic><a:graphicData><wps:wsp><wps:txbx><w:txbxContent>{content}"
        f"</w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:{place}></w:drawing>"
    )


def vml_box(content: str) -> str:
    return f"<w:pict><v:shape><v:textbox><w:txbxContent>{content}</w:txbxContent></v:textbox></v:shape></w:pict>"


def in_run(*content: str) -> str:
    return "".join(f"<w:r>{one}</w:r>" for one in content)


def either(choice: str, fallback: str) -> str:
    return (
        f'<mc:AlternateContent><mc:Choice Requires="wps">{choice}</mc:Choice>'
        f"<mc:Fallback>{fallback}</mc:Fallback></mc:AlternateContent>"
    )


ANA = paragraph("Ana Bell")
HIDDEN = '<wp:docPr id="1" hidden="1"/><a:graphic>'
WORD_ART = '<w:pict><v:shape><v:textpath string="Ana Bell"/></v:shape></w:pict>'
DIAGRAM = '<w:drawing><wp:inline><dgm:relIds r:dm="rId8"/></wp:inline></w:drawing>'
BOXES = {
    "drawn": (f"<w:p>{in_run(box(ANA))}</w:p>", ["Ana Bell", "Essay"]),
    "VML": (f"<w:p>{in_run(vml_box(ANA))}</w:p>", ["Ana Bell", "Essay"]),
    "both": (f"<w:p>{in_run(either(box(ANA), vml_box(ANA)))}</w:p>", ["Ana Bell", "Essay"]),
    "an empty fallback": (f"<w:p>{in_run(either(box(ANA), ''))}</w:p>", ["Ana Bell", "Essay"]),
    "within a box": (f"<w:p>{in_run(box(f'<w:p>{in_run(box(ANA))}</w:p>'))}</w:p>", ["Ana Bell", "Essay"]),
    "from the top down": (
        f"<w:p>{in_run(box(paragraph('6'), 9000), box(ANA, 0), box(paragraph('Coral Bay'), 5000))}</w:p>",
        ["Ana Bell", "Coral Bay", "6", "Essay"],
    ),
    "beside its label": (
        f'<w:p><w:r><w:t xml:space="preserve">Name: </w:t></w:r>{in_run(box(ANA, 100))}</w:p>',
        ["Name:  Ana Bell", "Essay"],
    ),
    "hidden": (f"<w:p>{in_run(box(ANA).replace('<a:graphic>', HIDDEN))}</w:p>", ["Essay"]),
    "WordArt": (f"<w:p>{in_run(WORD_ART)}</w:p>", ["Ana Bell", "Essay"]),
}


@pytest.mark.parametrize(("body", "shown"), BOXES.values(), ids=BOXES.keys())
def test_text_boxes_are_read(body: str, shown: Sequence[str]) -> None:
    lines = lines_of(docx(body + paragraph("Essay")))
    assert [" ".join(line.split()) for line in lines] == [" ".join(line.split()) for line in shown]


def margin(kind: str, text: str = "", *, content: str = "") -> dict[str, str | bytes]:
    return {f"{kind}1.xml": word_part("hdr" if kind == "header" else "ftr", content or paragraph(text))}


def section(*references: str, more: str = "") -> str:
    """Properties of a section with references as "header default rId2"."""
    found = []
    for kind, pages, key in (reference.split() for reference in references):
        found.append(f'<w:{kind}Reference w:type="{pages}" r:id="{key}"/>')
    return f"<w:sectPr>{''.join(found)}{more}</w:sectPr>"


def test_a_page_footer_comes_last() -> None:
    data = with_relations(
        paragraph("My essay") + section("footer default rId2"),
        {"rId2": "footer footer1.xml"},
        margin("footer", "Ana Bell, Coral Bay School, Grade 5"),
    )
    assert lines_of(data) == ["My essay", "Ana Bell, Coral Bay School, Grade 5"]


@pytest.mark.parametrize(
    ("pages", "more", "shown"),
    [("default", "", True), ("first", "<w:titlePg/>", True), ("first", "", False), ("even", "", False)],
)
def test_a_margin_that_no_page_has_is_not_read(pages: str, more: str, shown: bool) -> None:
    body = paragraph("My essay") + section(f"header {pages} rId2", more=more)
    data = with_relations(body, {"rId2": "header header1.xml"}, margin("header", "Paula Example"))
    assert ("Paula Example" in lines_of(data)) is shown


def test_a_page_number_is_no_line() -> None:
    number = (
        "<w:p><w:r><w:t>Page </w:t></w:r><w:fldSimple w:instr='PAGE'><w:r><w:t>2</w:t></w:r></w:fldSimple></w:p>"
    )
    named = number.replace("Page ", "Bell ")
    data = with_relations(
        paragraph("My essay") + section("header default rId2"),
        {"rId2": "header header1.xml"},
        margin("header", content=number + named),
    )
    assert lines_of(data) == ["Bell 2", "My essay"]


def two_sided() -> bytes:
    picture = Image.new("L", (400, 200), 255)
    ImageDraw.Draw(picture).rectangle((200, 0, 400, 200), fill=0)
    return encoded(picture, "PNG")


def picture_of(crop: str = "", frame: str = "") -> str:
    return (
        "<w:p><w:r><w:drawing><wp:inline><a:graphic><a:graphicData><pic:pic><pic:blipFill>"
        f'<a:blip r:embed="rId7"/>{crop}</pic:blipFill><pic:spPr>{frame}</pic:spPr></pic:pic>'
        "</a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>"
    )


VML_PICTURE = (
    '<w:p><w:r><w:pict><v:shape><v:imagedata r:id="rId7" cropright="32768f"/></v:shape></w:pict></w:r></w:p>'
)


@pytest.mark.parametrize(
    ("body", "size", "shade"),
    [
        (picture_of('<a:srcRect r="50000"/>'), (200, 200), 255),
        (picture_of('<a:srcRect l="50%"/>'), (200, 200), 0),
        (picture_of('<a:srcRect l="-20000"/>'), (400, 200), None),
        (picture_of('<a:srcRect r="50000"/>', '<a:xfrm rot="5400000"/>'), (200, 200), 255),
        (picture_of("", '<a:xfrm rot="-5400000"/>'), (200, 400), None),
        (VML_PICTURE, (200, 200), 255),
    ],
    ids=["right", "ISO Strict", "outset", "cut and turned", "turned", "VML"],
)
def test_what_is_cut_off_a_picture_is_not_shown(body: str, size: tuple[int, int], shade: int | None) -> None:
    data = with_relations(body, {"rId7": "image media/i.png"}, {"media/i.png": two_sided()})
    with pymupdf.open("pdf", docx_to_pdf(data, BOUNDS).pdf) as document:
        (found,) = document[0].get_images()
        picture = Image.open(io.BytesIO(document.extract_image(found[0])["image"])).convert("L")
    assert picture.size == size
    if shade is not None:
        assert picture.getextrema() == (shade, shade)


HTML = "<html><head><title>No</title></head><body><p>My father<p style='display:none'>Paula</p></body></html>"
MAIL = f"MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{HTML}"


@pytest.mark.parametrize(
    ("name", "data"),
    [("a.html", HTML), ("a.mht", MAIL), ("a.txt", "My father"), ("a.docx", docx(paragraph("My father")))],
)
def test_documents_that_are_brought_in_are_read(name: str, data: str | bytes) -> None:
    body = paragraph("Ana Bell") + '<w:altChunk r:id="rId8"/>'
    file = with_relations(body, {"rId8": f"aFChunk {name}"}, {name: data})
    assert [line.strip() for line in lines_of(file)] == ["Ana Bell", "My father"]
    assert notes_of(file) == []


def test_files_put_together_begin_pages_of_their_own() -> None:
    parts: dict[str, str | bytes] = {f"{n}.docx": docx(paragraph(f"Essay {n}")) for n in (1, 2)}
    body = '<w:altChunk r:id="rId1"/><w:altChunk r:id="rId2"/>'
    assert pages_of(with_relations(body, {"rId1": "aFChunk 1.docx", "rId2": "aFChunk 2.docx"}, parts)) == [
        ["Essay 1"],
        ["Essay 2"],
    ]


SECOND = THREE.replace("Ana Bell", "Leo Park")
NEXT = f"<w:p><w:pPr>{section()}</w:pPr></w:p>{{}}{section(more='<w:type w:val={!r}/>')}"
PAGES = {
    "a page break": (THREE + BREAK + SECOND, 2),
    "in a line": ('<w:p><w:r><w:t>One</w:t><w:br w:type="page"/><w:t>Two</w:t></w:r></w:p>', 2),
    "at the beginning": (BREAK + THREE, 1),
    "before a paragraph": (THREE + f"<w:p><w:pPr><w:pageBreakBefore/></w:pPr>{in_run('<w:t>Two</w:t>')}</w:p>", 2),
    "a section": (THREE + NEXT.format(SECOND, "nextPage"), 2),
    "a section that goes on": (THREE + NEXT.format(SECOND, "continuous"), 1),
    "another pupil's labels": (THREE + paragraph(ESSAY) + SECOND + paragraph(ESSAY), 2),
    "the same pupil's again": (THREE + paragraph(ESSAY) + THREE + paragraph(ESSAY), 1),
    "a father's name": (THREE + paragraph(ESSAY) + paragraph("Name: Hugh Bell"), 1),
}


@pytest.mark.parametrize(("body", "count"), PAGES.values(), ids=PAGES.keys())
def test_pages_begin_where_the_file_says_so(body: str, count: int) -> None:
    assert len(pages_of(docx(body))) == count


def test_each_section_has_its_own_header() -> None:
    end = f"<w:p><w:pPr>{section('header default rId2')}</w:pPr></w:p>"
    parts = {f"header{n}.xml": word_part("hdr", paragraph(name)) for n, name in ((1, "Ana Bell"), (2, "Leo Park"))}
    data = with_relations(
        paragraph("One") + end + paragraph("Two") + section("header default rId3"),
        {"rId2": "header header1.xml", "rId3": "header header2.xml"},
        dict(parts),
    )
    assert pages_of(data) == [["Ana Bell", "One"], ["Leo Park", "Two"]]


OBJECT = '<w:p><w:r><w:object><o:OLEObject ProgID="Word.Document.12" r:id="rId8"/></w:object></w:r></w:p>'
COMMENT = f'<w:comment w:id="1">{paragraph("The name is Ana.")}</w:comment>'
CHART = '<w:p><w:r><w:drawing><wp:inline><c:chart xmlns:c="{}"/></wp:inline></w:drawing></w:r></w:p>'.format(
    "http://schemas.openxmlformats.org/drawingml/2006/chart"
)
NAMED: dict[str, tuple[str, dict[str, str], dict[str, str | bytes], list[tuple[str, list[str]]]]] = {
    "an embedded document": (
        OBJECT,
        {"rId8": "oleObject embeddings/o.bin"},
        {"embeddings/o.bin": b"..."},
        [("ATTACHMENTS", ["Word.Document.12"])],
    ),
    "an embedded file": (
        "",
        {"rId8": "package embeddings/leo.docx"},
        {"embeddings/leo.docx": b"PK"},
        [("ATTACHMENTS", ["leo.docx"])],
    ),
    "a document of its own": ("", {"rId8": "subDocument leo.docx External"}, {}, [("MORE_IN_FILE", ["leo.docx"])]),
    "RTF": (
        '<w:altChunk r:id="rId8"/>',
        {"rId8": "aFChunk a.rtf"},
        {"a.rtf": "{\\rtf1 x}"},
        [("UNREAD_CONTENT", [])],
    ),
    "a chunk that is missing": ('<w:altChunk r:id="rId9"/>', {}, {}, [("UNREAD_CONTENT", [])]),
    "a chart": (CHART, {}, {}, [("UNREAD_CONTENT", [])]),
    "a picture elsewhere": (
        picture_of(),
        {"rId7": "image https://example.org/i.png External"},
        {},
        [("UNREAD_CONTENT", [])],
    ),
    "a comment": (
        "",
        {"rId8": "comments comments.xml"},
        {"comments.xml": word_part("comments", COMMENT)},
        [("UNREAD_CONTENT", [])],
    ),
    "nothing": ("", {}, {}, []),
}


@pytest.mark.parametrize(("body", "targets", "parts", "notes"), NAMED.values(), ids=NAMED.keys())
def test_what_is_not_read_is_named(
    body: str, targets: dict[str, str], parts: dict[str, str | bytes], notes: list[tuple[str, list[str]]]
) -> None:
    found = notes_of(with_relations(paragraph("My essay") + body, targets, parts))
    assert [(note.code, note.names) for note in found] == notes


def test_smart_art_is_read() -> None:
    data = '<dgm:dataModel xmlns:dgm="d" xmlns:a="{}"><a:p><a:r><a:t>Ana Bell</a:t></a:r></a:p></dgm:dataModel>'
    body = f"<w:p>{in_run(DIAGRAM)}</w:p>"
    parts: dict[str, str | bytes] = {
        "diagrams/data1.xml": data.format("http://schemas.openxmlformats.org/drawingml/2006/main")
    }
    assert lines_of(with_relations(body, {"rId8": "diagramData diagrams/data1.xml"}, parts)) == ["Ana Bell"]
