"""Read Markdown, HTML, Word and plain text into blocks."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from typing import Any
from xml.etree import ElementTree

import docx
import mammoth
import trafilatura
import yaml
from docx.opc.exceptions import OpcError
from markdown_it import MarkdownIt

from core.config import FileBounds
from core.confined.children import confined
from core.errors import DamagedDocumentError
from pipeline.files.word.package import BROKEN_WORD, check_archive
from services.library.blocks import Block, DocumentText, Facts, one_line
from services.library.decode import decode
from services.library.facts import (
    address_of,
    authors_of,
    dated,
    doi_of,
    facts_of,
    isbn_of,
    name_of,
    title_of,
    year_of,
)
from services.library.html_blocks import html_blocks

_FRONT_MATTER = re.compile(r"\A---\n(.{0,8192}?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
#: Least length of an extracted article as a share of the whole page; a shorter one has lost text.
_LOST = 0.25
_HARD_WRAP = 45
_COMPANY = "{http://schemas.openxmlformats.org/officeDocument/2006/extended-properties}Company"


@confined
def read_markdown(data: bytes, _bounds: FileBounds) -> DocumentText:
    """Read CommonMark with tables and optional YAML front matter. Raises NotLibraryDocumentError."""
    text = decode(data)
    facts, body = _front_matter(text)
    blocks = html_blocks(MarkdownIt("commonmark").enable("table").render(body))
    return DocumentText(blocks, _completed(facts, blocks))


def _front_matter(text: str) -> tuple[Facts, str]:
    found = _FRONT_MATTER.match(text)
    if found is None:
        return Facts(), text
    try:
        # Scalars stay the text that they are written as: "2026-13-45" is no error.
        given: Any = yaml.load(found[1], yaml.BaseLoader)  # nosec B506 - builds text, lists and dicts only
    except (yaml.YAMLError, RecursionError):
        return Facts(), text
    return (facts_of(given), text[found.end() :]) if isinstance(given, dict) else (Facts(), text)


@confined
def read_html(data: bytes, _bounds: FileBounds) -> DocumentText:
    """Read the article of a web page without its menus, or the whole page if no article is found."""
    text = decode(data)
    article = trafilatura.extract(
        text,
        output_format="html",
        include_links=True,
        include_tables=True,
        include_formatting=True,
        include_comments=False,
        favor_recall=True,
    )
    whole = html_blocks(text)
    blocks = html_blocks(article) if article else []
    if _length(blocks) < _LOST * _length(whole):
        blocks = whole
    return DocumentText(blocks, _completed(_html_facts(text), blocks))


def _length(blocks: list[Block]) -> int:
    return sum(len(block.text) for block in blocks)


def _html_facts(text: str) -> Facts:
    found = trafilatura.extract_metadata(text)
    meta = _meta_tags(text)
    authors = meta.get("citation_author", []) or [found.author or ""]
    return Facts(
        title=title_of(_one(meta, "citation_title") or found.title),
        authors=authors_of("; ".join(authors)),
        year=year_of(_one(meta, "citation_publication_date", "citation_date") or found.date),
        publisher=name_of(
            _one(meta, "citation_publisher", "citation_journal_title", "og:site_name", "publisher")
            or found.sitename
        ),
        url=address_of(_one(meta, "og:url") or found.url),
        doi=doi_of(_one(meta, "citation_doi", "dc.identifier") or ""),
        isbn=isbn_of("ISBN " + (_one(meta, "citation_isbn") or "")),
        is_sample=_one(meta, "sample") == "true",
    )


def _meta_tags(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for tag in re.findall(r"<meta\s[^>]{1,2000}>", text, re.IGNORECASE):
        parts = dict(re.findall(r"(?<![\w:-])[:-]*+(\w[\w:-]*+)\s*+=\s*+\"([^\"]*+)\"", tag))
        if name := parts.get("name") or parts.get("property"):
            found.setdefault(name.lower(), []).append(parts.get("content", ""))
    return found


def _one(meta: dict[str, list[str]], *names: str) -> str | None:
    return next((meta[name][0] for name in names if meta.get(name)), None)


@confined
def read_plain(data: bytes, _bounds: FileBounds) -> DocumentText:
    """Read paragraphs separated by empty lines. Hard-wrapped lines are joined, short lines are kept apart."""
    paragraphs = re.split(r"\n[ \t\f]*\n+|\f", decode(data))
    blocks = [block for paragraph in paragraphs for block in _plain_blocks(paragraph)]
    return DocumentText(blocks, _completed(Facts(), blocks))


def _plain_blocks(paragraph: str) -> list[Block]:
    lines = [one_line(line) for line in paragraph.split("\n") if line.strip()]
    lengths = sorted(len(line) for line in lines[:-1])
    if lengths and lengths[len(lengths) // 2] >= _HARD_WRAP:
        return [Block(" ".join(lines))]
    return [Block(line, tight=len(lines) > 1) for line in lines]


@confined
def read_word(data: bytes, bounds: FileBounds) -> DocumentText:
    """Read a Word file's headings, paragraphs, lists and tables.

    Raises UnpacksTooLargeError (before unpacking), EncryptedDocumentError, DamagedDocumentError.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            check_archive(archive, bounds)
            company = _company(archive)
        body = mammoth.convert_to_html(
            io.BytesIO(data), convert_image=mammoth.images.img_element(_no_picture)
        ).value
        about = docx.Document(io.BytesIO(data)).core_properties
    except (*BROKEN_WORD, OpcError) as exc:
        raise DamagedDocumentError("the Word file cannot be read") from exc
    blocks = html_blocks(f"<body>{body}</body>")
    facts = Facts(
        title=title_of(about.title),
        authors=authors_of(about.author),
        publisher=name_of(company),
        is_sample="sample" in (about.keywords or "").split(","),
    )
    made = about.created.year if about.created else None
    facts = _completed(facts, blocks)
    facts.year = facts.year or made
    return DocumentText(blocks, facts)


def _company(archive: zipfile.ZipFile) -> str | None:
    """Return the company in the file's properties, which serves as publisher."""
    try:
        # Parts with a document type were refused by `check_archive`.
        return ElementTree.fromstring(archive.read("docProps/app.xml")).findtext(_COMPANY)  # nosec B314
    except (KeyError, ElementTree.ParseError, zlib.error):
        return None


def _no_picture(_image: object) -> dict[str, str]:
    return {"alt": ""}


def _completed(facts: Facts, blocks: list[Block]) -> Facts:
    """Fill in missing title, year, DOI and ISBN from the beginning of the text."""
    begin = "\n".join(block.text for block in blocks[:40])
    if not facts.title and blocks:
        first = next((block.text for block in blocks if block.level is not None), blocks[0].text)
        facts.title = first if len(first) <= 200 else first[:197].rsplit(" ", 1)[0] + " …"
    facts.year = facts.year or dated(begin)
    facts.doi = facts.doi or doi_of(begin)
    facts.isbn = facts.isbn or isbn_of(begin)
    return facts
