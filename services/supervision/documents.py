"""Documents for supervision: uploaded and read, and edited by a person."""

from __future__ import annotations

import uuid
from bisect import bisect_right
from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate
from typing import ClassVar, Literal

from sqlalchemy import func

from core.config import Settings
from core.confined.children import confined, within
from core.errors import AppError, DocumentError, FileTooLargeError, InvalidInputError, NoFileError
from core.messages import MessageCode
from core.models import Report, ReportStatus
from pipeline.mupdf.file import check_pdf, open_pdf
from pipeline.recognition.page_contents import each_page
from research.document import ReportDocument, Section, first_free
from research.exports.markdown import from_markdown, to_markdown
from research.supervision.loop.routing import cited_keys, revision_problems
from research.supervision.revisions import add_version
from research.text.language import detect_language
from research.text.markdown import front_matter
from services.context import Context
from services.library.blocks import TextBlock, lines_in_order, text_blocks
from services.library.media_type import (
    LibraryCode,
    MediaType,
    NoTextInDocumentError,
    NotLibraryDocumentError,
    TooManyPartsError,
    TooMuchTextError,
    decode,
    media_type,
)
from services.pages import one_of_few
from services.seasons import current_season
from services.supervision.request import SupervisionCode
from services.uploads.submit import display_name

_LONGEST_TITLE = 400
#: Limit in characters, about 400 printed pages: a supervision reads the whole text at each step.
_MAX_CHARACTERS = 1_200_000
#: Largest share of pages that may have no text, such as pictures and blank pages.
_TEXTLESS = 0.2
LONGEST_EDIT = 1_000_000
#: Most sections, and most references, of a document that a person sends.
MOST_PARTS = 2000
#: Longest document, in characters, whose full text a page shows for editing.
LONGEST_SHOWN = 300_000


def upload_document(
    context: Context,
    person_id: uuid.UUID,
    filename: str,
    data: bytes,
    *,
    library_only: bool = False,
    is_sample: bool = False,
) -> uuid.UUID:
    """Store the original unchanged, read it, create a finished report from it and return the report's id.

    Raises NoFileError, FileTooLargeError, BusyError, and DocumentError, saying what to do, for a file that cannot
    be read; such a file is not kept. `library_only`: supervisions of it use no provider but the library.
    `is_sample`: the report is shown as a sample.
    """
    if not data:
        raise NoFileError
    if len(data) > context.settings.max_upload_bytes:
        raise FileTooLargeError(f"{len(data)} bytes")
    report_id = uuid.uuid4()
    key = original_key(report_id)
    context.store.put(key, data, "application/octet-stream")
    try:
        with one_of_few():
            document = read_upload(context.settings, data, filename)
        name = display_name(filename)
        title = (document.title or name)[:_LONGEST_TITLE]
        with context.database.session() as session:
            row = Report(
                id=report_id,
                season_id=current_season(session).id,
                requested_by=person_id,
                origin="uploaded",
                query=title,
                language=document.language,
                type_chosen=True,
                kinds=["web", "academic", "book"],
                providers=["library"] if library_only else [],
                is_sample=is_sample,
                status=ReportStatus.DONE.value,
                phase="done",
                ended_because="complete",
                # No graph has run for it, so that there are no checkpoints to remove.
                pruned_at=func.now(),
            )
            session.add(row)
            session.flush()
            written = document.model_copy(update={"title": title})
            add_version(session, report_id, written, "uploaded", made_by=person_id, note=name)
    except AppError:
        context.store.delete(key)
        raise
    return report_id


def original_key(report_id: uuid.UUID) -> str:
    """Return the key of the original document in the file store."""
    return f"reports/{report_id}/original"


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
        # They take a tenth of a second to load.
        from services.library.reading import read_html, read_plain, read_word

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
    """Return the document of a Markdown text as JSON, since child processes return plain data."""
    return bounded_document(text, language).model_dump_json()


def _as_sent(data: bytes, read: str) -> str:
    """Return the front matter with its original line ends and control characters, or `read` if it has a NUL."""
    try:
        front = front_matter(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return read
    return front if front and "\x00" not in front else read


def _titled(document: ReportDocument, from_metadata: str) -> ReportDocument:
    """Set the title: the text's own, else `told` from the metadata, else the single top heading without a body."""
    if document.title or from_metadata:
        return document.model_copy(update={"title": document.title or from_metadata})
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


def _pdf_blocks(settings: Settings, data: bytes) -> list[TextBlock]:
    count = check_pdf(data, settings.file_bounds)
    with open_pdf(data) as file:
        written = [number for number in range(1, count + 1) if file.has_text(number)]
    pictures, characters = count - len(written), 0
    _refuse_scanned(pictures, count)
    # A page whose text is not what it shows would take seconds to recognise in a request: it counts as a picture.
    pages = []
    for page in each_page(data, settings, None, "none", written):
        if not page.words:
            pictures += 1
            _refuse_scanned(pictures, count)
        characters += sum(len(word.text) for word in page.words)
        if characters > _MAX_CHARACTERS:
            raise TooMuchTextError(f"more than {_MAX_CHARACTERS} characters")
        pages.append(lines_in_order(page))
    return text_blocks(pages)


def _refuse_scanned(pictures: int, count: int) -> None:
    if pictures > _TEXTLESS * count:
        raise ScannedDocumentError(f"{pictures} of {count} pages")


def _markdown(blocks: Iterable[TextBlock]) -> str:
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


def may_edit_whole(document: ReportDocument) -> bool:
    """Whether a page can show the full document for editing; of a longer one it shows the changed sections."""
    return sum(len(one.heading) + len(one.body) + 50 for one in document.sections) <= LONGEST_SHOWN


def editable_markdown(document: ReportDocument) -> str:
    """Return the document as Markdown for editing, with source keys as markers and the references at the end."""
    return to_markdown(document, keyed=True)


def edited_document(
    before: ReportDocument, proposed: ReportDocument, markdown: str, new_keys: Collection[str]
) -> ReportDocument:
    """Return the document of an edited text.

    Raises InvalidInputError, which lists all objections of the guard; TooManyPartsError, TooCostlyError,
    BusyError.
    """
    if not markdown.strip():
        raise InvalidInputError(SupervisionCode.TEXT_EMPTY)
    if len(markdown) > LONGEST_EDIT:
        raise InvalidInputError(SupervisionCode.TEXT_TOO_LONG, length=len(markdown), most=LONGEST_EDIT)
    with one_of_few():
        return ReportDocument.model_validate_json(_read_edited(before, proposed, markdown, frozenset(new_keys)))


def bounded_document(markdown: str, language: Literal["en", "es"]) -> ReportDocument:
    """Return the document of a Markdown text. Runs in child processes, without memory for language files.

    Raises TooManyPartsError if the pages that show it would have too many parts.
    """
    document = from_markdown(markdown, language)
    if max(len(document.sections), len(document.references)) > MOST_PARTS:
        raise TooManyPartsError(f"{len(document.sections)} sections, {len(document.references)} references")
    return document


@confined
def _read_edited(before: ReportDocument, proposed: ReportDocument, markdown: str, new_keys: frozenset[str]) -> str:
    """Return the document as JSON, since child processes return plain data."""
    parsed = bounded_document(markdown, proposed.language)
    document = proposed.model_copy(
        update={
            "title": parsed.title or proposed.title,
            "sections": _with_keys(parsed.sections, proposed.sections),
            "limits": parsed.limits,
        }
    )
    # References to new sources that the edited text does not cite are removed.
    stay = cited_keys(document) | {reference.key for reference in before.references}
    listed = tuple(reference for reference in document.references if reference.key in stay)
    document = document.model_copy(update={"references": listed})
    if problems := revision_problems(before, document, new_keys):
        raise InvalidInputError(SupervisionCode.TEXT_REFUSED, problems=problems)
    return document.model_dump_json()


def _with_keys(edited: Sequence[Section], known: Sequence[Section]) -> tuple[Section, ...]:
    """Give the edited sections their previous keys: by heading, or for renamed ones by position between these."""
    places = _places(edited, known)
    taken = {known[place].key for place in places if place is not None}
    found = []
    for section, place in zip(edited, places, strict=True):
        key = _free(section.key, taken) if place is None else known[place].key
        taken.add(key)
        required = section.required if place is None else known[place].required
        found.append(section.model_copy(update={"key": key, "required": required}))
    return tuple(found)


def _places(edited: Sequence[Section], known: Sequence[Section]) -> list[int | None]:
    """Return the index of each edited section's known one, None for a new section."""
    of_heading: dict[str, deque[int]] = defaultdict(deque)
    for at, section in enumerate(known):
        of_heading[_folded(section.heading)].append(at)
    same = (of_heading.get(_folded(section.heading)) for section in edited)
    places = [queue.popleft() if queue else None for queue in same]
    return _renamed(places, len(known))


def _renamed(places: list[int | None], count: int) -> list[int | None]:
    """Give each section without an index the first free one of `count` between its neighbors' indices."""
    # For each position, the lowest index of any later section.
    ahead = list(accumulate(reversed([count if one is None else one for one in places]), min, initial=count))
    left = sorted(set(range(count)) - set(places))
    low = -1
    for index, place in enumerate(places):
        if place is None:
            found = bisect_right(left, low)
            if found < len(left) and left[found] < ahead[len(places) - 1 - index]:
                places[index] = left.pop(found)
        low = max(low, -1 if (now := places[index]) is None else now)
    return places


def _folded(heading: str) -> str:
    return " ".join(heading.casefold().split())


def _free(key: str, taken: Collection[str]) -> str:
    return first_free(lambda number: f"{key}-{number + 1}" if number else key, taken)
