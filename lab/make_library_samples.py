"""Set the texts in `lab/library_samples` as PDF and Word files of `samples/library`."""

from __future__ import annotations

import io
from datetime import datetime
from html import escape
from pathlib import Path
from typing import Any

import docx
import yaml
from markdown_it import MarkdownIt

from core.confined.mupdf import pymupdf

ROOT = Path(__file__).resolve().parent.parent
TEXTS = ROOT / "lab" / "library_samples"
SAMPLES = ROOT / "samples" / "library"
_PAPER = pymupdf.Rect(0, 0, 612, 792)
_TOP, _BOTTOM = 70, 730
_COLUMNS = (pymupdf.Rect(60, _TOP, 296, _BOTTOM), pymupdf.Rect(316, _TOP, 552, _BOTTOM))
_CSS = (
    "body {font-family: serif; font-size: 10pt; line-height: 1.25} p {margin: 0 0 5pt 0; text-align: justify} "
    "h1 {font-size: 15pt; margin: 0 0 8pt 0} h2 {font-size: 11.5pt; margin: 8pt 0 3pt 0}"
)


def main() -> None:
    """Write every file; the same texts give the same files but for what the writers stamp on them."""
    for path in sorted(TEXTS.glob("*.md")):
        if path.name == "README.md":
            continue
        _, front, body = path.read_text(encoding="utf-8").split("---\n", 2)
        about = yaml.safe_load(front)
        data = as_pdf(about, body) if about["format"] == "pdf" else as_word(about, body)
        target = SAMPLES / about["kind"] / f"{path.stem}.{about['format']}"
        target.write_bytes(data)
        print(target.relative_to(ROOT))


def as_pdf(about: dict[str, Any], body: str) -> bytes:
    """A paper in two columns with a running head and page numbers."""
    story = pymupdf.Story(MarkdownIt().render(body), user_css=_CSS)
    out = io.BytesIO()
    writer = pymupdf.DocumentWriter(out)
    more = 1
    while more:
        device = writer.begin_page(_PAPER)
        for column in _COLUMNS:
            if more:
                more, _ = story.place(column)
                story.draw(device)
        writer.end_page()
    writer.close()
    with pymupdf.open("pdf", out.getvalue()) as document:
        for number, page in enumerate(document, start=1):
            head = f"{about['publisher']} ({about['year']}) · sample text, invented · doi:{about['doi']}"
            page.insert_text((60, 45), head, fontsize=7)
            page.insert_text((300, 765), str(number), fontsize=8)
        document.set_metadata(
            {"title": about["title"], "author": "; ".join(about["authors"]), "keywords": "sample, invented"}
        )
        document.set_xml_metadata(_xmp(about))
        return bytes(document.tobytes(garbage=4, deflate=True))


def _xmp(about: dict[str, Any]) -> str:
    return (
        '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:publisher><rdf:Bag><rdf:li>{escape(about['publisher'])}</rdf:li></rdf:Bag></dc:publisher>"
        f"<dc:date><rdf:Seq><rdf:li>{about['year']}</rdf:li></rdf:Seq></dc:date>"
        f"<dc:identifier>doi:{about['doi']}</dc:identifier>"
        '</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>'
    )


def as_word(about: dict[str, Any], body: str) -> bytes:
    """Headings and paragraphs, with the publisher as the company."""
    document = docx.Document()
    about_file = document.core_properties
    about_file.title, about_file.author = about["title"], "; ".join(about["authors"])
    about_file.keywords = "sample,invented"
    about_file.created = about_file.modified = datetime(about["year"], 6, 1)
    for paragraph in body.strip().split("\n\n"):
        marks, _, text = paragraph.partition(" ")
        if marks and set(marks) == {"#"}:
            document.add_heading(text, len(marks))
        else:
            document.add_paragraph(" ".join(paragraph.split()))
    _set_company(document, about["publisher"])
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def _set_company(document: Any, company: str) -> None:
    for part in document.part.package.iter_parts():
        if str(part.partname) == "/docProps/app.xml":
            part._blob = part.blob.replace(b"<Company/>", f"<Company>{escape(company)}</Company>".encode())


if __name__ == "__main__":
    main()
