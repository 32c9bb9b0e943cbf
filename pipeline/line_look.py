"""Fields of a recognised form read as single lines, without detection.

Detection loses a lone digit in its box, and cuts a hand's lines now too short, now too long. Read from several
cuts of the same line, a value that most of them say is righter than any one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from statistics import fmean

from PIL import Image

from core.file_store import FileStore
from pipeline.closer_look import SOURCE_DPI, straightened
from pipeline.extraction.combine import same_value
from pipeline.extraction.fields import UNREADABLE, judge
from pipeline.extraction.mending import mended
from pipeline.extraction.text import squeezed
from pipeline.extraction.tokens import PAGE_HEIGHT, PAGE_WIDTH, displayed, upright
from pipeline.ocr import recognise_line
from pipeline.ocr_providers.base import OcrProvider
from pipeline.page_model import Box, Source
from pipeline.page_roles import RoledPage
from pipeline.pages import render_page
from pipeline.profiles import FieldKind
from pipeline.schema import EvidenceBox, FieldReading

METHOD = "lines"
#: Pixels a point of the form: the recogniser's own height for a line of 20 points.
_SCALE = 2.2
#: So many cuts must say the same name, and one of them so much surer, to overrule what was read first:
#: over 135 names of hands and prints that put 8 right and 1 wrong.
_AGREEING_NAMES = 3
_SURER = 0.02
#: So many cuts must say the same of what was missing, and none another.
_AGREEING = 2
#: Cuts of a zone: points beyond its left, right, upper and lower edge. A grade stands in a printed box.
_CUTS = {
    FieldKind.GRADE: ((-3, -4, -3, 0), (-3, -4, 4, 3), (-3, -12, 0, 0)),
    FieldKind.PHONE: ((2, 3, 4, 2), (2, 3, 1, 1), (2, 3, 7, -1)),
}
#: Fields that are worth it where they are missing.
SHORT_KINDS = frozenset(_CUTS)


class LineLook:
    """The lines of one page. Needs `can_look_closer`; its methods raise RecognitionError, DamagedDocumentError."""

    def __init__(self, pdf: bytes, roled: RoledPage, provider: OcrProvider, store: FileStore | None) -> None:
        self._pdf, self._roled, self._provider, self._store = pdf, roled, provider, store

    def name(self, field: str, first: FieldReading) -> FieldReading:
        """The name that most cuts of its line agree on, else the first reading."""
        if not first.value:
            return first
        zone = self._zone(field)
        cuts = [
            [_grown(box, *by) for box in self._places(first)] for by in ((3, 3, 0, 0), (4, 4, 2, 2), (6, 6, 4, 4))
        ]
        cuts += [[_grown(zone, 2, 3, up, down)] for up, down in ((4, 2), (1, 1), (7, -1))]
        return _overruled(first, [r for cut in cuts if (r := self._read(FieldKind.PERSON, cut))])

    def missing(self, field: str, kind: FieldKind) -> FieldReading | None:
        """What at least two cuts of a missing field's zone say, and none contradicts."""
        zone = self._zone(field)
        cuts = [_grown(zone, *by) for by in _CUTS[kind]]
        found = [r for cut in cuts if (r := self._read(kind, [cut]))]
        said = [r.value for r in found if r.value]
        if len(said) < _AGREEING or not all(same_value(kind, said[0], other) for other in said):
            return None
        certainty = fmean(r.confidence for r in found) * len(found) / len(cuts)
        return found[0].model_copy(update={"confidence": round(certainty, 4)})

    @cached_property
    def _picture(self) -> Image.Image:
        return render_page(self._pdf, self._roled.page.number, SOURCE_DPI, turned=self._roled.page.turned)

    def _zone(self, field: str) -> Box:
        profile = self._roled.profile
        assert profile is not None
        zone = profile.fields[field].zone
        assert zone is not None
        return zone

    def _places(self, reading: FieldReading) -> list[Box]:
        """Where it was read, in points of the form."""
        placement, page = self._roled.reading.placement, self._roled.page
        assert placement is not None
        lying = [upright(at.box, page.turned) for at in reading.evidence if at.page == page.number]
        return [
            placement.box_to_form(
                Box(b.x0 * PAGE_WIDTH, b.y0 * PAGE_HEIGHT, b.x1 * PAGE_WIDTH, b.y1 * PAGE_HEIGHT)
            )
            for b in lying
        ]

    def _read(self, kind: FieldKind, lines: Sequence[Box]) -> FieldReading | None:
        """One reading from cuts of the form, one below the other."""
        placement = self._roled.reading.placement
        assert placement is not None
        texts = [
            recognise_line(straightened(self._picture, placement, line, _SCALE), self._provider, self._store)
            for line in lines
        ]
        value = judge(kind, mended(kind, " ".join(t.text for t in texts)))
        confidence = min((t.confidence for t in texts), default=0.0) * value.certainty
        if value.text is None or confidence < UNREADABLE:
            return None
        evidence = [self._evidence(line) for line in lines]
        return FieldReading(
            value=value.text, confidence=confidence, source=Source.OCR, evidence=evidence, method=METHOD
        )

    def _evidence(self, line: Box) -> EvidenceBox:
        placement, page = self._roled.reading.placement, self._roled.page
        assert placement is not None
        at = placement.box_to_page(line)
        share = (at.x0 / PAGE_WIDTH, at.y0 / PAGE_HEIGHT, at.x1 / PAGE_WIDTH, at.y1 / PAGE_HEIGHT)
        return EvidenceBox(
            page=page.number, box=displayed(Box(*(min(max(v, 0.0), 1.0) for v in share)), page.turned)
        )


def _grown(box: Box, left: float, right: float, up: float, down: float) -> Box:
    return Box(box.x0 - left, box.y0 - up, box.x1 + right, box.y1 + down)


def _overruled(first: FieldReading, found: Sequence[FieldReading]) -> FieldReading:
    """The first reading, or what enough of the others agree on; no surer than the first, which said otherwise."""
    assert first.value is not None
    agreed = max(_groups(found), key=len, default=[])
    said = {squeezed(r.value or "") for r in agreed}
    if len(agreed) < _AGREEING_NAMES or any(s in squeezed(first.value) for s in said):
        return first
    if max(r.confidence for r in agreed) < first.confidence + _SURER:
        return first
    # Recognisers lose accents, they do not invent them.
    best = max(agreed, key=lambda r: (sum(not c.isascii() for c in r.value or ""), r.confidence))
    return first.model_copy(
        update={
            "value": best.value,
            "confidence": round(min(first.confidence, fmean(r.confidence for r in agreed)), 4),
            "method": f"{first.method}, overruled by {len(agreed)} {METHOD}",
        }
    )


def _groups(found: Iterable[FieldReading]) -> list[list[FieldReading]]:
    """Readings that say the same letters."""
    groups: dict[str, list[FieldReading]] = {}
    for reading in found:
        groups.setdefault(squeezed(reading.value or ""), []).append(reading)
    return list(groups.values())
