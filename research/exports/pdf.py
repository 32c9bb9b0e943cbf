"""Export a report as PDF from its HTML, with page numbers and links to references and sources."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from io import BytesIO

from core.confined.children import confined
from core.mupdf import pymupdf
from research.document import ReportDocument
from research.exports.html import to_html_body
from research.exports.labels import LABELS, Labels
from research.markdown_text.printable import one_line

_PAGE = pymupdf.paper_rect("letter")
_MARGINS = (64, 60, -64, -68)


@confined
def to_pdf(document: ReportDocument) -> bytes:
    """Return the document as PDF on letter-size pages. Raises TooCostlyError."""
    labels = LABELS[document.language]
    story = pymupdf.Story(
        html=_html(document, labels), user_css=files(__package__).joinpath("print.css").read_text(encoding="utf-8")
    )
    pdf = story.write_with_links(_page)
    for page in pdf:
        text = labels.page.format(number=page.number + 1, count=len(pdf))
        foot = pymupdf.Rect(_PAGE.x0, _PAGE.y1 - 46, _PAGE.x1, _PAGE.y1 - 30)
        page.insert_textbox(foot, text, fontname="helv", fontsize=8, align=pymupdf.TEXT_ALIGN_CENTER)
    pdf.set_metadata({"title": one_line(document.title), "producer": "", "creator": ""})
    pdf.set_language(document.language)
    data = BytesIO()
    pdf.save(data, garbage=3, deflate=True)
    pdf.close()
    return data.getvalue()


def _html(document: ReportDocument, labels: Labels) -> str:
    digest = f'<p class="digest">{escape(labels.digest)}</p>' if document.extractive else ""
    return f"<h1>{escape(one_line(document.title))}</h1>{digest}{to_html_body(document)}"


def _page(number: int, filled: pymupdf.Rect) -> tuple[pymupdf.Rect, pymupdf.Rect, None]:
    """Return the page's rectangle and that of its text, for `write_with_links`."""
    return _PAGE, _PAGE + _MARGINS, None
