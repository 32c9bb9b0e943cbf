"""Read single fields of a recognised form again: each field's zone, straightened and enlarged, on one sheet.

Recognition misses short values ("5", "K") and faint ones among the lines and boxes of a page; alone on white it
finds them. One small picture per page is recognised, whatever the number of fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from PIL import Image

from core.config import Settings
from core.file_store import FileStore
from pipeline.extraction.fields import reading_of
from pipeline.extraction.page_reading import PageReading
from pipeline.extraction.page_roles import RoledPage
from pipeline.extraction.placement import Placement
from pipeline.extraction.printed import LineText, find_text, find_word
from pipeline.extraction.tokens import (
    PAGE_HEIGHT,
    PAGE_WIDTH,
    Line,
    Token,
    box_of,
    displayed,
    recognised_lines,
    tokens_of,
)
from pipeline.ocr import recognise
from pipeline.ocr_providers.base import OcrProvider
from pipeline.pages.page_model import Box, PageContent, Source
from pipeline.profiles import ZONE_KINDS, FieldKind, PrintedRole, Profile
from pipeline.recognition.page_contents import render_page
from pipeline.schema import FieldReading

#: Dots per inch at which the page is rendered for it.
SOURCE_DPI = 200
METHOD = "closer look"
#: White around each zone on the sheet, in pixels.
_WHITE = 30
#: Minimum height of a sheet: the recogniser would enlarge a lower one.
_SHEET_HEIGHT = 740


@dataclass(frozen=True, slots=True)
class _Cut:
    """One zone, in points of the form, and how large it is drawn (pixels a point)."""

    field: str
    zone: Box
    scale: float
    #: Where its picture begins on the sheet, in pixels from the top.
    top: int = 0

    @property
    def size(self) -> tuple[int, int]:
        """Size of its picture, in pixels."""
        return round(self.zone.width * self.scale), round(self.zone.height * self.scale)


def can_look_closer(roled: RoledPage) -> bool:
    """Whether the page was recognised and its form keeps its layout, so that zones can be located."""
    return roled.page.source is Source.OCR and roled.profile is not None and roled.reading.fixed


def look_closer(
    pdf: bytes,
    roled: RoledPage,
    fields: Iterable[str],
    settings: Settings,
    store: FileStore | None,
    provider: OcrProvider,
    enlarge: float = 1.0,
) -> dict[str, list[FieldReading]]:
    """Read the zones of these fields by themselves. Requires `can_look_closer`.

    Another value of `enlarge` gives the recogniser another picture, and so an independent reading.

    Raises RecognitionError, DamagedDocumentError.
    """
    placement, profile = roled.reading.placement, roled.profile
    assert placement is not None and profile is not None
    wanted = [cut for name in fields for cut in _cuts(profile, name)]
    cuts = _laid_out([replace(cut, scale=cut.scale * enlarge) for cut in wanted])
    if not cuts:
        return {}
    picture = render_page(pdf, roled.page.number, SOURCE_DPI, turned=roled.page.turned)
    sheet = _sheet(picture, placement, cuts)
    found = recognise(sheet, provider, settings, store)
    content = PageContent(roled.page.number, PAGE_WIDTH, PAGE_HEIGHT, found.words, source=Source.OCR)
    tokens = [_in_pixels(t, sheet) for t in tokens_of(content)]
    readings: dict[str, list[FieldReading]] = {}
    for cut in cuts:
        reading = _read(profile, roled.reading, cut, tokens)
        if reading is not None and reading.value:
            readings.setdefault(cut.field, []).append(reading)
    return readings


def _cuts(profile: Profile, field: str) -> list[_Cut]:
    spec = profile.fields.get(field)
    if spec is None or spec.zone is None or spec.kind not in ZONE_KINDS:
        return []
    z = spec.zone
    if spec.kind is FieldKind.GRADE:
        # Once with the printed box around it and once without: a single digit is missed in one or the other.
        return [
            _Cut(field, Box(z.x0 - 3, z.y0, z.x1, z.y1 + 2), 2.2),
            _Cut(field, Box(z.x0 + 3, z.y0 + 3, z.x1 - 4, z.y1), 2.6),
        ]
    up, down = {FieldKind.SCHOOL: (1, 14), FieldKind.EMAIL: (2, 8)}.get(spec.kind, (4, 2))
    right = 24 if spec.kind is FieldKind.SCHOOL else 3
    return [_Cut(field, Box(z.x0 - 2, z.y0 - up, z.x1 + right, z.y1 + down), 2.6)]


def _laid_out(cuts: list[_Cut]) -> list[_Cut]:
    placed, top = [], _WHITE
    for cut in cuts:
        placed.append(replace(cut, top=top))
        top += cut.size[1] + _WHITE
    return placed


def _sheet(picture: Image.Image, placement: Placement, cuts: Sequence[_Cut]) -> Image.Image:
    width = max(cut.size[0] for cut in cuts) + 2 * _WHITE
    height = max(cuts[-1].top + cuts[-1].size[1] + _WHITE, _SHEET_HEIGHT)
    sheet = Image.new("RGB", (width, height), "white")
    for cut in cuts:
        sheet.paste(straightened(picture, placement, cut.zone, cut.scale), (_WHITE, cut.top))
    return sheet


def straightened(picture: Image.Image, placement: Placement, zone: Box, scale: float) -> Image.Image:
    """Return the picture of a zone, rectified to the form's coordinates, at `scale` pixels per point."""
    onto_form = np.array([[1 / scale, 0, zone.x0], [0, 1 / scale, zone.y0], [0, 0, 1.0]])
    width, height = placement.size
    onto_pixels = np.diag([picture.width / width, picture.height / height, 1.0])
    through = onto_pixels @ placement.matrix @ onto_form
    through = through / through[2, 2]
    coloured = picture if picture.mode == "RGB" else picture.convert("RGB")
    return coloured.transform(
        (round(zone.width * scale), round(zone.height * scale)),
        Image.Transform.PERSPECTIVE,
        tuple(through.flatten()[:8]),
        Image.Resampling.BICUBIC,
        fillcolor="white",
    )


def _in_pixels(token: Token, sheet: Image.Image) -> Token:
    kx, ky, b = sheet.width / PAGE_WIDTH, sheet.height / PAGE_HEIGHT, token.box
    return token.moved(Box(b.x0 * kx, b.y0 * ky, b.x1 * kx, b.y1 * ky))


def _read(profile: Profile, page: PageReading, cut: _Cut, tokens: Sequence[Token]) -> FieldReading | None:
    top, bottom = cut.top - _WHITE / 3, cut.top + cut.size[1] + _WHITE / 3
    inside = [t for t in tokens if top <= t.box.cy <= bottom]
    runs = sorted(
        without_print(profile, inside), key=lambda run: (round(box_of(run).cy / (6 * cut.scale)), box_of(run).x0)
    )
    written = [_back_on_page(page, cut, token) for run in runs for token in run]
    return reading_of(profile.fields[cut.field].kind, written, METHOD)


def without_print(profile: Profile, tokens: Sequence[Token]) -> list[Line]:
    """Return the recognised lines of tokens without the texts that the form's header prints."""
    lines = [LineText(line) for line in recognised_lines(tokens)]
    roles = (PrintedRole.LABEL, PrintedRole.OPTION, PrintedRole.PROMPT, PrintedRole.DEADLINE)
    for text in (t for p in profile.printed if p.role in roles for t in p.texts):
        for found in find_text(lines, text) or find_word(enumerate(lines), text):
            lines[found.line].take(found.start, found.end)
    return [run for line in lines for run in line.left()]


def _back_on_page(page: PageReading, cut: _Cut, token: Token) -> Token:
    """Return the token with its place on the page instead of the sheet."""
    b = token.box
    zone = Box(
        cut.zone.x0 + (b.x0 - _WHITE) / cut.scale,
        cut.zone.y0 + (b.y0 - cut.top) / cut.scale,
        cut.zone.x0 + (b.x1 - _WHITE) / cut.scale,
        cut.zone.y0 + (b.y1 - cut.top) / cut.scale,
    )
    return placed_on_page(page, token, zone)


def placed_on_page(page: PageReading, token: Token, zone: Box) -> Token:
    """Return the token with the place on the page that a box in points of the form has."""
    assert page.placement is not None
    return token.at(displayed(page.placement.share_of_page(zone), page.page.turned))
