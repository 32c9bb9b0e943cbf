"""Export a report as HTML, the body for a page or a self-contained file, and from it as PDF."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from io import BytesIO

from jinja2 import Environment, PackageLoader, StrictUndefined

from core.mupdf import pymupdf
from research.citations.markers import listed, numbers_of
from research.document import ReportDocument, Section
from research.exports.wording import each_source_once, reference_text
from research.markdown_text.parsing import blocks_of, body_parser
from research.markdown_text.printable import one_line, without_numbers
from research.words import phrases_of

_PAGE = pymupdf.paper_rect("letter")
_MARGINS = (64, 60, -64, -68)


def to_html_body(document: ReportDocument, sections: Sequence[Section] | None = None) -> str:
    """Return sections, limits and references as HTML, for a page whose h1 is the title.

    `sections`: those shown, with the references that they cite; all of the document by default. A marker is
    `<a class="cite" href="#ref-3" data-key="ortiz2019" data-claim="c12 c13">[3]</a>`; all text of the document is
    escaped.
    """
    return _filled("body.html", document, sections)


def to_html(document: ReportDocument) -> str:
    """Return a self-contained HTML file, styled for light and dark, without scripts or external resources."""
    return _page(document, "report.css")


def to_pdf(document: ReportDocument) -> bytes:
    """Return the document as PDF on letter-size pages, with page numbers and links."""
    # Asks for the rectangle of each page and that of its text.
    pdf = pymupdf.Story(_page(document, "print.css")).write_with_links(
        lambda _number, _filled: (_PAGE, _PAGE + _MARGINS, None)
    )
    for page in pdf:
        text = phrases_of("report", document.language)["page"].format(number=page.number + 1, count=len(pdf))
        foot = pymupdf.Rect(_PAGE.x0, _PAGE.y1 - 46, _PAGE.x1, _PAGE.y1 - 30)
        page.insert_textbox(foot, text, fontname="helv", fontsize=8, align=pymupdf.TEXT_ALIGN_CENTER)
    pdf.set_metadata({"title": one_line(document.title), "producer": "", "creator": ""})
    pdf.set_language(document.language)
    data = BytesIO()
    pdf.save(data, garbage=3, deflate=True)
    pdf.close()
    return data.getvalue()


def _page(document: ReportDocument, stylesheet: str) -> str:
    style = files(__package__).joinpath(stylesheet).read_text(encoding="utf-8")
    digest_of_style = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return _filled("page.html", document, style=style, digest_of_style=digest_of_style)


def _filled(
    template: str, document: ReportDocument, sections: Sequence[Section] | None = None, **more: str
) -> str:
    numbers, shown = numbers_of(document), document.sections if sections is None else sections
    cited = numbers if sections is None else numbers_of(document.model_copy(update={"sections": tuple(shown)}))
    return (
        _templates()
        .get_template(template)
        .render(
            document=document,
            labels=phrases_of("report", document.language),
            sections=[(section, _rendered(section.body, numbers)) for section in shown],
            references=[
                (number, one, reference_text(one)) for number, one in listed(document) if one.key in cited
            ],
            **more,
        )
    )


@cache
def _templates() -> Environment:
    loader = PackageLoader("research", "exports")
    made = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, keep_trailing_newline=True
    )
    made.filters["one_line"] = one_line
    return made


def _rendered(body: str, numbers: Mapping[str, int]) -> str:
    """Return Markdown as HTML, markers as links to references; those of unknown keys are omitted."""
    body, claims = each_source_once(body)
    tokens = blocks_of(body)
    for token in [*tokens, *(child for block in tokens for child in block.children or ())]:
        if token.type == "marker":
            key, claim, number = token.meta["key"], token.meta["claim"], numbers.get(token.meta["key"])
            data = f'data-key="{key}"' + (f' data-claim="{claims.get(claim, claim)}"' if claim else "")
            link = f'<a class="cite" href="#ref-{number}" {data}>[{number}]</a>'
            token.type, token.content = "html_inline", link if number else ""
        elif token.type == "link_open":
            token.attrs["rel"] = "noopener noreferrer nofollow"
        elif token.type in {"td_open", "th_open"}:
            # Without the style that aligns a column: the page's policy allows no style attributes.
            token.attrs = {"scope": "col"} if token.type == "th_open" else {}
        else:
            token.content, token.info = without_numbers(token.content), ""
    return str(body_parser().renderer.render(tokens, body_parser().options, {}))
