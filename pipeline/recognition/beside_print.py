"""Read what was written by hand beside the type of a page whose text layer is believed.

A tablet's pen on a typed form, a form that was filled in by hand and scanned with its print as text: the writing
is recognised by itself, without the print around it, and its words are added to those of the text layer.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from core.config import Settings
from core.file_store import FileStore
from pipeline.mupdf.file import PdfFile
from pipeline.ocr import recognise
from pipeline.ocr_providers.base import OcrProvider
from pipeline.pages.geometry import turn_box
from pipeline.pages.page_model import Box, PageContent, Source, Word
from pipeline.pages.render import render, scale_of
from pipeline.reason_codes import ReasonCode
from pipeline.recognition.upright import turn_picture

Grey = NDArray[np.uint8]
#: Darker than this is a pen's stroke (0-255).
_INK = 160
#: The part of a word's height that a line through it crosses, and the share of its width.
_MIDDLE, _CROSSED = (0.3, 0.7), 0.8
#: Strokes nearer than this are one piece of writing, in points; across and down.
_ACROSS, _DOWN = 9.0, 3.0
#: A piece of writing that was not read must be named from this width and height on, in points.
_WIDE, _HIGH = 24.0, 6.0
#: Rows of writing farther apart than this (points) are recognised by themselves, if they are not many.
_APART, _MOST_BANDS = 50.0, 6
#: White around them, in pixels.
_WHITE = 30
#: Points around the words of the text layer within which what is seen is theirs.
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
    """Return a word of a part of the upright page with its place on the page."""
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
    """Return the writing as it lies on the page, on white."""
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
    """Whether a pen's stroke goes through a typed word from end to end, which is neither under nor around it."""
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
    """Whether a piece of pen writing lies where no word was read, and is no mark at a typed one."""
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
