"""Documents of other formats that a Word file brings in (`altChunk`, ECMA-376-1, 17.17.2), as simple HTML."""

from __future__ import annotations

import email
import email.policy
import re
from html import escape
from typing import Any

from lxml import etree, html

#: Chunks that are read; a file with more is not from a word processor.
MOST_CHUNKS = 50
_BLOCKS = {"p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "li", "ul", "ol", "blockquote", "pre"}
_KEPT = {*_BLOCKS, "br", "table", "tbody", "tr", "td", "th"}
#: What a browser does not display, and what is struck through.
_NOT_SHOWN = ("head", "title", "script", "style", "template", "noscript", "object", "s", "strike", "del")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|line-through", re.IGNORECASE)
_CHARSET = re.compile(rb"charset\s*+=\s*+(?:[\"']\s*+)?([\w-]+)", re.IGNORECASE)


def html_of(data: bytes, suffix: str) -> str | None:
    """Return a chunk as HTML; None for a format that is not read (RTF, anything unknown).

    Web pages, those saved with their pictures (MHT) and plain text are read.
    """
    begin = data[:2048].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if begin.startswith((b"{\\rtf", b"pk\x03\x04", b"\xd0\xcf\x11\xe0")):
        return None
    if suffix in ("mht", "mhtml") or begin.startswith((b"mime-version:", b"from:")):
        return _of_mail(data)
    if suffix in ("htm", "html", "xhtml", "xht") or re.match(rb"<(?:!doctype html|html|head|body|div|p)\b", begin):
        return _shown(_text(data))
    if (
        suffix in ("txt", "text", "md")
        and b"\0" not in data.removeprefix(b"\xff\xfe").removeprefix(b"\xfe\xff")[1::2]
    ):
        return "".join(f"<p>{escape(line)}</p>" for line in _text(data).splitlines() if line.strip())
    return None


def has_pictures(data: bytes) -> bool:
    """Whether a web page displays pictures, which are not read."""
    return re.search(rb"<img\b|<v:imagedata\b", data, re.IGNORECASE) is not None


def _of_mail(data: bytes) -> str | None:
    message = email.message_from_bytes(data, policy=email.policy.default)
    for part in message.walk():
        if part.get_content_type() == "text/html":
            content = part.get_payload(decode=True)
            return _shown(_text(content, part.get_content_charset())) if isinstance(content, bytes) else None
    return None


def _text(data: bytes, charset: str | None = None) -> str:
    """Decode a web page or text: by its mark, by what it says, else as UTF-8 or, failing that, as Windows-1252."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    said = _CHARSET.search(data[:2048])
    for name in (charset, said[1].decode("ascii") if said else None, "utf-8-sig"):
        try:
            return data.decode(name) if name else data.decode("utf-8-sig")
        except (LookupError, UnicodeDecodeError):
            continue
    return data.decode("cp1252", "replace")


def _shown(page: str) -> str:
    """What a web page displays, without its looks."""
    # A declaration of another encoding is refused where the text is decoded already.
    page = re.sub(r"^\s*<\?xml[^>]*\?>", "", page)
    if not page.strip():
        return ""
    root = html.document_fromstring(page)
    body = root.find("body")
    body = root if body is None else body
    for element in list(body.iter()):
        if not isinstance(element.tag, str) or _is_hidden(element):
            _drop(element)
    etree.strip_tags(
        body, *{node.tag for node in body.iter(etree.Element) if node.tag not in _KEPT and node is not body}
    )
    for element in body.iter(etree.Element):
        element.attrib.clear()
    body.tag = "div"
    return str(etree.tostring(body, encoding="unicode", method="html", with_tail=False))


def _is_hidden(element: Any) -> bool:
    return (
        element.tag in _NOT_SHOWN
        or "hidden" in element.attrib
        or _HIDDEN.search(element.get("style") or "") is not None
    )


def _drop(element: Any) -> None:
    if element.getparent() is not None:
        element.drop_tree()
