"""Find the ticked option of a choice: by a sign typed into its circle, else by the ink there, which is no text."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from math import ceil, floor
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pipeline.extraction.marked_options import SIGN
from pipeline.extraction.page_roles import RoledPage
from pipeline.extraction.placement import Placement
from pipeline.extraction.tokens import displayed
from pipeline.looks.closer_look import straightened
from pipeline.pages.page_model import Box, Source
from pipeline.pages.render import scale_of
from pipeline.profiles import Printed, PrintedRole
from pipeline.recognition.page_contents import render_page
from pipeline.schema import EvidenceBox, FieldReading

DPI = 100
#: Pixels per point of the rectified circle.
_SCALE = 3.0
#: Margin around the circles that is rendered too, in pixels.
_MARGIN = 8
#: Points by which a circle may be displaced.
_ASIDE = 3.0
#: Minimum dark share of a ticked circle, and the share of the paper's brightness below which a pixel is dark.
_TICKED = 0.10
_DARK = 0.6
#: The same of a mark with its surroundings, above those of all others; and how much of that difference the others
#: may have among themselves.
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
        best = _crossed([_ink_around(picture, placement, mark) for mark in marks])
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
    """Return which mark alone has a sign of the page's own text in it, None where none has, or several have."""
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
    """Return which mark has clearly the most ink inside, None where none has."""
    best = int(np.argmax(shares))
    others = [s for i, s in enumerate(shares) if i != best]
    if not others or shares[best] - max(others) < _TICKED or shares[best] < 1.6 * median(others):
        return None
    return best


def _crossed(shares: list[float]) -> int | None:
    """Return which mark has clearly the most ink in and around it, None where none has, or several have."""
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
    page, placement = roled.page, roled.reading.placement
    assert placement is not None
    if page.turned:
        return render_page(pdf, page.number, DPI, turned=page.turned, managed_colours=False), placement
    scale = scale_of(page.width, page.height, DPI)
    wide, high = page.width * scale, page.height * scale
    # On whole pixels, so that the result equals a crop of the whole rendered page.
    x0, y0 = max(floor(clip.x0 * wide) - _MARGIN, 0), max(floor(clip.y0 * high) - _MARGIN, 0)
    x1, y1 = min(ceil(clip.x1 * wide) + _MARGIN, wide), min(ceil(clip.y1 * high) + _MARGIN, high)
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


def _ink_around(picture: Image.Image, placement: Placement, mark: Box) -> float:
    """Return the share of ink in a mark and right around it, the printed edge included.

    A cross or a tick of thin strokes leaves most of the inside white, and goes beyond the edge.
    """
    return float(_dark(picture, placement, mark).mean())


def _dark(picture: Image.Image, placement: Placement, mark: Box) -> NDArray[np.float32]:
    """Return which pixels of a mark and `_ASIDE` points around it are dark (1) on the page."""
    near = Box(mark.x0 - _ASIDE, mark.y0 - _ASIDE, mark.x1 + _ASIDE, mark.y1 + _ASIDE)
    grey = np.asarray(straightened(picture, placement, near, _SCALE).convert("L"), dtype=np.float64)
    ground = float(np.percentile(grey, 95))
    dark: NDArray[np.float32] = (grey < _DARK * max(ground, 1.0)).astype(np.float32)
    return dark


def _around(boxes: list[Box]) -> Box:
    box = boxes[0]
    for other in boxes[1:]:
        box = box.union(other)
    return box


def _share(roled: RoledPage, box: Box) -> Box:
    placement = roled.reading.placement
    assert placement is not None
    return displayed(placement.share_of_page(box), roled.page.turned)
