"""Read single fields of a recognised form again, enlarged, and find the ticked option of a choice.

Recognition misses short values ("5", "K") and faint ones among the lines and boxes of a page; alone on white it
finds them. One small picture per page is recognised, whatever the number of fields.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from core.config import Settings
from core.file_store import FileStore
from pipeline.extraction.page_reading import PageReading
from pipeline.extraction.page_roles import RoledPage
from pipeline.extraction.placement import Placement
from pipeline.extraction.printed import LineText, find_text, find_word
from pipeline.extraction.reflowed_values import SIGN
from pipeline.extraction.tokens import (
    PAGE_HEIGHT,
    PAGE_WIDTH,
    Line,
    Token,
    all_tokens,
    box_of,
    displayed_box,
    recognised_lines,
)
from pipeline.extraction.values.fields import reading_of
from pipeline.ocr import recognise
from pipeline.ocr_providers.base import OcrProvider
from pipeline.pages.page_model import Box, PageContent, Source
from pipeline.pages.text_trust import scale_of
from pipeline.profiles import ZONE_KINDS, FieldKind, FormSpec, Printed, PrintedRole
from pipeline.recognition.page_contents import render_page
from pipeline.schema import EvidenceBox, FieldReading

# Remove printed boxes for single digits from a picture of a field, and move the digits together.
#
# Between the edges of such boxes, and far apart, digits are not recognised as a number.


Grey = NDArray[np.uint8]
#: Length of a box's upright and level edges, as shares of the picture's height.
_HIGH, _WIDE = 0.72, 0.9
#: Difference from the paper (0-255) from which a pixel is ink.
_INK = 40
#: Width (pixels) of the soft rim of an edge.
_RIM = 1
#: Width of the gap that is left between two digits, and at the ends, as shares of the picture's height.
_GAP, _MARGIN = 0.22, 0.3
#: Ink of a column (0-1 of the height) below which it is empty.
_SPECK = 0.035


def without_boxes(picture: Image.Image) -> Image.Image:
    """Return the picture of a field without the edges of boxes, its digits close together."""
    grey: Grey = np.array(picture.convert("L"))
    paper = int(np.percentile(grey, 90))
    ink = ((paper - grey.astype(np.int16)) > _INK).astype(np.uint8)
    edges = _edges(ink)
    grey[edges > 0] = paper
    ink[edges > 0] = 0
    return Image.fromarray(_closed_up(grey, ink, paper)).convert("RGB")


def _edges(ink: Grey) -> Grey:
    """Return the pixels of strokes that go straight through most of the height or much of the width."""
    height = ink.shape[0]
    # A little crooked still counts as straight.
    thick = cv2.dilate(ink, np.ones((1, 3), np.uint8))
    upright = cv2.morphologyEx(thick, cv2.MORPH_OPEN, np.ones((max(round(_HIGH * height), 3), 1), np.uint8))
    flat = cv2.dilate(ink, np.ones((3, 1), np.uint8))
    level = cv2.morphologyEx(flat, cv2.MORPH_OPEN, np.ones((1, max(round(_WIDE * height), 3)), np.uint8))
    rim = np.ones((2 * _RIM + 1, 2 * _RIM + 1), np.uint8)
    edges: Grey = np.asarray(cv2.dilate(cv2.bitwise_or(upright, level), rim), np.uint8)
    return edges


def _closed_up(grey: Grey, ink: Grey, paper: int) -> Grey:
    """Return the picture with long stretches of empty columns shortened."""
    height = grey.shape[0]
    inked = np.flatnonzero(ink.mean(axis=0) > _SPECK)
    if not len(inked):
        return grey
    gap, margin = max(round(_GAP * height), 1), round(_MARGIN * height)
    starts = np.concatenate(([True], np.diff(inked) > gap))
    groups = np.split(inked, np.flatnonzero(starts)[1:])
    space: Grey = np.full((height, gap), paper, np.uint8)
    end: Grey = np.full((height, margin), paper, np.uint8)
    parts = [end]
    for number, columns in enumerate(groups):
        parts += [space] if number else []
        parts.append(grey[:, max(columns[0] - 1, 0) : columns[-1] + 2])
    return np.ascontiguousarray(np.hstack([*parts, end]))


# Find the ticked option of a choice: by a sign typed into its circle, else by the ink in it.


DPI = 100
#: Pixels per point of the rectified circle.
_SCALE = 3.0
#: Margin around the circles that is rendered too, in pixels.
_CIRCLE_MARGIN = 8
#: Points by which a circle may be displaced.
_ASIDE = 3.0
#: Minimum dark share of a ticked circle, and the share of the paper's brightness below which a pixel is dark.
_TICKED = 0.10
_DARK = 0.6
#: Least lead in ink, surroundings included, of a crossed mark over all others; and the share of that lead by which
#: the others may differ among themselves.
_CROSSED = 0.06
_ALIKE = 0.8
#: Share of the circle's area, around its centre, that is measured: the ring is inked whether ticked or not.
INNER = 0.3


def ticked_options(pdf: bytes, roled: RoledPage, known: Container[str]) -> dict[str, FieldReading]:
    """Return the ticked option of each choice on the page with exactly one tick; fields in `known` are left out.

    Raises DamagedDocumentError.
    """
    if roled.profile is None or not roled.reading.fixed or roled.page.widgets:
        return {}
    groups: dict[str, list[Printed]] = {}
    for printed in roled.profile.printed:
        if printed.role is PrintedRole.OPTION and printed.mark and printed.field and printed.field not in known:
            groups.setdefault(printed.field, []).append(printed)
    readings = {}
    for field, options in groups.items():
        if (found := _ticked(pdf, roled, options)) is not None:
            readings[field] = found
    return readings


def _ticked(pdf: bytes, roled: RoledPage, options: list[Printed]) -> FieldReading | None:
    around = _around([o.mark for o in options if o.mark])
    clip = _share(roled, around)
    if clip.width < 0.005 or clip.height < 0.005:
        return None
    picture, placement = _picture(pdf, roled, clip)
    marks = [option.mark for option in options if option.mark]
    best = _signed(roled, marks)
    if best is None:
        best = _filled([_ink(picture, placement, mark) for mark in marks])
    if best is None:
        # A cross or a tick of thin strokes leaves most of the inside white and extends beyond the edge.
        best = _crossed([float(_dark(picture, placement, mark).mean()) for mark in marks])
    if best is None:
        return None
    option = options[best]
    assert option.mark is not None
    source = Source.OCR if roled.page.source is Source.OCR else Source.TEXT_LAYER
    certainty = 0.95 if source is Source.TEXT_LAYER else 0.79
    evidence = [EvidenceBox(page=roled.page.number, box=_share(roled, option.mark))]
    return FieldReading(
        value=option.value, confidence=certainty, source=source, evidence=evidence, method="ticked circle"
    )


def _signed(roled: RoledPage, marks: Sequence[Box]) -> int | None:
    """Return the only mark with a sign of the page's text in it, None if there is none or several."""
    if roled.page.source is Source.OCR:
        return None
    signs = [token.box for token in roled.reading.form_tokens() if SIGN.fullmatch(token.text)]
    signed = [
        place
        for place, mark in enumerate(marks)
        if any(
            abs(one.cx - mark.cx) <= mark.width / 2 and abs(one.cy - mark.cy) <= mark.height / 2 for one in signs
        )
    ]
    return signed[0] if len(signed) == 1 else None


def _filled(shares: list[float]) -> int | None:
    """Return the mark with clearly the most ink inside, None if there is none."""
    best = int(np.argmax(shares))
    others = [s for i, s in enumerate(shares) if i != best]
    if not others or shares[best] - max(others) < _TICKED or shares[best] < 1.6 * median(others):
        return None
    return best


def _crossed(shares: list[float]) -> int | None:
    """Return the mark with clearly the most ink in and around it, None if there is none or several."""
    best = int(np.argmax(shares))
    others = sorted(s for i, s in enumerate(shares) if i != best)
    if (
        not others
        or shares[best] - others[-1] < _CROSSED
        or others[-1] - others[0] > _ALIKE * (shares[best] - others[-1])
    ):
        return None
    return best


def _picture(pdf: bytes, roled: RoledPage, clip: Box) -> tuple[Image.Image, Placement]:
    """Render the surroundings of `clip`; return the picture and the form's placement in it."""
    page, placement = roled.page, roled.reading.placed
    if page.turned:
        return render_page(pdf, page.number, DPI, turned=page.turned, managed_colours=False), placement
    scale = scale_of(page.width, page.height, DPI)
    wide, high = page.width * scale, page.height * scale
    # On whole pixels, so that the result equals a crop of the whole rendered page.
    x0, y0 = max(floor(clip.x0 * wide) - _CIRCLE_MARGIN, 0), max(floor(clip.y0 * high) - _CIRCLE_MARGIN, 0)
    x1, y1 = min(ceil(clip.x1 * wide) + _CIRCLE_MARGIN, wide), min(ceil(clip.y1 * high) + _CIRCLE_MARGIN, high)
    around, points = Box(x0 / wide, y0 / high, x1 / wide, y1 / high), placement.size
    part = render_page(pdf, page.number, DPI, around, managed_colours=False)
    onto_page = np.array(
        [[ceil(wide - 0.001) / points[0], 0, -x0], [0, ceil(high - 0.001) / points[1], -y0], [0, 0, 1.0]]
    )
    from_part = np.diag([points[0] / part.width, points[1] / part.height, 1.0])
    return part, replace(placement, matrix=from_part @ onto_page @ placement.matrix)


def _ink(picture: Image.Image, placement: Placement, mark: Box) -> float:
    """Return the share of ink in the circle's inside, at the position near the expected one with the least ink.

    On a skewed page the circle is a few points aside, with its ring where its inside should be.
    """
    dark = _dark(picture, placement, mark)
    height, width = round(mark.height * _SCALE), round(mark.width * _SCALE)
    y, x = np.ogrid[:height, :width]
    inside = ((x - width / 2) / (width / 2)) ** 2 + ((y - height / 2) / (height / 2)) ** 2 <= INNER
    shares = cv2.filter2D(dark, cv2.CV_32F, inside.astype(np.float32) / inside.sum())
    aside = round(_ASIDE * _SCALE)
    cy, cx = shares.shape[0] // 2, shares.shape[1] // 2
    return float(shares[cy - aside : cy + aside + 1, cx - aside : cx + aside + 1].min())


def _dark(picture: Image.Image, placement: Placement, mark: Box) -> NDArray[np.float32]:
    """Return which pixels of a mark and `_ASIDE` points around it are dark (1) on the page."""
    near = Box(mark.x0 - _ASIDE, mark.y0 - _ASIDE, mark.x1 + _ASIDE, mark.y1 + _ASIDE)
    grey = np.asarray(rectified_zone(picture, placement, near, _SCALE).convert("L"), dtype=np.float64)
    ground = float(np.percentile(grey, 95))
    dark: NDArray[np.float32] = (grey < _DARK * max(ground, 1.0)).astype(np.float32)
    return dark


def _around(boxes: list[Box]) -> Box:
    box = boxes[0]
    for other in boxes[1:]:
        box = box.union(other)
    return box


def _share(roled: RoledPage, box: Box) -> Box:
    return displayed_box(roled.reading.placed.share_of_page(box), roled.page.turned)


# Read single fields of a recognised form again: each field's zone, straightened and enlarged, on one sheet.


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
    placement, profile = roled.reading.placed, roled.form
    wanted = [cut for name in fields for cut in _cuts(profile, name)]
    cuts = _laid_out([replace(cut, scale=cut.scale * enlarge) for cut in wanted])
    if not cuts:
        return {}
    picture = render_page(pdf, roled.page.number, SOURCE_DPI, turned=roled.page.turned)
    sheet = _sheet(picture, placement, cuts)
    found = recognise(sheet, provider, settings, store)
    content = PageContent(roled.page.number, PAGE_WIDTH, PAGE_HEIGHT, found.words, source=Source.OCR)
    tokens = [_in_pixels(t, sheet) for t in all_tokens(content)]
    readings: dict[str, list[FieldReading]] = {}
    for cut in cuts:
        reading = _read(profile, roled.reading, cut, tokens)
        if reading is not None and reading.value:
            readings.setdefault(cut.field, []).append(reading)
    return readings


def _cuts(profile: FormSpec, field: str) -> list[_Cut]:
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
        sheet.paste(rectified_zone(picture, placement, cut.zone, cut.scale), (_WHITE, cut.top))
    return sheet


def rectified_zone(picture: Image.Image, placement: Placement, zone: Box, scale: float) -> Image.Image:
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


def _read(profile: FormSpec, page: PageReading, cut: _Cut, tokens: Sequence[Token]) -> FieldReading | None:
    top, bottom = cut.top - _WHITE / 3, cut.top + cut.size[1] + _WHITE / 3
    inside = [t for t in tokens if top <= t.box.cy <= bottom]
    runs = sorted(
        without_print(profile, inside), key=lambda run: (round(box_of(run).cy / (6 * cut.scale)), box_of(run).x0)
    )
    written = [_back_on_page(page, cut, token) for run in runs for token in run]
    return reading_of(profile.fields[cut.field].kind, written, METHOD)


def without_print(profile: FormSpec, tokens: Sequence[Token]) -> list[Line]:
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
    return token.at(displayed_box(page.placed.share_of_page(zone), page.page.turned))
