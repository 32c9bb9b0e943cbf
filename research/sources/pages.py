"""The text of fetched pages: HTML without navigation and boilerplate, PDF page by page, plain text."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from importlib.resources import files
from itertools import chain

from w3lib.encoding import html_body_declared_encoding, html_to_unicode, http_content_type_encoding

from core.confined.children import confined
from core.errors import DamagedDocumentError, DocumentError, EncryptedDocumentError
from research.sources.base import FetchedText, NoTextError, Paragraph, page_passages
from research.sources.exchange import HttpResponse
from research.text.markdown import paragraphs_of

#: The Accept header: text formats in order of preference; no images, videos or archives.
ACCEPT = "text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.8"

_PDF = ("application/pdf", "application/x-pdf")
_TEXT = ("text/plain", "text/markdown", "text/x-markdown")
_HTML = ("text/html", "application/xhtml+xml")
#: Media types that servers send for unknown content; the bytes decide.
_UNKNOWN = ("", "application/octet-stream", "binary/octet-stream", "application/force-download")
#: Prefixes of Python's names for the encodings of browsers; other codecs are not for text, or are slow.
_ENCODINGS = ("utf", "cp", "iso", "koi8", "mac", "gb", "big5", "euc", "shift")
#: Characters of a page's source that are read.
_MOST_CHARS = 1_500_000
#: Most pages of a PDF that are read.
_MOST_PAGES = 500
_TABLE_RULE = re.compile(r"[\s|:-]+")
#: Fewest words of a text without a complete sentence, and of a sentence; menus and forms have none.
_ENOUGH_WORDS, _SENTENCE_WORDS = 20, 5
#: Most characters of a notice; a longer paragraph that matches counts as content.
_LONGEST_NOTICE = 400
#: Most characters of a page with a wall's title that counts as a wall; a longer one has content.
_LONGEST_WALL = 800
_DATA = tomllib.loads(files(__package__).joinpath("walls.toml").read_text(encoding="utf-8"))
_WALL, _WALL_TITLE = (
    re.compile("|".join(chain(*_DATA[name].values())).replace(" ", r"\s+"), re.IGNORECASE)
    for name in ("notices", "titles")
)
_SENTENCE = re.compile(r"[.!?…][\"'”’»)\]]*\s*$")


def fetched_text(answer: HttpResponse) -> FetchedText:
    """Return the text of a fetched page. Raises NoTextError."""
    media_type = media_type_of(answer.headers)
    start = answer.body[:1024].lstrip()
    # A PDF is recognised by its first bytes, whatever the header says.
    if start.startswith(b"%PDF-"):
        try:
            paragraphs, title = _pdf(answer.body)
        except DocumentError as exc:
            raise NoTextError(f"a PDF that cannot be read: {exc.code}") from exc
        return text_from(paragraphs, answer.url, title)
    if media_type in _PDF or (media_type in _UNKNOWN and not start.startswith(b"<")):
        raise NoTextError("neither a page nor a PDF")
    header = answer.headers.get("Content-Type")
    declared = http_content_type_encoding(header) or html_body_declared_encoding(answer.body)
    if declared and not declared.startswith(_ENCODINGS):
        raise NoTextError(f"a page in {declared}")
    characters = html_to_unicode(header, answer.body, auto_detect_fun=_undeclared)[1][:_MOST_CHARS]
    if media_type not in _TEXT:
        return _html(characters, answer.url)
    plain = re.split(r"\n\s*\n", characters) if media_type == "text/plain" else paragraphs_of(characters)
    return text_from(plain, answer.url)


def text_from(
    paragraphs: Iterable[str | Paragraph], url: str | None, title: str | None = None, year: int | None = None
) -> FetchedText:
    """Build a text from paragraphs. Raises NoTextError if they are only a login wall or notice."""
    passages = page_passages(paragraphs)
    whole = "".join(passage.text for passage in passages)
    is_wall = len(whole) <= _LONGEST_WALL and _WALL_TITLE.search(title or "") is not None
    if is_wall or not has_enough_text(whole.splitlines()):
        raise NoTextError("a page without text, or only a notice")
    return FetchedText(passages, url, year)


def has_enough_text(paragraphs: Iterable[str]) -> bool:
    """Return whether a page has enough text apart from login walls, notices and CAPTCHAs."""
    words = 0
    for paragraph in paragraphs:
        if len(paragraph) <= _LONGEST_NOTICE and _WALL.search(paragraph):
            continue
        number_of_words = sum(1 for word in paragraph.split() if any(char.isalnum() for char in word))
        words += number_of_words
        if words >= _ENOUGH_WORDS or (number_of_words >= _SENTENCE_WORDS and _SENTENCE.search(paragraph)):
            return True
    return False


def media_type_of(headers: Mapping[str, str]) -> str:
    """Return the media type of a response. Raises NoTextError for one without text."""
    media_type = headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if media_type not in (*_PDF, *_TEXT, *_HTML, *_UNKNOWN):
        raise NoTextError(f"a page of type {media_type[:60]}")
    return media_type


def _undeclared(data: bytes) -> str:
    """Return the encoding of a page that does not declare any: UTF-8, else Windows-1252, as browsers do."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def _html(characters: str, url: str) -> FetchedText:
    import trafilatura
    from lxml.etree import LxmlError

    try:
        document = trafilatura.bare_extraction(
            characters,
            url=url,
            include_comments=False,
            with_metadata=True,
            date_extraction_params={"extensive_search": False, "original_date": True},
        )
    except (LxmlError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as exc:
        raise NoTextError(f"a page that cannot be read: {type(exc).__name__}") from exc
    if document is None or isinstance(document, dict):
        raise NoTextError("a page without text")
    lines = [line for line in (document.text or "").split("\n") if not _TABLE_RULE.fullmatch(line)]
    # A date is written as in ISO 8601.
    year = int(document.date[:4]) if document.date else None
    return text_from((line.strip(" |") for line in lines), url, document.title, year)


@confined
def _pdf(data: bytes) -> tuple[list[Paragraph], str | None]:
    """Return a PDF's paragraphs and title; pages without a text layer give none. Raises DocumentError."""
    # Imported here: it takes half a second, and most reports read no PDF from the web.
    from core.confined.mupdf import pymupdf

    # Errors in a PDF are raised, not printed to standard error.
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    flags = (pymupdf.TEXTFLAGS_TEXT | pymupdf.TEXT_DEHYPHENATE) & ~pymupdf.TEXT_PRESERVE_LIGATURES
    try:
        with pymupdf.open(stream=data, filetype="pdf") as document:
            if document.needs_pass:
                raise EncryptedDocumentError
            paragraphs: list[Paragraph] = [
                # A block's lines are broken by the width of its column.
                (" ".join(line.strip() for line in block[4].splitlines()), number)
                for number, page in enumerate(document.pages(0, min(document.page_count, _MOST_PAGES)), 1)
                for block in page.get_text("blocks", flags=flags)
                if block[6] == 0
            ]
            return paragraphs, (document.metadata or {}).get("title")
    except (RuntimeError, ValueError, TypeError, IndexError, pymupdf.mupdf.FzErrorBase) as exc:
        raise DamagedDocumentError(type(exc).__name__) from exc
