"""Read everything that came in one PDF as pages: documents in a row, attached files, data of dynamic forms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape

from core.config import FileBounds
from core.errors import DocumentError
from pipeline.files.documents_in_row import documents_in_row
from pipeline.files.notes import FileNote, file_note
from pipeline.files.pictured_sheets import pictured_sheets
from pipeline.mupdf.file import open_pdf
from pipeline.mupdf.plain import AttachedFile, Beside, Rect
from pipeline.mupdf.whole_file.put_together import pages_of_texts, put_together
from pipeline.reason_codes import ReasonCode

#: Converts the bytes of an attached file to a PDF, with notes of what that holds beside.
Convert = Callable[[bytes], "Whole"]
#: Values of more words are texts, which follow the others without a label.
_SHORT = 25


@dataclass(slots=True)
class Whole:
    """A PDF of everything that could be read, and what could not."""

    pdf: bytes
    page_count: int
    notes: list[FileNote] = field(default_factory=list)


def whole_pdf(data: bytes, bounds: FileBounds, convert: Convert | None = None) -> Whole:
    """Return all pages that came in a PDF, itself if it holds nothing else.

    Attached files are made pages by `convert`; without it they are only named. Raises what `check_pdf` raises.
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
    """Return a PDF of pictures with each sheet on a page of its own. Raises TooManyPagesError."""
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
    """Return one document with what is attached to it."""
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
    """Return the document itself, or its form's data set on pages where readers but one draw nothing of them."""
    if not beside.is_dynamic:
        return data, sheets
    notes.append(file_note(ReasonCode.DYNAMIC_FORM))
    texts = _texts_of(beside.form_data)
    return (pages_of_texts(texts), {}) if texts else (data, sheets)


def _attached(
    attached: Sequence[AttachedFile], bounds: FileBounds, convert: Convert | None
) -> tuple[list[bytes], list[FileNote]]:
    """Return the attached files that can be read, each once, and notes of what cannot."""
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
