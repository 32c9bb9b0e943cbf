"""Read pages as `PageContent`: from the text layer if it is reliable, else by OCR, with writing besides type."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image
from rapidfuzz import fuzz

from core.config import Settings
from core.error_codes import Cost
from core.errors import TooCostlyError
from core.file_store import FileStore
from pipeline.mupdf.file import PdfFile, open_pdf
from pipeline.mupdf.opened import LONGEST_WORD, MOST_WORDS
from pipeline.ocr import recognise, recognise_line, turn_picture
from pipeline.ocr_providers import get_provider
from pipeline.ocr_providers.base import OcrProvider
from pipeline.pages.layout import with_joined_initials, without_edges, without_margins
from pipeline.pages.page_model import Box, Displayed, PageContent, Recent, Source, Widget, Word, turn_box
from pipeline.pages.text_layer import TextLayer, notes_of, read_text_layer, typed_in
from pipeline.pages.text_trust import (
    LONGEST,
    Look,
    TextEvidence,
    distrust,
    garbled,
    look_at,
    render,
    scale_of,
    words_explain,
)
from pipeline.pages.widgets import widgets_of
from pipeline.reason_codes import ReasonCode
from pipeline.recognition.enhancement import other_side

#: Most pages that are read from one opening of a document.
_PAGES_AT_ONCE = 50
#: The reason to distrust a text layer that is correct but has less than the page shows.
_INCOMPLETE = "stray_letters"
#: Pages without recognition, by the file's digest and their number. Recognitions have their own cache.
_RECENT: Recent[tuple[bytes, int], PageContent] = Recent(32)


def render_page(
    pdf: bytes, number: int, dpi: int, clip: Box | None = None, turned: int = 0, *, managed_colours: bool = True
) -> Image.Image:
    """Render page `number` (from 1), or the part of it in `clip`, as displayed, then turned clockwise.

    A page longer than legal paper is drawn as if it were that long. Without managed colours, ICC profiles are
    ignored. Raises DamagedDocumentError.
    """
    with open_pdf(pdf) as file:
        return render(file, number, dpi, clip, turned=turned, managed_colours=managed_colours)


def read_pages(
    pdf: bytes,
    settings: Settings,
    store: FileStore | None,
    provider: str | OcrProvider | None = None,
    pages: Sequence[int] | None = None,
    *,
    force_ocr: bool = False,
) -> list[PageContent]:
    """Read the given pages (all if None), in that order.

    `force_ocr` also recognises pages whose text is reliable or whose fields hold the entry. Do not change the
    returned pages: they are shared. Raises DamagedDocumentError, EncryptedDocumentError, TooCostlyError if a page
    has more words than any sheet, RecognitionError, StorageError.
    """
    if pages is not None and not force_ocr and (known := _known(hashlib.sha256(pdf).digest(), pages)) is not None:
        return known
    return list(each_page(pdf, settings, store, provider, pages, force_ocr=force_ocr))


def each_page(
    pdf: bytes,
    settings: Settings,
    store: FileStore | None,
    provider: str | OcrProvider | None = None,
    pages: Sequence[int] | None = None,
    *,
    force_ocr: bool = False,
) -> Iterator[PageContent]:
    """Like `read_pages`, but lazily, so that a long file need not be in memory."""
    named = provider or settings.ocr_provider
    recogniser = get_provider(named, settings) if isinstance(named, str) else named
    digest = hashlib.sha256(pdf).digest()
    for file, number in _pages_of(pdf, pages):
        content = None if force_ocr else _RECENT.get((digest, number))
        if content is None:
            content = _read(file, number, settings, store, recogniser, force_ocr)
        if content.source is not Source.OCR:
            _RECENT.keep((digest, number), content)
        yield content


def _pages_of(pdf: bytes, pages: Sequence[int] | None) -> Iterator[tuple[PdfFile, int]]:
    """Yield each page's number with its file, reopened now and then because MuPDF keeps loaded objects."""
    begin, wanted = 0, pages
    while wanted is None or begin < len(wanted):
        with open_pdf(pdf) as file:
            wanted = wanted if wanted is not None else range(1, file.page_count + 1)
            for number in wanted[begin : begin + _PAGES_AT_ONCE]:
                yield file, number
        begin += _PAGES_AT_ONCE


def _known(digest: bytes, pages: Sequence[int]) -> list[PageContent] | None:
    """Return the pages if all of them are cached."""
    found = [content for number in pages if (content := _RECENT.get((digest, number))) is not None]
    return found if len(found) == len(pages) else None


def _read(
    file: PdfFile, number: int, settings: Settings, store: FileStore | None, provider: OcrProvider, force_ocr: bool
) -> PageContent:
    parts = file.parts(number)
    notes = notes_of(parts)
    layer = typed_in(read_text_layer(parts), notes)
    content = PageContent(
        number,
        parts.shape.width,
        parts.shape.height,
        widgets=widgets_of(parts),
        by_pen=bool(parts.pen),
        mark=parts.mark,
        notes=notes,
    )
    if any(widget.illegible for widget in content.widgets):
        content.widgets = as_recognised(content, file, settings, store, provider)
    pictured: list[Box] = []
    if words_explain(layer, parts.paint, Displayed(parts.shape)):
        words = layer.words
        told = garbled([word.text for word in words], layer.fonts, parts.fonts.unnamed)
        content.distrust = "garbled" if told else None
    else:
        look = look_at(file.small(number, LONGEST))
        words = _look(content, look, layer, parts.fonts.unnamed)
        pictured = look.written_on([*(word.box for word in words), *_apart(content, layer)])
    if content.distrust is None and words and parts.fonts.contradicted:
        content.distrust = "contradicted"
    if content.distrust is None or (content.distrust == _INCOMPLETE and _fields_carry_it(content)):
        _believe(content, words, layer)
        content.notes = [note for note in notes if not set(note.words) <= set(words)] if notes else notes
    if force_ocr or (content.distrust and not _fields_carry_it(content)):
        if content.distrust == "contradicted":
            content.doubts.append(ReasonCode.NOT_AS_SHOWN.value)
        picture = render(file, number, settings.ocr_dpi)
        _recognise(content, picture, settings, store, provider)
        if content.places_known and (side := other_side(file, number, content.words)) is not None:
            content.other_side = content.words
            _recognise(content, side.without(picture), settings, store, provider)
            content.ink = min(content.ink, side.own_ink)
    elif content.by_pen or pictured:
        add_writing(content, file, pictured, settings, store, provider)
    if len(content.words) > MOST_WORDS:
        raise TooCostlyError(Cost.WORDS, words=MOST_WORDS, letters=LONGEST_WORD)
    return content


def _look(content: PageContent, look: Look, layer: TextLayer, unnamed: frozenset[str]) -> list[Word]:
    """Check the text layer against the rendered page, and return the visible words."""
    words = [word for word in layer.words if word.box not in layer.white or look.shows(word.box)]
    evidence = replace(_evidence(look, layer, words, _apart(content, layer)), unnamed=unnamed)
    content.ink, content.is_picture = look.ink_share, evidence.is_picture
    content.distrust = distrust(evidence)
    return words


def _evidence(look: Look, layer: TextLayer, words: Sequence[Word], apart: Sequence[Box]) -> TextEvidence:
    boxes = [word.box for word in words]
    known = [*boxes, *apart]
    return TextEvidence(
        words=[word.text for word in words],
        fonts=layer.fonts if len(words) == len(layer.words) else [""] * len(words),
        hidden_letters=layer.hidden_letters,
        ink=look.ink_share,
        ink_of_words=look.read(boxes),
        ink_unread=look.unread(known),
        ink_of_pictures=look.pictured(known),
        pictures=look.picture_share,
    )


def _apart(content: PageContent, layer: TextLayer) -> list[Box]:
    """Return the boxes of known content that is not text of the page: fields, notes, watermarks."""
    return [*(widget.box for widget in content.widgets), *(note.box for note in content.notes), *layer.aside]


def _believe(content: PageContent, words: list[Word], layer: TextLayer) -> None:
    content.words = _without_print(content, words) if layer.turned == 0 else words
    content.source = Source.TEXT_LAYER if words else None
    content.covered = layer.covered
    content.turned = layer.turned


def _without_print(content: PageContent, words: list[Word]) -> list[Word]:
    """Return the words without programs' print in the margins, each initial joined with its word."""
    return with_joined_initials(without_margins(words, content.height), content.height)


def _fields_carry_it(content: PageContent) -> bool:
    """Whether AcroForm fields hold the entry, so that at most printed labels of the page are not read."""
    filled = [widget for widget in content.widgets if widget.kind == "text" and widget.value]
    return bool(filled) and not content.is_picture


def _recognise(
    content: PageContent, picture: Image.Image, settings: Settings, store: FileStore | None, provider: OcrProvider
) -> None:
    found = recognise(picture, provider, settings, store)
    sideways = found.turned in (90, 270)
    content.words = [
        word._replace(
            size=round(word.box.width * content.width if sideways else word.box.height * content.height, 2)
        )
        for word in found.words
    ]
    if found.turned == 0:
        content.words = without_edges(content.words, content.height)
    content.source, content.covered, content.places_known = Source.OCR, [], provider.places_known
    content.ocr_confidence = found.confidence
    content.turned = found.turned


# Recognise what a field draws if the text of its appearance does not say it.


#: Dots per inch at which a field is drawn.
_DPI = 200
#: Greatest height in points of a field with one line.
_ONE_LINE = 30.0
#: Least height in pixels of the sheet for a taller field: the recogniser would enlarge a lower one.
_SHEET_HEIGHT = 740
#: Most fields of a page that are recognised; the others remain in doubt.
_MOST = 12
#: Least contrast (shades) of a field that draws something.
_CONTRAST = 60
#: Least likeness (0-100) of the recognised text and the file's value if they are the same.
_ALIKE = 80.0


def as_recognised(
    page: PageContent, file: PdfFile, settings: Settings, store: FileStore | None, provider: OcrProvider
) -> list[Widget]:
    """Return the fields of a page, the illegible ones with the recognised text of their places.

    If that agrees with the file, nothing is in doubt. Raises RecognitionError, DamagedDocumentError.
    """
    waiting = [n for n, widget in enumerate(page.widgets) if widget.illegible][:_MOST]
    widgets = list(page.widgets)
    for n in waiting:
        widgets[n] = _settled(widgets[n], _text(widgets[n], page, file, settings, store, provider))
    return widgets


def _settled(widget: Widget, text: str) -> Widget:
    if not text:
        return widget
    if fuzz.ratio(text.casefold(), " ".join(widget.value.split()).casefold()) >= _ALIKE:
        return replace(widget, other=None, illegible=False)
    return replace(widget, value=text, other=widget.value, illegible=False)


def _text(
    widget: Widget,
    page: PageContent,
    file: PdfFile,
    settings: Settings,
    store: FileStore | None,
    provider: OcrProvider,
) -> str:
    x0, y0, x1, y1 = widget.box
    clip = (x0 * page.width, y0 * page.height, x1 * page.width, y1 * page.height)
    pixels = file.spot(page.number, scale_of(page.width, page.height, _DPI), clip)
    if not pixels.size or int(np.ptp(pixels)) < _CONTRAST:
        return ""
    picture = Image.fromarray(pixels)
    if clip[3] - clip[1] <= _ONE_LINE:
        return " ".join(recognise_line(picture, provider, store).text.split())
    sheet = Image.new("RGB", (picture.width, max(picture.height, _SHEET_HEIGHT)), "white")
    sheet.paste(picture)
    return " ".join(word.text for word in recognise(sheet, provider, settings, store).words)


# Read handwriting on a page with a reliable text layer.
#
# It may come from a tablet's pen on a typed form, or from a form that was filled in by hand and scanned with its
# print as text. The writing is recognised alone, without the print, and its words are added to the text layer's.


Grey = NDArray[np.uint8]
#: Pen strokes are darker than this (0-255).
_INK = 160
#: The part of a word's height in which a line crosses it out, and the least share of its width.
_MIDDLE, _CROSSED = (0.3, 0.7), 0.8
#: Strokes nearer than this (points, across and down) are one piece of writing.
_ACROSS, _DOWN = 9.0, 3.0
#: Least width and height (points) of unread writing that is noted as a doubt.
_WIDE, _HIGH = 24.0, 6.0
#: Rows of writing farther apart than this (points) are recognised separately, if there are not too many.
_APART, _MOST_BANDS = 50.0, 6
#: White around them, in pixels.
_WHITE = 30
#: Margin (points) around words of the text layer in which ink is theirs.
_MARGIN = 1.0


def add_writing(
    content: PageContent,
    file: PdfFile,
    pictured: Sequence[Box],
    settings: Settings,
    store: FileStore | None,
    provider: OcrProvider,
) -> None:
    """Recognise the pen strokes of a page, and the writing in its pictures at `pictured`, and add the words.

    The page counts as recognised if there are any. Typed words that are crossed out, and strokes that were not
    read, are noted as doubts. Raises DamagedDocumentError, RecognitionError.
    """
    picture = _picture(content, file, pictured, settings.ocr_dpi)
    upright = turn_picture(Image.fromarray(picture).convert("RGB"), content.turned)
    words: list[Word] = []
    for band in _bands(np.asarray(upright.convert("L")), settings.ocr_dpi):
        found = recognise(upright.crop(band), provider, settings, store)
        first = max((word.line for word in words), default=-1) + 1
        words += [
            _on_page(word, band, upright.size, content.turned, first)
            for word in found.words
            if any(c.isalnum() for c in word.text)
        ]
    typed = list(content.words)
    if words:
        _add(content, words)
    if content.by_pen:
        ink: Grey = (picture < _INK).astype(np.uint8)
        if any(_is_crossed(ink, word.box, content.turned) for word in typed):
            content.doubts.append(ReasonCode.NOT_AS_SHOWN.value)
        if _unread(ink, content, words, [word.box for word in typed]):
            content.doubts.append(ReasonCode.UNREAD_CONTENT.value)


def _bands(upright: Grey, dpi: int) -> list[tuple[int, int, int, int]]:
    """Return the parts of the page with writing, from the top: x0, y0, x1, y1 in pixels.

    A few words alone on a large white page are often not found.
    """
    ink = upright < _INK
    rows = np.flatnonzero(ink.any(axis=1))
    apart = np.flatnonzero(np.diff(rows) > _APART * dpi / 72) + 1
    bands = [(int(part[0]), int(part[-1]) + 1) for part in np.split(rows, apart) if part.size]
    if len(bands) > _MOST_BANDS:
        bands = [(bands[0][0], bands[-1][1])]
    height, width = ink.shape
    found = []
    for y0, y1 in bands:
        columns = np.flatnonzero(ink[y0:y1].any(axis=0))
        x0, x1 = max(int(columns[0]) - _WHITE, 0), min(int(columns[-1]) + 1 + _WHITE, width)
        found.append((x0, max(y0 - _WHITE, 0), x1, min(y1 + _WHITE, height)))
    return found


def _on_page(word: Word, band: tuple[int, int, int, int], size: tuple[int, int], turned: int, line: int) -> Word:
    """Map a word of a part of the upright page to its place on the page."""
    (x0, y0, x1, y1), (width, height), box = band, size, word.box
    upright = Box(
        (x0 + box.x0 * (x1 - x0)) / width,
        (y0 + box.y0 * (y1 - y0)) / height,
        (x0 + box.x1 * (x1 - x0)) / width,
        (y0 + box.y1 * (y1 - y0)) / height,
    )
    return word._replace(box=turn_box(upright, -turned), line=line + word.line)


def _add(content: PageContent, words: Sequence[Word]) -> None:
    first = max((word.line for word in content.words), default=-1) + 1
    sideways = content.turned in (90, 270)
    content.words = content.words + [
        word._replace(
            line=first + word.line,
            size=round(word.box.width * content.width if sideways else word.box.height * content.height, 2),
        )
        for word in words
    ]
    letters = sum(len(word.text) for word in words)
    content.source = Source.OCR
    content.ocr_confidence = round(sum(word.confidence * len(word.text) for word in words) / letters, 4)


def _picture(content: PageContent, file: PdfFile, pictured: Sequence[Box], dpi: int) -> Grey:
    """Return the writing at its places on the page, on white."""
    shape = file.shape(content.number)
    drawn: Grey = file.pen(content.number, scale_of(shape.width, shape.height, dpi))
    if not pictured:
        return drawn
    page: Grey = np.asarray(render(file, content.number, dpi).convert("L"))
    shown = np.full_like(page, 255)
    for box in pictured:
        part = _cut(page, box)
        shown[part] = page[part]
    margin = _MARGIN / content.width, _MARGIN / content.height
    for box in (*(word.box for word in content.words), *(widget.box for widget in content.widgets)):
        shown[_cut(page, box, *margin)] = 255
    height, width = min(shown.shape[0], drawn.shape[0]), min(shown.shape[1], drawn.shape[1])
    shown[:height, :width] = np.minimum(shown[:height, :width], drawn[:height, :width])
    return shown


def _cut(picture: Grey, box: Box, across: float = 0.0, down: float = 0.0) -> tuple[slice, slice]:
    height, width = picture.shape
    return (
        slice(max(int((box.y0 - down) * height), 0), max(int(np.ceil((box.y1 + down) * height)), 0)),
        slice(max(int((box.x0 - across) * width), 0), max(int(np.ceil((box.x1 + across) * width)), 0)),
    )


def _is_crossed(ink: Grey, box: Box, turned: int) -> bool:
    """Whether a pen's stroke crosses out a typed word from end to end, not just underlines or circles it."""
    sideways = turned in (90, 270)
    begin, end = _MIDDLE
    middle = (
        box._replace(x0=box.x0 + begin * box.width, x1=box.x0 + end * box.width)
        if sideways
        else box._replace(y0=box.y0 + begin * box.height, y1=box.y0 + end * box.height)
    )
    part = ink[_cut(ink, middle)]
    return bool(part.size) and float(part.any(axis=1 if sideways else 0).mean()) >= _CROSSED


def _unread(ink: Grey, content: PageContent, words: Sequence[Word], typed: Sequence[Box]) -> bool:
    """Whether a piece of pen writing was not read as a word and is not a mark on a typed one."""
    across, down = ink.shape[1] / content.width, ink.shape[0] / content.height
    near = np.ones((round(2 * _DOWN * down) + 1, round(2 * _ACROSS * across) + 1), np.uint8)
    count, _, places, _ = cv2.connectedComponentsWithStats(cv2.dilate(ink, near))
    known: Grey = np.zeros_like(ink)
    for box in (*(word.box for word in words), *typed):
        known[_cut(known, box)] = 1
    for x, y, width, height, _ in places[1:count]:
        part = slice(y, y + height), slice(x, x + width)
        if (
            width >= (_WIDE + 2 * _ACROSS) * across
            and height >= (_HIGH + 2 * _DOWN) * down
            and not known[part].any()
        ):
            return True
    return False
