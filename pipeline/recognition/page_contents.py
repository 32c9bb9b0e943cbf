"""Read pages as `PageContent`: from the text layer where it is reliable, else by OCR."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace

from PIL import Image

from core.config import Settings
from core.error_codes import Cost
from core.errors import TooCostlyError
from core.file_store import FileStore
from pipeline.mupdf.file import PdfFile, open_pdf
from pipeline.mupdf.opened import LONGEST_WORD, MOST_WORDS
from pipeline.ocr import recognise
from pipeline.ocr_providers import get_provider
from pipeline.ocr_providers.base import OcrProvider
from pipeline.pages.drop_caps import with_joined_initials
from pipeline.pages.geometry import Displayed
from pipeline.pages.margins import without_edges, without_margins
from pipeline.pages.notes import notes_of, typed_in
from pipeline.pages.page_look import LONGEST, Look, look_at
from pipeline.pages.page_model import Box, PageContent, Source, Word
from pipeline.pages.plain_pages import words_explain
from pipeline.pages.recent import Recent
from pipeline.pages.render import render
from pipeline.pages.text_layer import TextLayer, read_text_layer
from pipeline.pages.text_trust import TextEvidence, distrust, garbled
from pipeline.pages.widgets import widgets_of
from pipeline.reason_codes import ReasonCode
from pipeline.recognition.beside_print import add_writing
from pipeline.recognition.bleed_through import other_side
from pipeline.recognition.field_spots import as_recognised

#: Pages that are read from one opening of a document.
_PAGES_AT_ONCE = 50
#: Why a text layer is not believed that has less than the page shows, though its letters are right.
_INCOMPLETE = "stray_letters"
#: Pages that nothing had to be recognised on, by the file's digest and their number. Recognitions have a cache of
#: their own.
_RECENT: Recent[tuple[bytes, int], PageContent] = Recent(32)


def page_count(pdf: bytes) -> int:
    """How many pages. Raises DamagedDocumentError, EncryptedDocumentError."""
    with open_pdf(pdf) as file:
        return file.page_count


def render_page(
    pdf: bytes,
    number: int,
    dpi: int,
    clip: Box | None = None,
    turned: int = 0,
    *,
    managed_colours: bool = True,
) -> Image.Image:
    """Page `number` (from 1), or the part of it in `clip`, as it is displayed, then turned clockwise.

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
    """Read the pages named (all where None), in that order.

    `force_ocr` recognises also those pages whose text can be believed, or whose fields carry the entry.
    The pages given are not to be changed: others may be given the same.
    Raises DamagedDocumentError, EncryptedDocumentError, TooCostlyError where a page has more words than any sheet,
    RecognitionError, StorageError.
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
    """`read_pages`, each page as it is asked for: a long file need not lie in memory as a whole."""
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
    """Each page's number with the file to read it from, opened anew now and then: MuPDF keeps what was loaded."""
    begin, wanted = 0, pages
    while wanted is None or begin < len(wanted):
        with open_pdf(pdf) as file:
            wanted = wanted if wanted is not None else range(1, file.page_count + 1)
            for number in wanted[begin : begin + _PAGES_AT_ONCE]:
                yield file, number
        begin += _PAGES_AT_ONCE


def _known(digest: bytes, pages: Sequence[int]) -> list[PageContent] | None:
    """The pages if all of them were read a moment ago."""
    found = [content for number in pages if (content := _RECENT.get((digest, number))) is not None]
    return found if len(found) == len(pages) else None


def _read(
    file: PdfFile,
    number: int,
    settings: Settings,
    store: FileStore | None,
    provider: OcrProvider,
    force_ocr: bool,
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
        if (side := other_side(file, number, content.words)) is not None:
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
    """Return the boxes of what is no text of the page but accounted for: fields, notes, watermarks."""
    return [*(widget.box for widget in content.widgets), *(note.box for note in content.notes), *layer.aside]


def _believe(content: PageContent, words: list[Word], layer: TextLayer) -> None:
    content.words = _without_print(content, words) if layer.turned == 0 else words
    content.source = Source.TEXT_LAYER if words else None
    content.covered = layer.covered
    content.turned = layer.turned


def _without_print(content: PageContent, words: list[Word]) -> list[Word]:
    """The words without what programs print in the margins, and each initial with its word."""
    return with_joined_initials(without_margins(words, content.height), content.height)


def _fields_carry_it(content: PageContent) -> bool:
    """Whether AcroForm fields hold the entry, so that of the page at most printed labels are not read."""
    filled = [widget for widget in content.widgets if widget.kind == "text" and widget.value]
    return bool(filled) and not content.is_picture


def _recognise(
    content: PageContent,
    picture: Image.Image,
    settings: Settings,
    store: FileStore | None,
    provider: OcrProvider,
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
    content.source, content.covered = Source.OCR, []
    content.ocr_confidence = found.confidence
    content.turned = found.turned
