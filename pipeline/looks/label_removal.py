"""Read handwriting that runs over the labels of a form, after removing the labels from the picture."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from statistics import median
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from core.config import Settings
from core.file_store import FileStore
from pipeline.extraction.page_roles import RoledPage
from pipeline.extraction.placement import Placement
from pipeline.extraction.printed import letters_of_print
from pipeline.extraction.tokens import PAGE_HEIGHT, PAGE_WIDTH, Token, all_tokens, upright
from pipeline.extraction.values.text import squeezed
from pipeline.extraction.zones import read_lines
from pipeline.looks.closer_look import SOURCE_DPI, placed_on_page, rectified_zone, without_print
from pipeline.mupdf.assembly import drawn_text, width_of
from pipeline.ocr import recognise
from pipeline.ocr_providers.base import OcrProvider
from pipeline.pages.page_model import Box, PageContent, Source
from pipeline.profiles import ZONE_KINDS, FieldKind, FormSpec, Printed, PrintedRole
from pipeline.recognition.page_contents import render_page
from pipeline.schema import FieldReading

# Remove the labels of a form from the picture of its page, so that handwriting over them can be read.
#
# The place and the text of each label are known, and forms use a plain sans serif, so each word is drawn, found
# near its place and painted over with its surroundings. Strokes that only cross it remain.


Grey = NDArray[np.uint8]
#: Pixels per point of the form at which words are compared.
_SCALE = 3.0
#: Points by which a label, and a word within it, may be displaced.
_LABEL_OFF, _WORD_OFF = 5.0, 2.0
#: Least correlation of a drawn word with the page; over handwriting it is near 0.5, elsewhere above 0.8.
_ALIKE = 0.35
#: From this correlation on nothing crosses a word, and its entire place is painted over.
_UNDISTURBED = 0.72
#: From this correlation on the place of a word predicts that of the next.
_CERTAIN = 0.6
#: Greatest difference (share) of the measured sizes of labels in one type.
_UNEVEN = 0.15
#: Ink of a drawn letter from which a pixel is painted over (0-255).
_INK = 50
#: Pixels around the picture within which a word may lie partly outside.
_PAD = 120
#: White around a drawn word, in points.
_MARGIN = 3.0
#: Margin (points) that is painted over around a word that nothing crosses.
_BESIDE = 1.7
#: Words of a label; a slash alone is too small to be found.
_WORDS = re.compile(r"\S+(?: /)?")
#: Points of the form around the header's labels and fields.
_AROUND = 12.0


@dataclass(frozen=True, slots=True)
class _Word:
    """A drawn word, the pixel at which its picture begins, and how well it fits the page there."""

    drawn: Grey
    left: int
    top: int
    likeness: float


def header_of(profile: FormSpec) -> Box:
    """Return the part of a form with its header fields and their labels, in points."""
    zones = [spec.zone for spec in profile.fields.values() if spec.zone and spec.kind in ZONE_KINDS]
    labels = [printed.at for printed in _labels(profile) if printed.at]
    boxes = [*zones, *labels]
    return Box(
        min(b.x0 for b in boxes) - _AROUND,
        min(b.y0 for b in boxes) - 2 * _AROUND,
        max(b.x1 for b in boxes) + 3 * _AROUND,
        max(b.y1 for b in boxes) + 2 * _AROUND,
    )


@dataclass(frozen=True, slots=True)
class BareHeader:
    """The picture of a form's header without labels, rectified to the form's coordinates."""

    picture: Image.Image
    #: The part that it shows, in points of the form.
    part: Box

    def cut(self, zone: Box, scale: float) -> Image.Image:
        """Return the picture of a zone at `scale` pixels per point; white outside the header."""
        k = self.picture.width / self.part.width
        return self.picture.transform(
            (round(zone.width * scale), round(zone.height * scale)),
            Image.Transform.AFFINE,
            (k / scale, 0, (zone.x0 - self.part.x0) * k, 0, k / scale, (zone.y0 - self.part.y0) * k),
            Image.Resampling.BICUBIC,
            fillcolor="white",
        )


def bare_header(picture: Image.Image, placement: Placement) -> BareHeader:
    """Return the header of a form, without its labels, from the picture of the page."""
    part = header_of(placement.profile)
    seen: Grey = np.array(rectified_zone(picture, placement, part, _SCALE).convert("L"))
    usual = median([_own_size(printed) for printed in _labels(placement.profile)])
    crossed, free = np.zeros_like(seen), np.zeros_like(seen)
    padded = cv2.copyMakeBorder(255 - seen, _PAD, _PAD, _PAD, _PAD, cv2.BORDER_CONSTANT, value=(0,))
    for printed in _labels(placement.profile):
        for word in _words_at(padded, part, printed, _size(printed, usual)):
            _paint(free if word.likeness >= _UNDISTURBED else crossed, word)
    bare = cv2.inpaint(seen, crossed, 3, cv2.INPAINT_TELEA)
    bare[free > 0] = np.median(seen)
    return BareHeader(Image.fromarray(bare).convert("RGB"), part)


def _labels(profile: FormSpec) -> list[Printed]:
    roles = (PrintedRole.LABEL, PrintedRole.OPTION)
    return [p for p in profile.printed if p.role in roles and p.at is not None and p.field and not p.repeat]


def _own_size(printed: Printed) -> float:
    """Return the size of type that makes a label as wide as its place."""
    assert printed.at is not None
    return printed.at.width / width_of(printed.texts[0], 1.0)


def _size(printed: Printed, usual: float) -> float:
    """Return the usual size unless the label clearly has another one: places are rounded to points."""
    own = _own_size(printed)
    return usual if abs(own - usual) <= _UNEVEN * usual else own


def _words_at(padded: Grey, part: Box, printed: Printed, size: float) -> Iterator[_Word]:
    """Yield the words of a label that are found on the page.

    Each word is searched where the previous one predicts it: a scan stretches a long label by more than a letter.
    """
    assert printed.at is not None
    at, text = printed.at, printed.texts[0]
    x, y, off = at.x0 - part.x0, at.cy - part.y0, _LABEL_OFF
    for word in _WORDS.findall(text):
        if (found := _nearest(padded, _drawn(word, size), (x, y), off)) is not None:
            yield found
            if found.likeness >= _CERTAIN:
                x, y, off = (
                    found.left / _SCALE + _MARGIN,
                    (found.top + found.drawn.shape[0] / 2) / _SCALE,
                    _WORD_OFF,
                )
        x += width_of(f"{word} ", size)


def _nearest(padded: Grey, drawn: Grey, place: tuple[float, float], off: float) -> _Word | None:
    """Return where a drawn word fits best near a place (points of its left end and middle), None if nowhere."""
    reach = round(off * _SCALE)
    left = round((place[0] - _MARGIN) * _SCALE) - reach
    top = round(place[1] * _SCALE - drawn.shape[0] / 2) - reach
    if left < -_PAD or top < -_PAD:
        return None
    window = padded[
        top + _PAD : top + _PAD + drawn.shape[0] + 2 * reach,
        left + _PAD : left + _PAD + drawn.shape[1] + 2 * reach,
    ]
    if window.shape[0] < drawn.shape[0] or window.shape[1] < drawn.shape[1]:
        return None
    fits: Any = cv2.matchTemplate(window, drawn, cv2.TM_CCOEFF_NORMED)
    _, likeness, _, (dx, dy) = cv2.minMaxLoc(fits)
    return _Word(drawn, left + dx, top + dy, likeness) if likeness >= _ALIKE else None


def _paint(mask: Grey, word: _Word) -> None:
    """Mark the place of a word that nothing crosses, else only its letters' pixels and the adjacent ones."""
    high, wide = word.drawn.shape
    x0, y0, x1, y1 = max(word.left, 0), max(word.top, 0), word.left + wide, word.top + high
    if word.likeness >= _UNDISTURBED:
        margin = round((_MARGIN - _BESIDE) * _SCALE)
        mask[y0 + margin : max(y1 - margin, 0), x0 + margin : max(x1 - margin, 0)] = 255
        return
    ink = cv2.dilate((word.drawn > _INK).astype(np.uint8) * 255, np.ones((3, 3), np.uint8))
    part = mask[y0 : max(y1, 0), x0 : max(x1, 0)]
    shown = ink[y0 - word.top :, x0 - word.left :][: part.shape[0], : part.shape[1]]
    np.maximum(part, shown, out=part)


@cache
def _drawn(text: str, size: float) -> Grey:
    """Draw a text as ink (255) on 0, vertically centred on its capitals."""
    high, wide = size * 1.05 + 2 * _MARGIN, width_of(text, size) + 2 * _MARGIN
    return 255 - drawn_text(text, size, (_MARGIN, high / 2 + 0.3 * size), (wide, high), _SCALE)


# Read handwriting that runs over the labels of a form: read the header again, without its labels.
#
# Recognition reads neither handwriting nor print where they cross. Values that are read here cross the form's
# columns and are marked `unaccounted`, so that a person sees them.


METHOD = "header without print"
#: Words that are less certain than this are remains of print.
_CLEAR = 0.5
#: Points by which a value must reach into a label to cross it.
_CROSSES = 6.0
#: Share of a label's letters that must be read for it to be undisturbed.
_READ = 0.75
#: Greatest loss of certainty of a reading without print, compared with one of the same place with print.
_LESS_CERTAIN = 0.12
#: Least confidence of a value that the first reading lacks.
_FIRST_CLEAR = 0.75


@dataclass(frozen=True, slots=True)
class BareReadings:
    readings: Mapping[str, FieldReading]
    bare: BareHeader


def is_disturbed(roled: RoledPage, readings: Mapping[str, FieldReading]) -> bool:
    """Whether a label was misread, a field has writing that was not read, or a name is one word."""
    profile = roled.form
    if any(reading.value is None for reading in readings.values()):
        return True
    names = [readings.get(name) for name, spec in profile.fields.items() if spec.kind is FieldKind.PERSON]
    return any(name is not None and " " not in (name.value or " ") for name in names) or _crossed(roled, profile)


def _crossed(roled: RoledPage, profile: FormSpec) -> bool:
    """Whether letters of a label were not read, as happens under handwriting."""
    seen = {id(at.printed): at.found for at in roled.reading.prints}
    for _, printed in profile.labels_in_place:
        if printed.field:
            found = seen.get(id(printed))
            if found is None or found.end - found.start < _READ * len(letters_of_print(printed.texts[0])):
                return True
    return False


def read_bare_header(
    pdf: bytes, roled: RoledPage, settings: Settings, store: FileStore | None, provider: OcrProvider
) -> BareReadings:
    """Read the header of a page without its labels. Requires `can_look_closer`.

    Raises RecognitionError, DamagedDocumentError.
    """
    placement, profile = roled.reading.placed, roled.form
    picture = render_page(pdf, roled.page.number, SOURCE_DPI, turned=roled.page.turned)
    bare = bare_header(picture, placement)
    found = recognise(bare.picture, provider, settings, store)
    content = PageContent(roled.page.number, PAGE_WIDTH, PAGE_HEIGHT, found.words, source=Source.OCR)
    tokens = [_on_form(roled, bare.part, t) for t in all_tokens(content) if t.confidence >= _CLEAR]
    readings = read_lines(profile, without_print(profile, tokens), METHOD)
    return BareReadings({name: reading for name, reading in readings.items() if reading.value}, bare)


def surer(roled: RoledPage, without: BareReadings, first: Mapping[str, FieldReading]) -> dict[str, FieldReading]:
    """Return the readings without print that replace the first ones.

    These are values that are surer without the print around them, and values that were missing.
    """
    found = {}
    for name, reading in without.readings.items():
        known = first.get(name)
        missing = known is None or not known.value
        taken = reading.confidence >= _FIRST_CLEAR if missing else _is_better(roled, reading, known)
        if taken:
            strays = missing or crosses_label(roled, reading)
            found[name] = reading.model_copy(update={"unaccounted": strays})
    return found


def _is_better(roled: RoledPage, reading: FieldReading, known: FieldReading | None) -> bool:
    """Whether a reading is surer than the first (across a label: nearly as sure) and not part of it."""
    if known is None or squeezed(reading.value or "") in squeezed(known.value or ""):
        return False
    allowed = _LESS_CERTAIN if crosses_label(roled, reading) else 0.0
    return reading.confidence > known.confidence - allowed


def crosses_label(roled: RoledPage, reading: FieldReading) -> bool:
    """Whether a value runs over a label."""
    labels = roled.form.labels_in_place
    return any(_runs_over(box, label) for box in _boxes(roled, reading) for label, _ in labels)


def _runs_over(box: Box, label: Box) -> bool:
    across, down = box.shared(label)
    return across >= _CROSSES and down >= 0.6 * min(box.height, label.height)


def _boxes(roled: RoledPage, reading: FieldReading) -> Iterator[Box]:
    """Yield the evidence of a reading in points of the form."""
    placement = roled.reading.placed
    for at in reading.evidence:
        yield placement.box_to_form(placement.box_in_points(upright(at.box, roled.page.turned)))


def _on_form(roled: RoledPage, part: Box, token: Token) -> Token:
    """Return a token of the header's picture with its box in points of the form."""
    b = token.box
    kx, ky = part.width / PAGE_WIDTH, part.height / PAGE_HEIGHT
    box = Box(part.x0 + b.x0 * kx, part.y0 + b.y0 * ky, part.x0 + b.x1 * kx, part.y0 + b.y1 * ky)
    return placed_on_page(roled.reading, token._replace(box=box), box)
