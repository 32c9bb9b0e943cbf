"""Cut the picture of a header that the second reader is shown: one small grey picture, never the essay."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from PIL import Image, ImageDraw, ImageOps

from pipeline.extraction.freeform import is_running_text
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
#: Points behind and below a recognised line: missed words may follow, and a slanted line reaches below its box.
_BEHIND, _UNDER = 60.0, 10.0
#: Points between a header and a text above or below it, and above a recognised line.
_CLEAR = 8.0
#: The share of a page's height below which nothing is shown where no measure tells where the header ends.
_UPPER = 0.3
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

    All fields that its form asks for are in `fields`. None if no page asks for any, or the page shows no line that
    is surely none of its essay. Raises DamagedDocumentError.
    """
    recognised = [roled for roled in roled_pages if roled.page.source is Source.OCR]
    asking = [(len(set(wanted) & set(_fields(roled))), roled) for roled in recognised]
    if not any(number for number, _ in asking):
        return None
    roled = max(asking, key=lambda one: one[0])[1]
    form = roled.profile or freeform_profile()
    placed = roled.profile is not None and roled.reading.fixed
    picture = _bands(pdf, roled) if placed else _lines_above(pdf, roled)
    if picture is None:
        return None
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


def _bands(pdf: bytes, roled: RoledPage) -> Image.Image:
    """Return the parts of a measured form that hold its short fields, rectified, below each other.

    A text between them is left out, and one beside them painted over.
    """
    form, (width, height) = roled.form, roled.reading.placed.size
    bodies = [spec.zone for spec in form.fields.values() if spec.kind in _BODY and spec.zone is not None]
    bands = [_grown(header, bodies, (width, height)) for header in _parted(_header_boxes(form), bodies)]
    widest, highest = max(band.width for band in bands), sum(band.height for band in bands)
    scale = min(WIDTH / widest, _HIGHEST / highest)
    page = render_page(pdf, roled.page.number, SOURCE_DPI, turned=roled.page.turned)
    pictures = []
    for band in bands:
        picture = rectified_zone(page, roled.reading.placed, band, scale)
        painter = ImageDraw.Draw(picture)
        for body in bodies:
            across, down = band.shared(body)
            if across > 0 and down > 0:
                left, top = (body.x0 - band.x0) * scale, (body.y0 - band.y0) * scale
                right, bottom = (body.x1 - band.x0) * scale, (body.y1 - band.y0) * scale
                painter.rectangle((left, top, right, bottom), fill="white")
        pictures.append(picture)
    return _stacked(pictures)


def _header_boxes(form: FormSpec) -> Iterable[Box]:
    """Return the places of the short fields of a form, and of their labels and options."""
    asked = {name for name, spec in form.fields.items() if spec.kind in ASKED_KINDS}
    roles = (PrintedRole.LABEL, PrintedRole.OPTION)
    printed = [one for one in form.printed if one.role in roles and one.field in asked and not one.repeat]
    return [
        *_zones(form).values(),
        *(place for one in printed for place in (one.at, one.mark) if place is not None),
    ]


def _parted(boxes: Iterable[Box], bodies: Sequence[Box]) -> list[Box]:
    """Return the areas of the boxes, from top to bottom: one for those without a text between them."""
    parts: dict[int, Box] = {}
    for box in boxes:
        above = sum(body.cy < box.cy for body in bodies)
        parts[above] = parts[above].union(box) if above in parts else box
    return [parts[above] for above in sorted(parts)]


def _grown(header: Box, bodies: Sequence[Box], size: tuple[float, float]) -> Box:
    """Return an area with its margins, within the page and clear of the texts above and below it."""
    above = [body.y1 + _CLEAR for body in bodies if body.y1 <= header.y0]
    below = [body.y0 - _CLEAR for body in bodies if body.y0 >= header.y1]
    return Box(
        max(header.x0 - _ACROSS, 0.0),
        min(max(header.y0 - _ABOVE, 0.0, *above), header.y0),
        min(header.x1 + _ACROSS, size[0]),
        max(min(header.y1 + _BELOW, size[1], *below), header.y1),
    )


def _stacked(pictures: Sequence[Image.Image]) -> Image.Image:
    """Return pictures below each other."""
    sheet = Image.new("RGB", (max(one.width for one in pictures), sum(one.height for one in pictures)), "white")
    top = 0
    for one in pictures:
        sheet.paste(one, (0, top))
        top += one.height
    return sheet


def _lines_above(pdf: bytes, roled: RoledPage) -> Image.Image | None:
    """Return the recognised lines above the body of a page that is not measured, everything else white.

    What was not recognised is not shown: it may be the essay. None without such a line.
    """
    page, (width, height) = roled.page, roled.page.letter
    header, body = _header_and_body(roled)
    if not header:
        return None
    near = [Box(b.x0 - _ACROSS, b.y0 - _CLEAR, b.x1 + _BEHIND, b.y1 + _UNDER) for b in header]
    share = min(max(box.y1 for box in near) / height, 1.0)
    clip = displayed_box(Box(0.0, 0.0, 1.0, share), page.turned)
    picture = render_page(pdf, page.number, SOURCE_DPI, clip, turned=page.turned).convert("RGB")
    across, down = picture.width / width, picture.height / (height * share)
    shown = Image.new("L", picture.size, 0)
    painter = ImageDraw.Draw(shown)
    for boxes, seen in ((near, 255), (body, 0), (header, 255)):
        for box in boxes:
            painter.rectangle((box.x0 * across, box.y0 * down, box.x1 * across, box.y1 * down), fill=seen)
    sheet = Image.new("RGB", picture.size, "white")
    sheet.paste(picture, mask=shown)
    scale = min(WIDTH / picture.width, _HIGHEST / picture.height)
    return sheet.resize((round(sheet.width * scale), round(sheet.height * scale)), Image.Resampling.LANCZOS)


def _header_and_body(roled: RoledPage) -> tuple[list[Box], list[Box]]:
    """Return the boxes of the lines above the body of a page, and of all others, in points of the upright page.

    The body begins with two lines of running text, or with the form's prompt; single ones above are others too.
    """
    reading = roled.reading
    labels = {at.found.line for at in reading.of_role(PrintedRole.LABEL, PrintedRole.OPTION)}
    texts = ((n, box_of(line.tokens), tidied(token_text(line.tokens))) for n, line in enumerate(reading.lines))
    lines = [
        (box, n not in labels and is_running_text(text)) for n, box, text in texts if len(text) >= _LEAST_LETTERS
    ]
    prose = [first[0].y0 for first, second in pairwise(lines) if first[1] and second[1]]
    prompts = [at.found.box.y0 for at in reading.of_role(*_BEFORE_BODY)]
    end = min([*prose, *prompts, _UPPER * roled.page.letter[1]])
    header = [box for box, running in lines if box.y0 < end and not running]
    return header, [box for box, running in lines if box.y0 >= end or running]


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
