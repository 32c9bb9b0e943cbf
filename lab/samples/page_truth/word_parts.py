"""Word files part by part (ECMA-376), so that each part can be what a producer makes of it."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass, field
from io import BytesIO
from random import Random
from xml.sax.saxutils import escape, quoteattr

from lab.samples.entry import Entry
from lab.samples.page_truth.sheet import draw_person
from lab.samples.part import Part
from lab.samples.truth import Truth

#: Namespaces of the usual kind of file and of ISO Strict (ISO/IEC 29500-1).
USUAL = {
    "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "pic": "http://schemas.openxmlformats.org/drawingml/2006/picture",
    "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "v": "urn:schemas-microsoft-com:vml",
}
STRICT = USUAL | {
    "w": "http://purl.oclc.org/ooxml/wordprocessingml/main",
    "r": "http://purl.oclc.org/ooxml/officeDocument/relationships",
    "wp": "http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing",
    "a": "http://purl.oclc.org/ooxml/drawingml/main",
    "pic": "http://purl.oclc.org/ooxml/drawingml/picture",
}
_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_TYPES = "application/vnd.openxmlformats-officedocument.wordprocessingml."
HEADER, FOOTER, CHUNK, IMAGE = "header", "footer", "aFChunk", "image"


@dataclass
class Package:
    """A Word file that is being made."""

    main: str = "word/document.xml"
    strict: bool = False
    #: By name: the data, its content type, and how the main part refers to it.
    parts: dict[str, tuple[bytes, str, str]] = field(default_factory=dict)
    #: What stands in the section's properties.
    section: str = ""

    def add(self, name: str, data: bytes, content_type: str, kind: str) -> str:
        """Add a part; the id by which the main part refers to it."""
        self.parts[name] = (data, content_type, kind)
        return f"rId{len(self.parts)}"

    def add_margin(self, kind: str, body: str) -> None:
        """Add a header or a footer of every page."""
        tag = "hdr" if kind == HEADER else "ftr"
        xml = f"{_XML}<w:{tag}{self.namespaces}>{body}</w:{tag}>"
        found = self.add(f"word/{kind}1.xml", xml.encode(), f"{_TYPES}{kind}+xml", kind)
        self.section += f'<w:{kind}Reference w:type="default" r:id="{found}"/>'

    @property
    def namespaces(self) -> str:
        """The declarations of all prefixes."""
        known = STRICT if self.strict else USUAL
        return "".join(f" xmlns:{prefix}={quoteattr(uri)}" for prefix, uri in known.items())

    def data(self, body: str) -> bytes:
        """The file."""
        space = (STRICT if self.strict else USUAL)["r"]
        document = (
            f'{_XML}<w:document{self.namespaces} mc:Ignorable="wps"><w:body>{body}<w:sectPr>{self.section}'
            '<w:pgSz w:w="12240" w:h="15840"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" '
            'w:left="1440" w:header="720" w:footer="720" w:gutter="0"/></w:sectPr></w:body></w:document>'
        )
        types = "".join(
            f'<Override PartName="/{name}" ContentType="{kind}"/>' for name, (_, kind, _) in self.parts.items()
        )
        inside = "".join(
            f'<Relationship Id="rId{number}" Type="{space}/{kind}" Target="{name.removeprefix("word/")}"/>'
            for number, (name, (_, _, kind)) in enumerate(self.parts.items(), 1)
        )
        folder, file = self.main.rsplit("/", 1)
        files: dict[str, bytes] = {
            "[Content_Types].xml": (
                f'{_XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
                '<Default Extension="rels" '
                'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
                f'<Default Extension="xml" ContentType="application/xml"/>{types}'
                f'<Override PartName="/{self.main}" ContentType="{_TYPES}document.main+xml"/></Types>'
            ).encode(),
            "_rels/.rels": (
                f'{_XML}<Relationships xmlns="{_RELATIONS}"><Relationship Id="rId1" '
                f'Type="{space}/officeDocument" Target="{self.main}"/></Relationships>'
            ).encode(),
            self.main: document.encode("utf-8"),
            f"{folder}/_rels/{file}.rels": (
                f'{_XML}<Relationships xmlns="{_RELATIONS}">{inside}</Relationships>'
            ).encode(),
            **{name: data for name, (data, _, _) in self.parts.items()},
        }
        out = BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
            for name, data in files.items():
                package.writestr(zipfile.ZipInfo(name, (2026, 1, 2, 3, 4, 6)), data)
        return out.getvalue()


def run(text: str, properties: str = "") -> str:
    """A run of text."""
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def paragraph(*runs: str, properties: str = "") -> str:
    """A paragraph of runs."""
    return f"<w:p><w:pPr>{properties}</w:pPr>{''.join(runs)}</w:p>"


def essay(entry: Entry) -> str:
    """The paragraphs of an essay."""
    return "".join(paragraph(run(text)) for text in entry.essay)


def head_lines(entry: Entry, *, labelled: bool = True) -> list[str]:
    """The lines over an essay: name, school, grade."""
    lines = (("Name", entry.name), ("School", entry.school_written), ("Grade", entry.grade))
    if labelled:
        return [f"{label}: {value}" for label, value in lines]
    return [entry.name or "", entry.school_written or "", f"Grade {entry.grade}"]


def truth_of(entry: Entry) -> Truth:
    """What such a file says."""
    truth = Truth(page_end=None)
    truth.values |= {"student_name": entry.name, "school_name": entry.school_written, "grade": entry.grade}
    truth.values["essay_text"] = "\n".join(entry.essay)
    truth.accept_school(entry)
    return truth


def labelled_document(rng: Random, part: Part) -> tuple[bytes, Truth]:
    """A plain Word file of an entry."""
    entry = draw_person(rng, part)
    body = "".join(paragraph(run(line)) for line in head_lines(entry)) + essay(entry)
    return Package().data(body), truth_of(entry)
