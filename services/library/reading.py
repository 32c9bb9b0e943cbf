"""Read a document of the library: PDF, Word, web page, text."""

from __future__ import annotations

import io
import re
import time
import uuid
import zipfile
import zlib
from collections.abc import Callable, Sequence
from typing import Any
from xml.etree import ElementTree

import docx
import mammoth
import trafilatura
import yaml
from docx.opc.exceptions import OpcError
from markdown_it import MarkdownIt
from sqlalchemy import delete, insert, update

from core.clock import utcnow
from core.config import FileBounds, Settings
from core.confined.children import confined, within
from core.errors import DamagedDocumentError
from core.file_store import FileStore
from core.lease import Lease
from core.llm.embeddings import open_embedder
from core.models import LibraryDocument, LibraryPassage, LibraryStatus
from core.models.base import error_columns
from pipeline.files.word.package import BROKEN_WORD, check_archive
from pipeline.mupdf.file import check_pdf, open_pdf
from pipeline.recognition.page_contents import each_page
from research.text.language import detect_language
from services.context import Context
from services.library.blocks import (
    DocumentText,
    FoundMetadata,
    PrintedLine,
    TextBlock,
    html_blocks,
    lines_in_order,
    single_spaced,
    text_blocks,
    visible_text,
)
from services.library.copies import run_keys
from services.library.media_type import MediaType, NoTextInDocumentError, TooMuchTextError, decode, media_type
from services.library.passages import (
    PassageText,
    authors_of,
    dated,
    doi_of,
    embedding_columns,
    front_matter_facts,
    isbn_of,
    passages_of_blocks,
    published_by,
    publisher_name,
    title_of,
    web_address_of,
    year_of,
)
from services.recovery.research_kinds import DOCUMENTS, MEANINGS
from services.recovery.work import keeping, queue_rows, take_lease

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


def _front_matter(text: str) -> tuple[FoundMetadata, str]:
    found = _FRONT_MATTER.match(text)
    if found is None:
        return FoundMetadata(), text
    try:
        # Scalars stay text: "2026-13-45" is no error.
        given: Any = yaml.load(found[1], yaml.BaseLoader)  # nosec B506 - builds text, lists and dicts only
    except (yaml.YAMLError, RecursionError):
        return FoundMetadata(), text
    return (front_matter_facts(given), text[found.end() :]) if isinstance(given, dict) else (FoundMetadata(), text)


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


def _length(blocks: list[TextBlock]) -> int:
    return sum(len(block.text) for block in blocks)


def _html_facts(text: str) -> FoundMetadata:
    found = trafilatura.extract_metadata(text)
    meta = _meta_tags(text)
    authors = meta.get("citation_author", []) or [found.author or ""]
    return FoundMetadata(
        title=title_of(_one(meta, "citation_title") or found.title),
        authors=authors_of("; ".join(authors)),
        year=year_of(_one(meta, "citation_publication_date", "citation_date") or found.date),
        publisher=publisher_name(
            _one(meta, "citation_publisher", "citation_journal_title", "og:site_name", "publisher")
            or found.sitename
        ),
        url=web_address_of(_one(meta, "og:url") or found.url),
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
    first = next((one.strip().split("\n", 1) for one in paragraphs if one.strip()), [""])
    # A first line that the second does not go on from is the title.
    is_title = len(first) > 1 and first[1].lstrip()[:1].isupper() and not first[0].rstrip().endswith(",")
    facts = FoundMetadata(title=title_of(first[0]) if is_title else "")
    return DocumentText(blocks, _completed(facts, blocks))


def _plain_blocks(paragraph: str) -> list[TextBlock]:
    lines = [single_spaced(line) for line in paragraph.split("\n") if line.strip()]
    lengths = sorted(len(line) for line in lines[:-1])
    if lengths and lengths[len(lengths) // 2] >= _HARD_WRAP:
        return [TextBlock(" ".join(lines))]
    return [TextBlock(line, tight=len(lines) > 1) for line in lines]


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
    facts = FoundMetadata(
        title=title_of(about.title),
        authors=authors_of(about.author),
        publisher=publisher_name(company),
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


def _completed(facts: FoundMetadata, blocks: list[TextBlock]) -> FoundMetadata:
    """Fill in missing title, year, DOI and ISBN from the beginning of the text."""
    begin = "\n".join(block.text for block in blocks[:40])
    if not facts.title and blocks:
        first = next((block.text for block in blocks if block.level is not None), blocks[0].text)
        facts.title = first if len(first) <= 200 else first[:197].rsplit(" ", 1)[0] + " …"
    facts.publisher = facts.publisher or published_by("\n".join(block.text for block in blocks[:3]))
    facts.year = facts.year or dated(begin)
    facts.doi = facts.doi or doi_of(begin)
    facts.isbn = facts.isbn or isbn_of(begin)
    return facts


_READERS: dict[MediaType, Callable[[bytes, FileBounds], DocumentText]] = {
    MediaType.WORD: read_word,
    MediaType.MARKDOWN: read_markdown,
    MediaType.HTML: read_html,
    MediaType.PLAIN: read_plain,
}
#: Limit of characters in a document; about 3,000 printed pages.
_MAX_CHARACTERS = 8_000_000
#: Characters of the text from which its language is detected.
_SAMPLE = 20_000
#: Seconds between two updates of the progress.
_NOTE_EVERY = 1.0


def read_library_document(context: Context, document_id: uuid.UUID) -> bool:
    """Read one document; return False if there was nothing to do.

    Safe to repeat: a document that is ready, failed, removed or leased to another worker is left unchanged.
    Raises DocumentError if it cannot be read; the caller records it. No database session is open while pages are
    read.
    """
    lease = take_lease(context, DOCUMENTS, document_id)
    if lease is None:
        return False
    with keeping(context, lease), within(context.settings.parse_file_seconds):
        done = _read(context, lease)
    if done and open_embedder(context.settings).dimensions:
        queue_rows(context, MEANINGS, document_id)
    return done


def _read(context: Context, lease: Lease[LibraryDocument]) -> bool:
    with context.database.session() as session:
        document = lease.hold(session)
    data = context.store.get(document.storage_key)
    kind = media_type(data, document.original_filename)
    if kind is MediaType.PDF:
        found = read_pdf(data, context.settings, context.store, _progress(context, lease))
    else:
        found = read_document_text(kind, data, context.settings.file_bounds)
    return _finish(context, lease, document, kind, found, divided(found))


def read_document_text(kind: MediaType, data: bytes, bounds: FileBounds) -> DocumentText:
    """Return the text and metadata of a document of any kind but PDF. Raises DocumentError."""
    return _READERS[kind](data, bounds)


def divided(found: DocumentText) -> list[PassageText]:
    """Return a document's passages. Raises TooMuchTextError, NoTextInDocumentError."""
    if (characters := sum(len(block.text) for block in found.blocks)) > _MAX_CHARACTERS:
        raise TooMuchTextError(f"{characters} characters")
    passages = passages_of_blocks(found.blocks)
    if not any(passage.text.strip() for passage in passages):
        raise NoTextInDocumentError("no words")
    return passages


def _progress(context: Context, lease: Lease[LibraryDocument]) -> Progress:
    """Return a callback that records the pages done, at most once in `_NOTE_EVERY` seconds."""
    noted = 0.0

    def note(done: int, count: int) -> None:
        nonlocal noted
        now = time.monotonic()
        if done and done < count and now - noted < _NOTE_EVERY:
            return
        noted = now
        context.database.execute(
            update(LibraryDocument)
            .where(lease.is_mine(), LibraryDocument.status == LibraryStatus.READING.value)
            .values(pages_done=done, page_count=count, updated_at=utcnow())
        )

    return note


def _finish(
    context: Context,
    lease: Lease[LibraryDocument],
    document: LibraryDocument,
    kind: MediaType,
    found: DocumentText,
    passages: Sequence[PassageText],
) -> bool:
    """Replace the document's passages, unless it was removed meanwhile; return whether they were replaced."""
    facts = found.facts
    language = facts.language or detect_language("".join(one.text for one in passages[:40])[:_SAMPLE])
    with context.database.session() as session:
        standing = session.scalar(
            update(LibraryDocument)
            .where(lease.is_mine(), LibraryDocument.status == LibraryStatus.READING.value)
            .values(
                status=LibraryStatus.READY.value,
                title=facts.title or document.original_filename,
                authors=facts.authors,
                publisher=document.publisher or facts.publisher,
                year=facts.year,
                url=facts.url,
                doi=facts.doi,
                isbn=facts.isbn,
                language=language,
                is_sample=document.is_sample or facts.is_sample,
                content_type=kind.value,
                page_count=found.page_count,
                pages_done=found.page_count or 0,
                char_count=passages[-1].end_char,
                **error_columns(None),
                **embedding_columns(context),
                updated_at=utcnow(),
            )
            .returning(LibraryDocument.id)
        )
        if standing is None:
            return False
        session.execute(delete(LibraryPassage).where(LibraryPassage.document_id == document.id))
        session.execute(insert(LibraryPassage), passage_rows(document.id, passages, language))
    return True


def passage_rows(document_id: uuid.UUID, passages: Sequence[PassageText], language: str) -> list[dict[str, Any]]:
    """Return the passages as rows of `library_passages`."""
    keys = run_keys([passage.text for passage in passages])
    return [
        {
            "document_id": document_id,
            "position": passage.position,
            "page_no": passage.page_no,
            "start_char": passage.start_char,
            "end_char": passage.end_char,
            "heading": passage.heading,
            "text": passage.text,
            "language": language,
            "run_keys": own,
        }
        for passage, own in zip(passages, keys, strict=True)
    ]


# Read a PDF: its text in reading order, with OCR of scanned pages, and its metadata.


#: Callback with the number of pages done and the number of all pages.
Progress = Callable[[int, int], None]


def read_pdf(data: bytes, settings: Settings, store: FileStore, progress: Progress) -> DocumentText:
    """Return the text and metadata of a PDF. Raises DocumentError, RecognitionError."""
    count = check_pdf(data, settings.file_bounds)
    progress(0, count)
    pages: list[list[PrintedLine]] = []
    for page in each_page(data, settings, store):
        pages.append(lines_in_order(page))
        progress(len(pages), count)
    blocks = text_blocks(pages)
    return DocumentText(blocks, _facts(data, blocks), count)


def _facts(data: bytes, blocks: list[TextBlock]) -> FoundMetadata:
    with open_pdf(data) as file:
        information, xmp = file.facts()
    about, xmp = {key: visible_text(value) for key, value in information.items()}, visible_text(xmp)
    begin = "\n".join(block.text for block in blocks if (block.page_no or 1) <= 2)
    return FoundMetadata(
        title=title_of(about.get("title")) or _title_on_page(blocks),
        authors=authors_of(about.get("author", "")),
        year=year_of(_of_xmp(xmp, "dc:date")) or dated(begin) or year_of(about.get("creationDate", "")[2:6]),
        publisher=publisher_name(_of_xmp(xmp, "dc:publisher")),
        url=web_address_of(_of_xmp(xmp, "dc:source")),
        doi=doi_of(_of_xmp(xmp, "dc:identifier") or "") or doi_of(begin),
        isbn=isbn_of(begin),
        is_sample="sample" in re.split(r"[,;\s]+", about.get("keywords", "")),
    )


def _of_xmp(xmp: str, name: str) -> str | None:
    """Return the text of the first XMP property of this name, None without one."""
    begin = re.search(rf"<{name}\b", xmp)
    if begin is None:
        return None
    _, _, behind = xmp[begin.end() :].partition(">")
    text, closing, _ = behind.partition(f"</{name}>")
    return re.sub(r"<[^<>]++>", " ", text).strip() or None if closing else None


def _title_on_page(blocks: list[TextBlock]) -> str:
    """Return the highest-level heading of the first page, else its first block."""
    first = [block for block in blocks if block.page_no == 1]
    headings = sorted((block for block in first if block.level), key=lambda block: block.level or 9)
    found = headings[0].text if headings else first[0].text if first else ""
    return title_of(found if len(found) <= 200 else found[:197].rsplit(" ", 1)[0] + " …")
