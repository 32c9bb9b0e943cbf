"""Convert an uploaded file to a PDF whose pages can be read, with everything that came in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import NamedTuple

from core.config import FileBounds, Settings
from core.errors import DocumentError
from pipeline.files.content_type import DOCX, PDF, FileNote, content_type, file_note
from pipeline.files.pictures import pictured_sheets, pictures_to_pdf
from pipeline.files.word.document import docx_to_pdf
from pipeline.mupdf.assembly import pages_of_texts, put_together
from pipeline.mupdf.file import open_pdf
from pipeline.mupdf.page_data import AttachedFile, Beside, Rect
from pipeline.reason_codes import ReasonCode


@dataclass(frozen=True, slots=True)
class Intake:
    """Result of the conversion: a file as the pipeline reads it."""

    pdf: bytes
    page_count: int
    #: Media type of the original, by its content.
    content_type: str
    #: Whether `pdf` was converted; if not, it is the original byte for byte.
    converted: bool
    #: What the file holds besides these pages.
    notes: tuple[FileNote, ...] = ()


def to_pdf(data: bytes, filename: str, settings: Settings) -> Intake:
    """Return `data` as a PDF. `filename` is used only in messages; the type is detected by content.

    Raises NotADocumentError, EncryptedDocumentError, DamagedDocumentError, EmptyDocumentError, TooManyPagesError,
    PictureTooLargeError, UnpacksTooLargeError or TooCostlyError.
    """
    kind, bounds = content_type(data), settings.file_bounds
    whole = _whole(data, kind, bounds, _converted_alone(bounds))
    return Intake(whole.pdf, whole.page_count, kind, whole.pdf is not data, tuple(whole.notes))


def _whole(data: bytes, kind: str, bounds: FileBounds, convert: Convert | None) -> Whole:
    if kind == PDF:
        return whole_pdf(data, bounds, convert)
    if kind != DOCX:
        return sheets_apart(pictures_to_pdf(data, bounds), bounds)
    pages, notes = docx_to_pdf(data, bounds)
    # A picture in it may show several sheets.
    whole = whole_pdf(pages, bounds)
    return Whole(whole.pdf, whole.page_count, [*notes, *whole.notes])


def _converted_alone(bounds: FileBounds) -> Convert:
    """Return a function that converts an attached file; files attached to that one are only named."""
    return lambda data: _whole(data, content_type(data), bounds, None)


# Read everything that came in one PDF as pages: documents in a row, attached files, data of dynamic forms.


#: Converts the bytes of an attached file to a PDF, with notes of what else it holds.
Convert = Callable[[bytes], "Whole"]
#: Values of more words are texts; they follow the others, without a label.
_SHORT = 25


@dataclass(slots=True)
class Whole:
    """A PDF of everything that could be read, and notes of the rest."""

    pdf: bytes
    page_count: int
    notes: list[FileNote] = field(default_factory=list)


def whole_pdf(data: bytes, bounds: FileBounds, convert: Convert | None = None) -> Whole:
    """Return all pages that came in a PDF, itself if it holds nothing else.

    `convert` turns attached files into pages; without it they are only named. Raises what `check_pdf` raises.
    """
    row = documents_in_row(data, bounds)
    found = [_with_its_own(document, bounds, convert) for document in row.documents]
    notes = [note for whole in found for note in whole.notes]
    if row.unread:
        notes.append(file_note(ReasonCode.MORE_IN_FILE, row.unread))
    if len(found) == 1:
        return Whole(found[0].pdf, found[0].page_count, notes)
    first, *others = (whole.pdf for whole in found)
    return _counted(put_together(first, {}, others, carries=False), bounds, notes)


def sheets_apart(pdf: bytes, bounds: FileBounds) -> Whole:
    """Return a PDF of pictures with each sheet on its own page. Raises TooManyPagesError."""
    with open_pdf(pdf) as file:
        count = file.count_within(bounds)
        shapes = {number: file.shape(number) for number in range(1, count + 1)}
        whole = {number: (0.0, 0.0, shape.width, shape.height) for number, shape in shapes.items()}
        sheets = pictured_sheets(file, whole)
    return _counted(put_together(pdf, sheets, [], carries=False), bounds, []) if sheets else Whole(pdf, count)


def _counted(pdf: bytes, bounds: FileBounds, notes: list[FileNote]) -> Whole:
    with open_pdf(pdf) as file:
        return Whole(pdf, file.count_within(bounds), notes)


def _with_its_own(data: bytes, bounds: FileBounds, convert: Convert | None) -> Whole:
    """Return one document with its attached files."""
    with open_pdf(data) as file:
        file.check(bounds)
        count = file.page_count
        beside = file.beside(bounds)
        sheets = beside.sheets | pictured_sheets(file, beside.pictured)
    if not (beside.attached or beside.is_dynamic or sheets):
        return Whole(data, count)
    others, notes = _attached(beside.attached, bounds, convert)
    document, sheets = _own_pages(data, beside, sheets, notes)
    if document is data and not others and not sheets:
        return Whole(data, count, notes)
    kept = None if others and beside.is_portfolio_cover else document
    return _counted(put_together(kept, sheets, others, carries=bool(beside.attached)), bounds, notes)


def _own_pages(
    data: bytes, beside: Beside, sheets: dict[int, list[Rect]], notes: list[FileNote]
) -> tuple[bytes, dict[int, list[Rect]]]:
    """Return the document itself, or pages of its form's data if only readers of XFA draw them."""
    if not beside.is_dynamic:
        return data, sheets
    notes.append(file_note(ReasonCode.DYNAMIC_FORM))
    texts = _texts_of(beside.form_data)
    return (pages_of_texts(texts), {}) if texts else (data, sheets)


def _attached(
    attached: Sequence[AttachedFile], bounds: FileBounds, convert: Convert | None
) -> tuple[list[bytes], list[FileNote]]:
    """Return the attached files that can be read, each once, and notes of the others."""
    read: dict[bytes, bytes] = {}
    notes: list[FileNote] = []
    unread: list[str] = []
    left = bounds.max_unpacked_bytes
    for file in attached:
        data = file.data
        if data is not None and data in read:
            continue
        try:
            if data is None or convert is None or len(data) > left:
                raise DocumentError("an attached file that is not read")
            whole = convert(data)
            if len(whole.pdf) > left:
                raise DocumentError("an attached file that is larger once it is converted")
        except DocumentError:
            unread.append(file.name)
            continue
        read[data] = whole.pdf
        left -= max(len(data), len(whole.pdf))
        notes += whole.notes
    if unread:
        notes.append(file_note(ReasonCode.ATTACHMENTS, len(unread), unread))
    return list(read.values()), notes


def _texts_of(values: Sequence[tuple[str, str]]) -> list[str]:
    """Return a page's HTML for each run of values in which no label comes twice."""
    runs: list[list[tuple[str, str]]] = []
    for label, value in values:
        if not runs or any(label == known for known, _ in runs[-1]):
            runs.append([])
        runs[-1].append((label, value))
    return [_text_of(run) for run in runs]


def _text_of(run: Sequence[tuple[str, str]]) -> str:
    short = [f"<p>{escape(label)}: {escape(value)}</p>" for label, value in run if len(value.split()) <= _SHORT]
    long = [
        f"<p>{escape(line)}</p>"
        for _, value in run
        if len(value.split()) > _SHORT
        for line in value.splitlines()
        if line.strip()
    ]
    return "".join([*short, *long])


# Find PDF files that were concatenated in one file.


_HEADER, _END = b"%PDF-", b"%%EOF"
#: Most bytes between the end of one file and the header of the next: line ends, a printer's commands.
_BETWEEN = 1024
#: A header after one of these is within a stream, as of an attached file, and begins no document.
_WITHIN = (b"stream", b" obj")
#: Most files that are separated; whatever follows the last one belongs to it.
_MOST = 200


class FileDocuments(NamedTuple):
    """The documents of a file, each a PDF; only the file itself if it is one document."""

    documents: list[bytes]
    #: Number of those that cannot be read.
    unread: int = 0


def documents_in_row(data: bytes, bounds: FileBounds) -> FileDocuments:
    """Return the documents in a PDF's bytes.

    A later version that was appended to a document (PDF 32000-1, 7.5.6) is not a separate document, even if its
    writer repeated the header: it cannot be opened without the part before it.
    """
    starts = [0, *_beginnings(data)]
    if len(starts) == 1:
        return FileDocuments([data])
    pieces = [data[start:end] for start, end in zip(starts, [*starts[1:], len(data)], strict=True)]
    pieces = list(dict.fromkeys(pieces))
    if len(pieces) == 1:
        return FileDocuments(pieces)
    sound = [_is_sound(piece, bounds) for piece in pieces]
    if _is_sound(data, bounds) and not all(sound):
        # Its offsets count from the start of the file: it is one document, in several versions.
        return FileDocuments([data], 0 if b"/Prev" in pieces[-1] else len(pieces) - 1)
    readable = [piece for piece in pieces if _can_be_read(piece, bounds)]
    if len(readable) < 2 and _can_be_read(data, bounds):
        return FileDocuments([data], 0 if all(b"/Prev" in piece for piece in pieces[1:]) else len(pieces) - 1)
    return FileDocuments(readable, len(pieces) - len(readable)) if readable else FileDocuments([data])


def _beginnings(data: bytes) -> Iterator[int]:
    """Yield the positions of headers that closely follow the end of a file."""
    at, found = data.find(_HEADER) + len(_HEADER), 0
    while found < _MOST and (at := data.find(_HEADER, at)) >= 0:
        end = data.rfind(_END, max(0, at - _BETWEEN), at)
        if end >= 0 and not any(word in data[end:at] for word in _WITHIN):
            found += 1
            yield at
        at += len(_HEADER)


def _is_sound(data: bytes, bounds: FileBounds) -> bool:
    """Whether it can be read without being repaired."""
    try:
        with open_pdf(data) as file:
            file.check(bounds)
            return not file.is_repaired()
    except DocumentError:
        return False


def _can_be_read(data: bytes, bounds: FileBounds) -> bool:
    try:
        with open_pdf(data) as file:
            file.check(bounds)
            return True
    except DocumentError:
        return False
