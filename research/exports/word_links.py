"""Links and bookmarks in Word files (ECMA-376, part 1, 17.13.6 and 17.16.22), which python-docx lacks."""

from __future__ import annotations

from docx.document import Document as WordFile
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement
from docx.text.paragraph import Paragraph

_BLUE = "1D4F91"


def link_to_url(paragraph: Paragraph, url: str, text: str) -> None:
    """Append text that links to a URL."""
    link = OxmlElement("w:hyperlink")
    link.set(qn("r:id"), paragraph.part.relate_to(url, RELATIONSHIP_TYPE.HYPERLINK, is_external=True))
    link.append(_run(text))
    paragraph._p.append(link)


def link_to_bookmark(paragraph: Paragraph, name: str, text: str) -> None:
    """Append text that links to a bookmark of the same file."""
    link = OxmlElement("w:hyperlink")
    link.set(qn("w:anchor"), name)
    link.append(_run(text))
    paragraph._p.append(link)


def bookmark(paragraph: Paragraph, name: str, number: int, text: str) -> None:
    """Append text with a bookmark; `number` is the bookmark's id, unique in the file."""
    start, end = OxmlElement("w:bookmarkStart"), OxmlElement("w:bookmarkEnd")
    start.set(qn("w:id"), str(number))
    start.set(qn("w:name"), name)
    end.set(qn("w:id"), str(number))
    paragraph._p.append(start)
    paragraph.add_run(text)
    paragraph._p.append(end)


def set_language(file: WordFile, language: str) -> None:
    """Set the document's language, used for spelling checks and for reading aloud."""
    properties = file.styles["Normal"].element.get_or_add_rPr()
    mark = OxmlElement("w:lang")
    mark.set(qn("w:val"), {"es": "es-MX"}.get(language, "en-US"))
    properties.append(mark)


def _run(text: str) -> BaseOxmlElement:
    run, properties, colour, content = (OxmlElement(f"w:{name}") for name in ("r", "rPr", "color", "t"))
    colour.set(qn("w:val"), _BLUE)
    properties.append(colour)
    content.text = text
    content.set(qn("xml:space"), "preserve")
    run.append(properties)
    run.append(content)
    return run
