"""Read pages whose ink is too light for recognition once more, with all of their ink made dark.

The page is replaced as a whole, so that whatever looks at its pixels afterwards sees the same picture.
"""

from __future__ import annotations

import io
from collections.abc import Sequence

from core.config import Settings
from core.file_store import FileStore
from pipeline.extraction.page_roles import RoledPage, roles_of
from pipeline.extraction.zones import read_zones
from pipeline.looks.closer_look import can_look_closer, straightened
from pipeline.mupdf.pictured import with_pages_pictured
from pipeline.ocr_providers.base import OcrProvider
from pipeline.pages.page_model import Box, PageContent, Source
from pipeline.profiles import ANY_FORM, FieldKind, Forms
from pipeline.recognition.faint_ink import RESOLUTION, darkened, has_faint_ink
from pipeline.recognition.page_contents import read_pages, render_page
from pipeline.schema import FieldReading

#: Kinds of fields that an entry needs.
_NEEDED = (FieldKind.PERSON, FieldKind.SCHOOL, FieldKind.GRADE)
#: A field read with less confidence may be written in faint ink.
_CLEAR = 0.9
#: Points within a field's edges that its printed box does not reach.
_INSIDE = (5.0, 4.0, 6.0, 3.0)


def with_faint_ink(
    pdf: bytes,
    roled_pages: Sequence[RoledPage],
    settings: Settings,
    store: FileStore | None,
    provider: OcrProvider,
    forms: Forms = ANY_FORM,
) -> tuple[bytes, list[PageContent]] | None:
    """Return the given pages with the faint ones darkened, under their numbers, and all of them read anew.

    None where no page is faint, or none is read better. Raises DamagedDocumentError, RecognitionError.
    """
    pictures_only = (roled for roled in roled_pages if can_look_closer(roled) and not _has_type(roled.page))
    faint = [roled for roled in pictures_only if _is_faint(pdf, roled)]
    if not faint:
        return None
    numbers = [roled.page.number for roled in roled_pages]
    pictures = {roled.page.number: _darkened_page(pdf, roled.page.number) for roled in faint}
    darker = with_pages_pictured(pdf, numbers, pictures)
    again = read_pages(darker, settings, store, provider, pages=numbers)
    before = {roled.page.number: roled for roled in faint}
    after = {roled.page.number: roled for roled in roles_of(again, forms)}
    if any(_read(after[number]) <= _read(roled) for number, roled in before.items()):
        return None
    return darker, again


def _has_type(page: PageContent) -> bool:
    """Whether some of its words are text, which a darkened picture of the page would lose."""
    return any(word.source is Source.TEXT_LAYER for word in page.words)


def _is_faint(pdf: bytes, roled: RoledPage) -> bool:
    """Whether a field that is not clearly read is written on in faint ink."""
    placement, profile = roled.reading.placement, roled.profile
    assert placement is not None and profile is not None
    readings = read_zones(roled.reading)
    zones = [
        spec.zone
        for name, spec in profile.fields.items()
        if spec.kind in _NEEDED and spec.zone and _confidence(readings.get(name)) < _CLEAR
    ]
    if not zones:
        return False
    picture = render_page(pdf, roled.page.number, RESOLUTION, turned=roled.page.turned)
    return any(has_faint_ink(straightened(picture, placement, _inner(z), RESOLUTION / 72)) for z in zones)


def _inner(zone: Box) -> Box:
    left, top, right, bottom = _INSIDE
    return Box(zone.x0 + left, zone.y0 + top, zone.x1 - right, zone.y1 - bottom)


def _confidence(reading: FieldReading | None) -> float:
    return reading.confidence if reading is not None and reading.value else 0.0


def _read(roled: RoledPage) -> float:
    """Return how much of the needed fields is read: the sum of the confidences."""
    if not can_look_closer(roled) or roled.profile is None:
        return 0.0
    readings, fields = read_zones(roled.reading), roled.profile.fields
    return sum(_confidence(readings.get(name)) for name, spec in fields.items() if spec.kind in _NEEDED)


def _darkened_page(pdf: bytes, number: int) -> bytes:
    png = io.BytesIO()
    darkened(render_page(pdf, number, RESOLUTION)).save(png, "PNG", compress_level=1)
    return png.getvalue()
