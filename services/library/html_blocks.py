"""Convert HTML to blocks: headings, paragraphs, items and rows, in order; links keep their addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree, html

from services.library.blocks import Block, one_line

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_PARTS = {*_HEADINGS, "p", "li", "tr", "pre", "blockquote", "dt", "dd", "figcaption", "caption", "div", "section"}
_CONTAINERS = {"html", "body", "article", "main", "ul", "ol", "dl", "table", "thead", "tbody", "tfoot", "header"}
_UNREAD = {"script", "style", "template", "noscript", "head", "img", "svg", "nav"}


def html_blocks(text: str) -> list[Block]:
    """Return the visible text of the page as blocks; an empty list if it has none or cannot be parsed."""
    try:
        root = html.document_fromstring(text.encode(), parser=html.HTMLParser(encoding="utf-8"))
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return []
    return [block for block in _blocks(root) if block.text]


def _blocks(element: html.HtmlElement) -> Iterator[Block]:
    """Yield the blocks below an element; text between inner blocks is a separate block."""
    loose: list[str] = [element.text or ""]
    for child in element:
        tag = child.tag if isinstance(child.tag, str) else None
        if tag in _UNREAD or tag is None:
            loose.append(child.tail or "")
        elif tag in _PARTS or tag in _CONTAINERS:
            yield _block(element, "".join(loose))
            yield from ([_row(child)] if tag == "tr" else _blocks(child))
            loose = [child.tail or ""]
        else:
            loose += [_inline(child), child.tail or ""]
    yield _block(element, "".join(loose))


def _block(element: html.HtmlElement, text: str) -> Block:
    return Block(one_line(text), level=_HEADINGS.get(element.tag), tight=element.tag in ("li", "tr", "dt", "dd"))


def _row(row: html.HtmlElement) -> Block:
    """Return a table row as one line: "name: value" for two cells, else cells separated by semicolons."""
    cells = [one_line(_inline(cell)) for cell in row if cell.tag in ("td", "th")]
    cells = [cell for cell in cells if cell]
    two = len(cells) == 2 and len(cells[0]) < 60
    return Block((": " if two else "; ").join(cells), tight=True)


def _inline(element: html.HtmlElement) -> str:
    if not isinstance(element.tag, str) or element.tag in _UNREAD:
        return ""
    if element.tag == "br":
        return "\n"
    inner = (element.text or "") + "".join(_inline(child) + (child.tail or "") for child in element)
    address = element.get("href") or ""
    if element.tag == "a" and re.match(r"https?://", address) and address.rstrip("/") not in inner:
        return f"{inner} ({address})" if inner.strip() else ""
    return inner
