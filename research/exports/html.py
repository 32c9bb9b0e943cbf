"""Export a report as HTML: the body for a page, or a self-contained file."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from markdown_it.token import Token

from research.document import ReportDocument, Section
from research.exports.labels import LABELS, Labels
from research.exports.links import safe_url
from research.exports.numbering import listed, numbering
from research.exports.parsing import blocks_of
from research.exports.plain_text import one_line, without_numbers
from research.exports.reference_text import reference_text
from research.exports.style import STYLE

#: HTML elements that are written for tokens with the same tag.
_ELEMENTS = frozenset(
    [
        "p",
        "ul",
        "ol",
        "li",
        "blockquote",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "strong",
        "em",
        "s",
        "hr",
        "br",
    ]
)


def to_html_body(document: ReportDocument) -> str:
    """Return sections, limits and references as HTML, for a page whose h1 is the title.

    A marker is `<a class="cite" href="#ref-3" data-key="ortiz2019" data-claim="c12">[3]</a>`; all text of the
    document is escaped.
    """
    numbers, labels = numbering(document), LABELS[document.language]
    parts = [f'<div class="report-document" lang="{document.language}">']
    parts += [_section(section, numbers) for section in document.sections]
    parts += [_limits(document, labels), _references(document, labels), "</div>"]
    return "\n".join(part for part in parts if part)


def to_html(document: ReportDocument) -> str:
    """Return a self-contained HTML file, styled for light and dark, without scripts or external resources."""
    title = escape(one_line(document.title))
    digest = f'<p class="digest">{escape(LABELS[document.language].digest)}</p>' if document.extractive else ""
    digest_of_style = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    return f"""<!doctype html>
<html lang="{document.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-{digest_of_style}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{STYLE}</style>
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


def body_html(body: str, numbers: Mapping[str, int]) -> str:
    """Return a section's Markdown as HTML, omitting markers of unknown keys."""
    return "".join(_block(token, numbers) for token in blocks_of(body))


def _section(section: Section, numbers: Mapping[str, int]) -> str:
    level, key, heading = min(section.level + 1, 6), escape(section.key), escape(one_line(section.heading))
    body = body_html(section.body, numbers)
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


def _block(token: Token, numbers: Mapping[str, int]) -> str:
    if token.type == "inline":
        return _inline(token.children or (), numbers)
    if token.type in {"fence", "code_block"}:
        return f"<pre><code>{escape(without_numbers(token.content))}</code></pre>\n"
    if token.hidden or token.tag not in _ELEMENTS:
        return ""
    if token.nesting < 0:
        return f"</{token.tag}>\n"
    scope = ' scope="col"' if token.tag == "th" else ""
    start = f' start="{int(token.attrs["start"])}"' if token.tag == "ol" and "start" in token.attrs else ""
    return f"<{token.tag}{scope}{start}>"


def _inline(tokens: Sequence[Token], numbers: Mapping[str, int]) -> str:
    return "".join(_inline_parts(tokens, numbers))


def _inline_parts(tokens: Iterable[Token], numbers: Mapping[str, int]) -> Iterable[str]:
    for token in tokens:
        if token.type == "marker":
            yield _cite(token, numbers)
        elif token.type == "text":
            yield escape(without_numbers(token.content))
        elif token.type == "code_inline":
            yield f"<code>{escape(without_numbers(token.content))}</code>"
        elif token.type == "softbreak":
            yield "\n"
        elif token.type == "link_open":
            url = safe_url(str(token.attrs.get("href", "")))
            yield f'<a href="{escape(url)}" rel="noopener noreferrer nofollow">' if url else "<a>"
        elif token.type == "link_close":
            yield "</a>"
        elif token.tag in _ELEMENTS:
            yield f"</{token.tag}>" if token.nesting < 0 else f"<{token.tag}>"


def _cite(token: Token, numbers: Mapping[str, int]) -> str:
    key, claim = token.meta["key"], token.meta["claim"]
    if key not in numbers:
        return ""
    data = f' data-claim="{escape(claim)}"' if claim else ""
    return f'<a class="cite" href="#ref-{numbers[key]}" data-key="{escape(key)}"{data}>[{numbers[key]}]</a>'
