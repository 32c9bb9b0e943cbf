"""Read handwriting that runs over the labels of a form: the header once more, without its labels.

Where handwriting crosses print, recognition reads neither. What is read here crosses the form's columns and is
marked `unaccounted`, so that a person sees it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from core.config import Settings
from core.file_store import FileStore
from pipeline.extraction.page_roles import RoledPage
from pipeline.extraction.printed import letters_of_print
from pipeline.extraction.tokens import PAGE_HEIGHT, PAGE_WIDTH, Token, tokens_of, upright
from pipeline.extraction.values.text import squeezed
from pipeline.extraction.zones import read_lines
from pipeline.looks.closer_look import SOURCE_DPI, placed_on_page, without_print
from pipeline.looks.print_removal import BareHeader, bare_header
from pipeline.ocr import recognise
from pipeline.ocr_providers.base import OcrProvider
from pipeline.pages.page_model import Box, PageContent, Source
from pipeline.profiles import FieldKind, PrintedRole, Profile
from pipeline.recognition.page_contents import render_page
from pipeline.schema import FieldReading

METHOD = "header without print"
#: Words that are less certain than this are remains of print.
_CLEAR = 0.5
#: Points by which a value must reach into a label to cross it.
_CROSSES = 6.0
#: Share of a label's letters that must be read for it to be undisturbed.
_READ = 0.75
#: How much less certain a reading without print may be than one of the same place with print.
_LESS_CERTAIN = 0.12
#: Least confidence of a value where the first reading has none.
_FIRST_CLEAR = 0.75


@dataclass(frozen=True, slots=True)
class BareReadings:
    """What the header without its labels says."""

    #: The values read there.
    readings: Mapping[str, FieldReading]
    bare: BareHeader


def is_disturbed(roled: RoledPage, readings: Mapping[str, FieldReading]) -> bool:
    """Whether a label is not read as it is printed, a field is written on but not read, or a name is one word."""
    profile = roled.profile
    assert profile is not None
    if any(reading.value is None for reading in readings.values()):
        return True
    names = [readings.get(name) for name, spec in profile.fields.items() if spec.kind is FieldKind.PERSON]
    return any(name is not None and " " not in (name.value or " ") for name in names) or _crossed(roled, profile)


def _crossed(roled: RoledPage, profile: Profile) -> bool:
    """Whether letters of a label were not read, as where something is written over it."""
    seen = {id(at.printed): at.found for at in roled.reading.prints}
    for printed in profile.printed:
        if printed.role is PrintedRole.LABEL and printed.field and printed.at and not printed.repeat:
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
    placement, profile = roled.reading.placement, roled.profile
    assert placement is not None and profile is not None
    picture = render_page(pdf, roled.page.number, SOURCE_DPI, turned=roled.page.turned)
    bare = bare_header(picture, placement)
    found = recognise(bare.picture, provider, settings, store)
    content = PageContent(roled.page.number, PAGE_WIDTH, PAGE_HEIGHT, found.words, source=Source.OCR)
    tokens = [_on_form(roled, bare.part, t) for t in tokens_of(content) if t.confidence >= _CLEAR]
    readings = read_lines(profile, without_print(profile, tokens), METHOD)
    return BareReadings({name: reading for name, reading in readings.items() if reading.value}, bare)


def surer(roled: RoledPage, without: BareReadings, first: Mapping[str, FieldReading]) -> dict[str, FieldReading]:
    """Return the readings without print that take the place of the first ones.

    These are the values that are surer without the print around them, and those missing before.
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
    """Whether a reading is surer than the first and not part of it; over a label it may be a little less sure."""
    if known is None or squeezed(reading.value or "") in squeezed(known.value or ""):
        return False
    allowed = _LESS_CERTAIN if crosses_label(roled, reading) else 0.0
    return reading.confidence > known.confidence - allowed


def crosses_label(roled: RoledPage, reading: FieldReading) -> bool:
    """Whether a value runs over a label."""
    assert roled.profile is not None
    labels = [p.at for p in roled.profile.printed if p.role is PrintedRole.LABEL and p.at and not p.repeat]
    return any(_runs_over(box, label) for box in _boxes(roled, reading) for label in labels)


def _runs_over(box: Box, label: Box) -> bool:
    across = min(box.x1, label.x1) - max(box.x0, label.x0)
    down = min(box.y1, label.y1) - max(box.y0, label.y0)
    return across >= _CROSSES and down >= 0.6 * min(box.height, label.height)


def _boxes(roled: RoledPage, reading: FieldReading) -> Iterator[Box]:
    """Yield the evidence of a reading in points of the form."""
    placement = roled.reading.placement
    assert placement is not None
    for at in reading.evidence:
        yield placement.box_to_form(placement.box_in_points(upright(at.box, roled.page.turned)))


def _on_form(roled: RoledPage, part: Box, token: Token) -> Token:
    """Return a token of the header's picture with its box in points of the form."""
    b = token.box
    kx, ky = part.width / PAGE_WIDTH, part.height / PAGE_HEIGHT
    box = Box(part.x0 + b.x0 * kx, part.y0 + b.y0 * ky, part.x0 + b.x1 * kx, part.y0 + b.y1 * ky)
    return placed_on_page(roled.reading, token._replace(box=box), box)
