"""Read an uploaded document into sections with citation markers: Markdown directly, other formats by blocks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Literal

from core.config import Settings
from core.confined.child import within
from core.confined.children import confined
from core.errors import DocumentError
from core.messages import MessageCode
from pipeline.mupdf.file import check_pdf, open_pdf
from pipeline.recognition.page_contents import each_page
from research.document import ReportDocument
from research.markdown_text.parsing import front_matter
from research.text import detect_language
from services.library.blocks import Block
from services.library.columns import lines_of
from services.library.decode import decode
from services.library.error_codes import LibraryCode
from services.library.errors import NoTextInDocumentError, NotLibraryDocumentError, TooMuchTextError
from services.library.media_type import MediaType, media_type
from services.library.paragraphs import blocks_of
from services.library.read_text_files import read_html, read_plain, read_word
from services.supervision.edited_document import bounded_document

#: Limit in characters, about 400 printed pages: a supervision reads the whole text at each step.
_MAX_CHARACTERS = 1_200_000
#: Largest share of pages that may have no text, such as pictures and blank pages.
_TEXTLESS = 0.2


class ScannedDocumentError(DocumentError):
    """The pages of the PDF are pictures; only text can be revised."""

    code: ClassVar[MessageCode] = LibraryCode.SCANNED_DOCUMENT


def read_upload(settings: Settings, data: bytes, filename: str) -> ReportDocument:
    """Return the document in these bytes. Raises DocumentError."""
    with within(settings.parse_file_seconds):
        return _read(settings, data, filename)


def _read(settings: Settings, data: bytes, filename: str) -> ReportDocument:
    kind = _kind(data, filename)
    title = ""
    if kind is MediaType.MARKDOWN:
        text = decode(data)
    elif kind is MediaType.PDF:
        text = _markdown(_pdf_blocks(settings, data))
    else:
        read = {MediaType.WORD: read_word, MediaType.HTML: read_html}.get(kind, read_plain)
        found = read(data, settings.file_bounds)
        text, title = _markdown(found.blocks), found.facts.title
    if len(text) > _MAX_CHARACTERS:
        raise TooMuchTextError(f"{len(text)} characters")
    document = ReportDocument.model_validate_json(_document_of(text, detect_language(text)))
    if document.front_matter:
        document = document.model_copy(update={"front_matter": _as_sent(data, document.front_matter)})
    if not any(section.body.strip() for section in document.sections):
        raise NoTextInDocumentError("no words")
    return _titled(document, title)


@confined
def _document_of(text: str, language: Literal["en", "es"]) -> str:
    """Return the document of a Markdown text as JSON: what a child answers is plain data."""
    return bounded_document(text, language).model_dump_json()


def _as_sent(data: bytes, read: str) -> str:
    """Return the front matter with its original line ends and control characters, or `read` if it has a NUL."""
    try:
        front = front_matter(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return read
    return front if front and "\x00" not in front else read


def _titled(document: ReportDocument, told: str) -> ReportDocument:
    """Set the title: the text's own, else `told` from the metadata, else the single top heading without a body."""
    if document.title or told:
        return document.model_copy(update={"title": document.title or told})
    over = [section for section in document.sections if section.heading and section.level == 1]
    if len(over) != 1 or over[0].body.strip():
        return document
    below = tuple(
        section.model_copy(update={"level": max(1, section.level - 1)})
        for section in document.sections
        if section is not over[0]
    )
    return document.model_copy(update={"title": over[0].heading, "sections": below})


def _kind(data: bytes, filename: str) -> MediaType:
    kind = media_type(data, filename)
    # Text in a file that is not named .txt is read as Markdown, which also keeps plain text intact.
    if kind is MediaType.PLAIN and not filename.lower().endswith(".txt"):
        return MediaType.MARKDOWN
    if kind not in MediaType:
        raise NotLibraryDocumentError(kind)
    return kind


def _pdf_blocks(settings: Settings, data: bytes) -> list[Block]:
    count = check_pdf(data, settings.file_bounds)
    with open_pdf(data) as file:
        written = [number for number in range(1, count + 1) if file.has_text(number)]
    pictures, characters = count - len(written), 0
    _refuse_scanned(pictures, count)
    # A page whose text is not what it shows would be recognised for seconds, in a request: it counts as a picture.
    pages = []
    for page in each_page(data, settings, None, "none", written):
        if not page.words:
            pictures += 1
            _refuse_scanned(pictures, count)
        characters += sum(len(word.text) for word in page.words)
        if characters > _MAX_CHARACTERS:
            raise TooMuchTextError(f"more than {_MAX_CHARACTERS} characters")
        pages.append(lines_of(page))
    return blocks_of(pages)


def _refuse_scanned(pictures: int, count: int) -> None:
    if pictures > _TEXTLESS * count:
        raise ScannedDocumentError(f"{pictures} of {count} pages")


def _markdown(blocks: Iterable[Block]) -> str:
    """Return the blocks as Markdown, with paragraphs joined across page breaks."""
    parts: list[str] = []
    joins = False
    for block in blocks:
        if joins:
            parts[-1] += f" {block.text}"
        elif block.level is not None:
            parts.append(f"{'#' * block.level} {block.text}")
        elif block.tight and parts and parts[-1].startswith("- "):
            parts[-1] += f"\n- {_item(block.text)}"
        else:
            parts.append(f"- {_item(block.text)}" if block.tight else block.text)
        joins = block.runs_on
    return "\n\n".join(parts)


def _item(text: str) -> str:
    return text.lstrip("•●▪◦–—*- ")
