"""Export a report as HTML: the body for a page, or a self-contained file."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from research.citations.markers import listed, numbers_of
from research.document import ReportDocument, Section
from research.exports.labels import LABELS, Labels
from research.exports.reference_text import reference_text
from research.markdown_text.parsing import blocks_of, body_parser, safe_url
from research.markdown_text.printable import one_line, without_numbers


def to_html_body(document: ReportDocument) -> str:
    """Return sections, limits and references as HTML, for a page whose h1 is the title.

    A marker is `<a class="cite" href="#ref-3" data-key="ortiz2019" data-claim="c12">[3]</a>`; all text of the
    document is escaped.
    """
    numbers, labels = numbers_of(document), LABELS[document.language]
    parts = [f'<div class="report-document" lang="{document.language}">']
    parts += [_section(section, numbers) for section in document.sections]
    parts += [_limits(document, labels), _references(document, labels), "</div>"]
    return "\n".join(part for part in parts if part)


def to_html(document: ReportDocument) -> str:
    """Return a self-contained HTML file, styled for light and dark, without scripts or external resources."""
    title = escape(one_line(document.title))
    digest = f'<p class="digest">{escape(LABELS[document.language].digest)}</p>' if document.extractive else ""
    style = _style()
    digest_of_style = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"""<!doctype html>
<html lang="{document.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-{digest_of_style}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>{title}</h1>
{digest}
{to_html_body(document)}
</main>
</body>
</html>
"""


def _section(section: Section, numbers: Mapping[str, int]) -> str:
    level, key, heading = min(section.level + 1, 6), escape(section.key), escape(one_line(section.heading))
    body = _body(section.body, numbers)
    if not heading:
        return f'<section id="section-{key}">\n{body}</section>'
    head = f'<h{level} id="section-{key}-heading">{heading}</h{level}>'
    return f'<section id="section-{key}" aria-labelledby="section-{key}-heading">\n{head}\n{body}</section>'


def _limits(document: ReportDocument, labels: Labels) -> str:
    if not document.limits:
        return ""
    items = "\n".join(f"<li>{escape(one_line(limit))}</li>" for limit in document.limits)
    return _closing("limits", labels.limits, f"<ul>\n{items}\n</ul>")


def _references(document: ReportDocument, labels: Labels) -> str:
    entries = listed(document)
    if not entries:
        return ""
    items = []
    for number, reference in entries:
        text = reference_text(reference)
        parts = [escape(text.before), f"<cite>{escape(text.title)}</cite>", escape(text.after), _link(text.link)]
        shown = " ".join(part for part in parts if part)
        key = escape(reference.key)
        items.append(f'<li id="ref-{number}" data-key="{key}"><span class="number">[{number}]</span> {shown}</li>')
    return _closing("references", labels.references, '<ol class="references">\n' + "\n".join(items) + "\n</ol>")


def _closing(name: str, heading: str, inner: str) -> str:
    head = f'<h2 id="{name}">{heading}</h2>'
    return f'<section class="{name}" aria-labelledby="{name}">\n{head}\n{inner}\n</section>'


def _link(url: str | None) -> str:
    return f'<a href="{escape(url)}" rel="noopener noreferrer nofollow">{escape(url)}</a>' if url else ""


@cache
def _style() -> str:
    return files(__package__).joinpath("report.css").read_text(encoding="utf-8")


def _body(body: str, numbers: Mapping[str, int]) -> str:
    """Return a section's Markdown as HTML, omitting markers of unknown keys."""
    return _BodyRenderer().render(blocks_of(body), body_parser().options, {"numbers": numbers})


class _BodyRenderer(RendererHTML):
    """markdown-it's renderer, with markers as links to references and text without foreign numbers.

    Each public method renders the token type of its name.
    """

    def text(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
        return escape(without_numbers(tokens[idx].content))

    def code_inline(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
        return f"<code>{self.text(tokens, idx, options, env)}</code>"

    def code_block(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
        return f"<pre>{self.code_inline(tokens, idx, options, env)}</pre>\n"

    fence = code_block

    def td_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
        # Without the style that aligns a column: the page's policy allows no style attributes.
        return "<td>"

    def th_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
        return '<th scope="col">'

    def link_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
        url = safe_url(str(tokens[idx].attrs.get("href", "")))
        return f'<a href="{escape(url)}" rel="noopener noreferrer nofollow">' if url else "<a>"

    def marker(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
        key, claim = tokens[idx].meta["key"], tokens[idx].meta["claim"]
        number = env["numbers"].get(key)
        if number is None:
            return ""
        data = f' data-claim="{escape(claim)}"' if claim else ""
        return f'<a class="cite" href="#ref-{number}" data-key="{escape(key)}"{data}>[{number}]</a>'
