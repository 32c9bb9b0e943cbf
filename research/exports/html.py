"""Export a report as HTML, the body for a page or a self-contained file, and from it as PDF."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from io import BytesIO

from markdown_it.token import Token

from core.confined.children import confined
from core.mupdf import pymupdf
from research.citations.markers import listed, numbers_of
from research.document import Reference, ReportDocument, Section
from research.exports.wording import LABELS, each_source_once, reference_text
from research.markdown_text.parsing import blocks_of, body_parser
from research.markdown_text.printable import one_line, without_numbers

_PAGE = pymupdf.paper_rect("letter")
_MARGINS = (64, 60, -64, -68)


def to_html_body(document: ReportDocument) -> str:
    """Return sections, limits and references as HTML, for a page whose h1 is the title.

    A marker is `<a class="cite" href="#ref-3" data-key="ortiz2019" data-claim="c12 c13">[3]</a>`; all text of the
    document is escaped.
    """
    numbers, labels = numbers_of(document), LABELS[document.language]
    limits = [f"<li>{escape(one_line(limit))}</li>" for limit in document.limits]
    references = [_entry(number, reference) for number, reference in listed(document)]
    parts = [
        f'<div class="report-document" lang="{document.language}">',
        *(_section(section, numbers) for section in document.sections),
        _closing("limits", labels.limits, ["<ul>", *limits, "</ul>"]) if limits else "",
        _closing("references", labels.references, ['<ol class="references">', *references, "</ol>"])
        if references
        else "",
        "</div>",
    ]
    return "\n".join(part for part in parts if part)


def _titled_body(document: ReportDocument) -> str:
    """Return title, note of a digest, and body."""
    note = f'<p class="digest">{escape(LABELS[document.language].digest)}</p>' if document.extractive else ""
    return f"<h1>{escape(one_line(document.title))}</h1>\n{note}\n{to_html_body(document)}"


def to_html(document: ReportDocument) -> str:
    """Return a self-contained HTML file, styled for light and dark, without scripts or external resources."""
    style = _style("report.css")
    digest_of_style = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"""<!doctype html>
<html lang="{document.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-{digest_of_style}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(one_line(document.title))}</title>
<style>{style}</style>
</head>
<body>
<main>
{_titled_body(document)}
</main>
</body>
</html>
"""


def _section(section: Section, numbers: Mapping[str, int]) -> str:
    level, key, heading = min(section.level + 1, 6), escape(section.key), escape(one_line(section.heading))
    body = _rendered(section.body, numbers)
    if not heading:
        return f'<section id="section-{key}">\n{body}</section>'
    head = f'<h{level} id="section-{key}-heading">{heading}</h{level}>'
    return f'<section id="section-{key}" aria-labelledby="section-{key}-heading">\n{head}\n{body}</section>'


def _entry(number: int, reference: Reference) -> str:
    text, key = reference_text(reference), escape(reference.key)
    link = escape(text.link or "")
    title = escape(text.title) if reference.as_written else f"<cite>{escape(text.title)}</cite>"
    linked = f'<a href="{link}" rel="noopener noreferrer nofollow">{link}</a>' if link else ""
    shown = " ".join(part for part in (escape(text.before), title, escape(text.after), linked) if part)
    return f'<li id="ref-{number}" data-key="{key}"><span class="number">[{number}]</span> {shown}</li>'


def _closing(name: str, heading: str, inner: Sequence[str]) -> str:
    head = f'<h2 id="{name}">{heading}</h2>'
    return "\n".join([f'<section class="{name}" aria-labelledby="{name}">', head, *inner, "</section>"])


@cache
def _style(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _rendered(body: str, numbers: Mapping[str, int]) -> str:
    """Return Markdown as HTML, markers as links to references; those of unknown keys are omitted."""
    body, claims = each_source_once(body)
    tokens = blocks_of(body)
    for token in [*tokens, *(child for block in tokens for child in block.children or ())]:
        if token.type == "marker":
            token.type, token.content = "html_inline", _marker(token, numbers, claims)
        elif token.type == "link_open":
            token.attrs["rel"] = "noopener noreferrer nofollow"
        elif token.type in {"td_open", "th_open"}:
            # Without the style that aligns a column: the page's policy allows no style attributes.
            token.attrs = {"scope": "col"} if token.type == "th_open" else {}
        else:
            token.content, token.info = without_numbers(token.content), ""
    return str(body_parser().renderer.render(tokens, body_parser().options, {}))


def _marker(token: Token, numbers: Mapping[str, int], claims: Mapping[str, str]) -> str:
    key, claim = token.meta["key"], token.meta["claim"]
    number = numbers.get(key)
    data = f' data-claim="{escape(claims.get(claim, claim))}"' if claim else ""
    return f'<a class="cite" href="#ref-{number}" data-key="{escape(key)}"{data}>[{number}]</a>' if number else ""


@confined
def to_pdf(document: ReportDocument) -> bytes:
    """Return the document as PDF on letter-size pages, with page numbers and links. Raises TooCostlyError."""
    story = pymupdf.Story(html=_titled_body(document), user_css=_style("print.css"))
    # Asks for the rectangle of each page and that of its text.
    pdf = story.write_with_links(lambda _number, _filled: (_PAGE, _PAGE + _MARGINS, None))
    for page in pdf:
        text = LABELS[document.language].page.format(number=page.number + 1, count=len(pdf))
        foot = pymupdf.Rect(_PAGE.x0, _PAGE.y1 - 46, _PAGE.x1, _PAGE.y1 - 30)
        page.insert_textbox(foot, text, fontname="helv", fontsize=8, align=pymupdf.TEXT_ALIGN_CENTER)
    pdf.set_metadata({"title": one_line(document.title), "producer": "", "creator": ""})
    pdf.set_language(document.language)
    data = BytesIO()
    pdf.save(data, garbage=3, deflate=True)
    pdf.close()
    return data.getvalue()
