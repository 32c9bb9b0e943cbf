"""Recognise what a field draws, where the text of its appearance does not tell."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PIL import Image
from rapidfuzz import fuzz

from core.config import Settings
from core.file_store import FileStore
from pipeline.mupdf.file import PdfFile
from pipeline.ocr import recognise, recognise_line
from pipeline.ocr_providers.base import OcrProvider
from pipeline.pages.page_model import PageContent, Widget
from pipeline.pages.render import scale_of

#: Dots per inch at which a field is drawn.
_DPI = 200
#: Height in points up to which a field holds one line.
_ONE_LINE = 30.0
#: A taller one is recognised on a sheet of at least this height in pixels: a lower one would be enlarged.
_SHEET_HEIGHT = 740
#: Fields of a page that are recognised at most; the others stay doubted.
_MOST = 12
#: Shades between the darkest and the lightest pixel from which something is drawn.
_CONTRAST = 60
#: Likeness (0-100) of what is recognised and what the file says, from which they are the same.
_ALIKE = 80.0


def as_recognised(
    page: PageContent, file: PdfFile, settings: Settings, store: FileStore | None, provider: OcrProvider
) -> list[Widget]:
    """Return the fields of a page, the illegible ones with what is recognised in their places.

    Where that is what the file says, nothing is in doubt. Raises RecognitionError, DamagedDocumentError.
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
