"""Cut the picture of a header that the second reader is shown: one small grey picture, never the essay."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise

from PIL import Image, ImageDraw, ImageOps

from pipeline.extraction.freeform import is_prose
from pipeline.extraction.page_reading import written_lines
from pipeline.extraction.page_roles import RoledPage
from pipeline.extraction.tokens import box_of, displayed_box, token_text
from pipeline.extraction.values.text import tidied
from pipeline.looks.closer_look import SOURCE_DPI, rectified_zone
from pipeline.pages.page_model import Box, Source
from pipeline.profiles import ZONE_KINDS, FieldKind, FormSpec, PrintedRole, freeform_profile, text_fields
from pipeline.recognition.page_contents import render_page
from pipeline.schema import EvidenceBox

#: Kinds of fields that the second reader is asked for.
ASKED_KINDS = (*ZONE_KINDS, FieldKind.CHOICE)
#: Width of the picture, and its greatest height, in pixels.
WIDTH, _HIGHEST = 1300, 640
#: Most bytes of the picture.
MOST_BYTES = 150_000
#: Points around the header: a value may begin left of its zone or run over its edge.
_ACROSS, _ABOVE, _BELOW = 44.0, 16.0, 12.0
#: The share of a page's height that is shown where nothing tells where its header ends; and the least share.
_UPPER, _LEAST = 0.3, 0.1
#: A line of fewer letters is a speck.
_LEAST_LETTERS = 4
_QUALITIES = (80, 65, 50, 35)
_BODY = (FieldKind.ESSAY, FieldKind.REACTION)
#: Printed texts below which the body of a form begins.
_BEFORE_BODY = (PrintedRole.PROMPT, PrintedRole.LIMIT, PrintedRole.REACTION)


@dataclass(frozen=True, slots=True)
class HeaderPicture:
    """The header of one page, and the fields that it shows."""

    page: int
    form: FormSpec
    fields: tuple[str, ...]
    jpeg: bytes
    #: Where the values of fields stand on the displayed page, for the fields whose place is known.
    places: dict[str, EvidenceBox]


def header_picture(pdf: bytes, roled_pages: Sequence[RoledPage], wanted: Collection[str]) -> HeaderPicture | None:
    """Return the header of the recognised page that asks for most of the wanted fields, the first of equals.

    All fields that its form asks for are in `fields`. None if no page asks for any. Raises DamagedDocumentError.
    """
    recognised = [roled for roled in roled_pages if roled.page.source is Source.OCR]
    asking = [(len(set(wanted) & set(_fields(roled))), roled) for roled in recognised]
    if not any(number for number, _ in asking):
        return None
    roled = max(asking, key=lambda one: one[0])[1]
    form = roled.profile or freeform_profile()
    placed = roled.profile is not None and roled.reading.fixed
    picture = _band(pdf, roled) if placed else _upper_part(pdf, roled)
    return HeaderPicture(
        page=roled.page.number,
        form=form,
        fields=tuple(_fields(roled)),
        jpeg=_jpeg(picture),
        places={name: _place(roled, box) for name, box in _zones(form).items()} if placed else {},
    )


def _fields(roled: RoledPage) -> list[str]:
    form = roled.profile or freeform_profile()
    return [name for name, spec in form.fields.items() if spec.kind in ASKED_KINDS and name not in text_fields()]


def _zones(form: FormSpec) -> dict[str, Box]:
    return {name: s.zone for name, s in form.fields.items() if s.kind in ASKED_KINDS and s.zone is not None}


def _place(roled: RoledPage, zone: Box) -> EvidenceBox:
    share = roled.reading.placed.share_of_page(zone)
    return EvidenceBox(page=roled.page.number, box=displayed_box(share, roled.page.turned))


def _band(pdf: bytes, roled: RoledPage) -> Image.Image:
    """Return the part of a measured form that holds its short fields, rectified, with its texts painted over."""
    form, (width, height) = roled.form, roled.reading.placed.size
    header = reduce(Box.union, _header_boxes(form))
    grown = Box(header.x0 - _ACROSS, header.y0 - _ABOVE, header.x1 + _ACROSS, header.y1 + _BELOW)
    band = Box(max(grown.x0, 0.0), max(grown.y0, 0.0), min(grown.x1, width), min(grown.y1, height))
    bodies = [spec.zone for spec in form.fields.values() if spec.kind in _BODY and spec.zone is not None]
    scale = min(WIDTH / band.width, _HIGHEST / band.height)
    page = render_page(pdf, roled.page.number, SOURCE_DPI, turned=roled.page.turned)
    picture = rectified_zone(page, roled.reading.placed, band, scale)
    painter = ImageDraw.Draw(picture)
    for body in bodies:
        across, down = band.shared(body)
        if across > 0 and down > 0:
            left, top = (body.x0 - band.x0) * scale, (body.y0 - band.y0) * scale
            right, bottom = (body.x1 - band.x0) * scale, (body.y1 - band.y0) * scale
            painter.rectangle((left, top, right, bottom), fill="white")
    return picture


def _header_boxes(form: FormSpec) -> Iterable[Box]:
    """Return the places of the short fields of a form, and of their labels and options."""
    asked = {name for name, spec in form.fields.items() if spec.kind in ASKED_KINDS}
    roles = (PrintedRole.LABEL, PrintedRole.OPTION)
    printed = [one for one in form.printed if one.role in roles and one.field in asked and not one.repeat]
    return [
        *_zones(form).values(),
        *(place for one in printed for place in (one.at, one.mark) if place is not None),
    ]


def _upper_part(pdf: bytes, roled: RoledPage) -> Image.Image:
    """Return the page down to where its body begins, by what was recognised."""
    share = max(min(_body_begins(roled), _UPPER), _LEAST)
    clip = displayed_box(Box(0.0, 0.0, 1.0, share), roled.page.turned)
    page = roled.page
    picture = render_page(pdf, page.number, SOURCE_DPI, clip, turned=page.turned)
    scale = min(WIDTH / picture.width, _HIGHEST / picture.height)
    return picture.resize((round(picture.width * scale), round(picture.height * scale)), Image.Resampling.LANCZOS)


def _body_begins(roled: RoledPage) -> float:
    """Return the share of the upright page above its running text, two lines of prose, or the form's prompt."""
    height = roled.page.letter[1]
    texts = [(box_of(line).y0, tidied(token_text(line))) for line in written_lines(roled.reading)]
    lines = [(top, is_prose(text)) for top, text in texts if len(text) >= _LEAST_LETTERS]
    prose = [top for (top, first), (_, second) in pairwise(lines) if first and second]
    printed = [at.found.box.y0 for at in roled.reading.of_role(*_BEFORE_BODY)] if roled.profile else []
    return min([*prose, *printed], default=height) / height


def _jpeg(picture: Image.Image) -> bytes:
    """Encode a picture in grey, without metadata, in at most MOST_BYTES."""
    grey = ImageOps.autocontrast(picture.convert("L"), cutoff=(0.5, 0.5))
    while True:
        for quality in _QUALITIES:
            encoded = io.BytesIO()
            grey.save(encoded, "JPEG", quality=quality, optimize=True)
            if encoded.tell() <= MOST_BYTES:
                return encoded.getvalue()
        grey = grey.resize((grey.width * 3 // 4, grey.height * 3 // 4), Image.Resampling.LANCZOS)
