"""Word files that unpack or convert to far more than they take."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Mapping

from PIL import Image

from lab.fuzz.packed import repeated

_MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_NAMES = (
    f'xmlns:w="{_MAIN}" xmlns:r="{_OFFICE}" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"'
)
_TYPES = (
    f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="png" ContentType="image/png"/><Override PartName="/word/document.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
_PARAGRAPH = b"<w:p><w:r><w:t>My father drives the night bus.</w:t></w:r></w:p>"


def text_nodes_of_gigabytes() -> bytes:
    """A body of a hundred and ninety megabytes of short texts, whose nodes take gigabytes."""
    return _word([b"<w:p><w:r>", *repeated(b"<w:t>a</w:t>", 15_800_000), b"</w:r></w:p>"])


def a_million_empty_paragraphs() -> bytes:
    """A million paragraphs without a text, and one with."""
    return _word([*repeated(b"<w:p/>", 1_000_000), _PARAGRAPH])


def half_a_million_paragraphs() -> bytes:
    """Half a million paragraphs of one sentence."""
    return _word(repeated(_PARAGRAPH, 500_000))


def one_word_of_megabytes() -> bytes:
    """A paragraph of one word of a hundred million letters."""
    return _word([b"<w:p><w:r><w:t>", *repeated(b"abc", 33_000_000), b"</w:t></w:r></w:p>"])


def nested_tables() -> bytes:
    """Tables within each other, three hundred deep."""
    return _nested(300)


def nested_tables_without_end() -> bytes:
    """Tables within each other, a hundred thousand deep."""
    return _nested(100_000)


def _nested(depth: int) -> bytes:
    begin, end = b"<w:tbl><w:tr><w:tc>", b"</w:tc></w:tr></w:tbl>"
    return _word([*repeated(begin, depth), _PARAGRAPH, *repeated(end, depth)])


def table_of_many_columns() -> bytes:
    """A table with rows of ten thousand cells, each merged with the one above."""
    cell = b"<w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc>"
    row = b"<w:tr>" + cell * 10_000 + b"</w:tr>"
    return _word([b"<w:tbl>", *repeated(row, 30), b"</w:tbl>", _PARAGRAPH])


def cells_that_span_billions() -> bytes:
    """A table whose cells span two billion columns."""
    cell = b'<w:tc><w:tcPr><w:gridSpan w:val="2147483647"/></w:tcPr>' + _PARAGRAPH + b"</w:tc>"
    return _word([b"<w:tbl>", *repeated(b"<w:tr>" + cell * 5 + b"</w:tr>", 50), b"</w:tbl>"])


def deep_elements() -> bytes:
    """A million runs within each other."""
    return _word([*repeated(b"<w:smartTag>", 1_000_000), b"x", *repeated(b"</w:smartTag>", 1_000_000)])


def deep_elements_of_no_name_space() -> bytes:
    """Nine hundred unknown elements within each other, around a paragraph."""
    return _word([b"<w:ins>" * 900, _PARAGRAPH, b"</w:ins>" * 900])


def huge_attributes() -> bytes:
    """An element with a hundred thousand attributes, and an attribute of fifty megabytes."""
    many = b"".join(b' a%d="x"' % number for number in range(100_000))
    return _word([b"<w:p", many, b"/><w:p w:x='", *repeated(b"y", 50_000_000), b"'/>", _PARAGRAPH])


def name_spaces_without_end() -> bytes:
    """Two thousand elements within each other, each with a hundred name spaces of its own."""
    spaces = b"".join(b' xmlns:n%d="u:%d"' % (number, number) for number in range(100))
    return _word([(b"<w:sdt" + spaces + b">") * 2000, _PARAGRAPH, b"</w:sdt>" * 2000])


def five_thousand_parts() -> bytes:
    """An archive of four thousand nine hundred XML parts of forty kilobytes."""
    part = b"<a>" + b"x" * 40_000 + b"</a>"
    return _word([_PARAGRAPH], {f"customXml/item{number}.xml": part for number in range(4900)})


def too_many_parts() -> bytes:
    """An archive of sixty thousand empty parts."""
    return _word([_PARAGRAPH], {f"customXml/item{number}.xml": b"" for number in range(60_000)})


def relations_in_a_circle() -> bytes:
    """Relationships of the document to itself, and of the package to its relationships."""
    kinds = ("officeDocument", "styles", "numbering", "footnotes", "comments", "endnotes", "image")
    rows = "".join(
        f'<Relationship Id="r{number}" Type="{_OFFICE}/{kind}" Target="document.xml"/>'
        for number, kind in enumerate(kinds)
    )
    return _word([_PARAGRAPH], {"word/_rels/document.xml.rels": _relations(rows)})


def a_million_relations() -> bytes:
    """A million relationships of the document."""
    row = f'<Relationship Id="r" Type="{_OFFICE}/image" Target="../../../x" TargetMode="External"/>'
    return _word([_PARAGRAPH], {"word/_rels/document.xml.rels": _relations(row * 1_000_000)})


def footnotes_in_a_circle() -> bytes:
    """Footnotes that refer to each other and to themselves."""
    refer = b'<w:p><w:r><w:footnoteReference w:id="%d"/></w:r></w:p>'
    notes = b"".join(
        b'<w:footnote w:id="%d">%s</w:footnote>' % (n, (refer % n + refer % (5 - n)) * 9) for n in (2, 3)
    )
    parts = {
        "word/footnotes.xml": b"<w:footnotes %s>%s</w:footnotes>" % (_NAMES.encode(), notes),
        "word/_rels/document.xml.rels": _relations(
            f'<Relationship Id="r1" Type="{_OFFICE}/footnotes" Target="footnotes.xml"/>'
        ),
    }
    return _word([_PARAGRAPH, refer % 2, refer % 3], parts)


def styles_in_a_circle() -> bytes:
    """Styles that are based on each other, fifty thousand times."""
    style = b'<w:style w:type="paragraph" w:styleId="s%d"><w:basedOn w:val="s%d"/></w:style>'
    styles = b"".join(style % (number, (number + 1) % 50_000) for number in range(50_000))
    parts = {
        "word/styles.xml": b"<w:styles %s>%s</w:styles>" % (_NAMES.encode(), styles),
        "word/_rels/document.xml.rels": _relations(
            f'<Relationship Id="r1" Type="{_OFFICE}/styles" Target="styles.xml"/>'
        ),
    }
    return _word([b'<w:p><w:pPr><w:pStyle w:val="s0"/></w:pPr></w:p>', _PARAGRAPH], parts)


def lists_of_great_depth() -> bytes:
    """Items of lists whose levels go to the hundred thousands, up and down."""
    item = (
        b'<w:p><w:pPr><w:numPr><w:ilvl w:val="%d"/><w:numId w:val="1"/></w:numPr></w:pPr>'
        b"<w:r><w:t>item</w:t></w:r></w:p>"
    )
    level = "".join(f'<w:lvl w:ilvl="{number}"><w:numFmt w:val="decimal"/></w:lvl>' for number in range(1000))
    parts = {
        "word/numbering.xml": (
            f'<w:numbering {_NAMES}><w:abstractNum w:abstractNumId="1">{level}</w:abstractNum>'
            '<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>'
        ).encode(),
        "word/_rels/document.xml.rels": _relations(
            f'<Relationship Id="r1" Type="{_OFFICE}/numbering" Target="numbering.xml"/>'
        ),
    }
    return _word([item % (number % 1000) for number in range(5000)], parts)


def pictures_that_are_bombs() -> bytes:
    """Pictures just under the limit of pixels, of a hundred kilobytes each."""
    picture = _black(10_000, 9_999)
    return _pictured([picture] * 20, shown=20)


def one_picture_ten_thousand_times() -> bytes:
    """A picture of megabytes that the body shows ten thousand times."""
    noise = Image.effect_noise((1500, 1500), 90)
    out = io.BytesIO()
    noise.save(out, "PNG")
    return _pictured([out.getvalue()], shown=10_000)


def pictures_of_no_size() -> bytes:
    """Pictures of one pixel's width and of nonsense."""
    return _pictured([_black(1, 60_000), b"\x89PNG\r\n\x1a\n" + bytes(100), b"", b"GIF89a" + bytes(4)], shown=40)


def _black(width: int, height: int) -> bytes:
    out = io.BytesIO()
    Image.new("1", (width, height)).save(out, "PNG")
    return out.getvalue()


def _pictured(pictures: list[bytes], shown: int) -> bytes:
    rows = "".join(
        f'<Relationship Id="p{number}" Type="{_OFFICE}/image" Target="media/image{number}.png"/>'
        for number in range(len(pictures))
    )
    parts = {f"word/media/image{number}.png": data for number, data in enumerate(pictures)}
    drawing = (
        b'<w:p><w:r><w:drawing><wp:inline><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="p%d"/>'
        b"</pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>"
    )
    body = [drawing % (number % len(pictures)) for number in range(shown)]
    return _word([*body, _PARAGRAPH], {**parts, "word/_rels/document.xml.rels": _relations(rows)})


def headers_of_megabytes() -> bytes:
    """Ninety page headers of two megabytes each."""
    header = b"<w:hdr %s>%s</w:hdr>" % (_NAMES.encode(), _PARAGRAPH * 30_000)
    return _word([_PARAGRAPH], {f"word/header{number}.xml": header for number in range(90)})


def header_of_nested_paragraphs() -> bytes:
    """A page header of five thousand paragraphs within each other, each of which holds the text of all below."""
    inner = b"<w:p><w:t>Student Name</w:t>" * 5000 + b"</w:p>" * 5000
    return _word([_PARAGRAPH], {"word/header1.xml": b"<w:hdr %s>%s</w:hdr>" % (_NAMES.encode(), inner)})


def entities_that_multiply() -> bytes:
    """A document type whose entities are ten of the next, in another encoding."""
    names = [f'<!ENTITY e{number} "{f"&e{number + 1};" * 10}">' for number in range(12)]
    kind = f'<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE d [{"".join(names)}<!ENTITY e12 "x">]>'
    body = f"<w:document {_NAMES}><w:body><w:p><w:r><w:t>&e0;</w:t></w:r></w:p></w:body></w:document>"
    return _archive({"word/document.xml": (kind + body).encode("utf-16")})


def sizes_that_lie() -> bytes:
    """An archive whose directory says that its body is of a hundred bytes; it unpacks to a gigabyte."""
    body = [_head(), *repeated(_PARAGRAPH, 14_000_000), _TAIL]
    data = bytearray(_archive({}, body))
    for place in _places(data, b"PK\x01\x02"):
        name_length = int.from_bytes(data[place + 28 : place + 30], "little")
        if data[place + 46 : place + 46 + name_length] == b"word/document.xml":
            data[place + 24 : place + 28] = (100).to_bytes(4, "little")
    return bytes(data)


def _places(data: bytes | bytearray, what: bytes) -> list[int]:
    found, place = [], data.find(what)
    while place >= 0:
        found.append(place)
        place = data.find(what, place + 1)
    return found


def fields_never_ended() -> bytes:
    """A hundred thousand fields that begin within each other."""
    begin = b'<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>HYPERLINK "a"</w:instrText></w:r>'
    middle = b'<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
    return _word([b"<w:p>", *repeated(begin + middle, 100_000), b"</w:p>", _PARAGRAPH])


def _relations(rows: str) -> bytes:
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{rows}</Relationships>'.encode()


def _head() -> bytes:
    return f"<w:document {_NAMES}><w:body>".encode()


_TAIL = b"</w:body></w:document>"


def _word(body: Iterable[bytes], parts: Mapping[str, bytes] | None = None) -> bytes:
    return _archive(parts or {}, [_head(), *body, _TAIL])


def _archive(parts: Mapping[str, bytes], document: Iterable[bytes] = ()) -> bytes:
    out = io.BytesIO()
    root = _relations(f'<Relationship Id="rId1" Target="word/document.xml" Type="{_OFFICE}/officeDocument"/>')
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        archive.writestr("[Content_Types].xml", _TYPES)
        archive.writestr("_rels/.rels", root)
        if "word/document.xml" not in parts:
            with archive.open("word/document.xml", "w") as file:
                for piece in document:
                    file.write(piece)
        for name, data in parts.items():
            archive.writestr(name, data)
    return out.getvalue()
