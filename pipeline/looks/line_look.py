"""Read fields of a recognised form as single lines, and let several pictures of a line vote.

Detection misses a single digit in its box, and cuts lines of handwriting too short or too long. The value that
most of several crops of the same line give is more often right than that of any single crop.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from statistics import fmean

from PIL import Image, ImageFilter, ImageOps

from core.file_store import FileStore
from core.messages import Message
from pipeline.extraction.page_roles import RoledPage
from pipeline.extraction.readings import RECOGNISED_ALONE, same_value
from pipeline.extraction.tokens import displayed_box, upright
from pipeline.extraction.values.fields import UNREADABLE, mended, parse_value
from pipeline.extraction.values.names import is_misread_label
from pipeline.extraction.values.text import squeezed
from pipeline.looks.closer_look import SOURCE_DPI, rectified_zone, without_boxes
from pipeline.looks.label_removal import BareHeader
from pipeline.ocr import recognise_line
from pipeline.ocr_providers.base import OcrProvider
from pipeline.pages.page_model import Box, Source
from pipeline.profiles import FieldKind
from pipeline.reason_codes import ReadingWay
from pipeline.recognition.page_contents import render_page
from pipeline.schema import EvidenceBox, FieldReading
from pipeline.spelling.lattice import Lattice, Spelled, in_one_line, listed, pack_lattice, spell, spell_grade

# Let several pictures of the same line vote on the value of a field.
#
# The line is cropped with several margins, and each crop is read unchanged, larger, sharper, with more contrast.
# Recognition errs differently in each picture, mostly where the writing is unclear: a value that nearly all give
# is right far more often than the value of the surest picture.


VOTES = "votes"
#: A value with a smaller share of the votes is dropped, unless it was asked for.
_FEW = 0.25


def line_votes(
    field: str,
    kind: FieldKind,
    first: FieldReading | None,
    asked: Sequence[str],
    look: LineLook,
    provider: OcrProvider,
    store: FileStore | None,
) -> list[FieldReading]:
    """Return each value that was asked for, and each that many pictures give, with its share of the votes.

    The share is the confidence, 0 for a value that no picture gives; at most that of a value recognised alone.
    Raises RecognitionError, DamagedDocumentError.
    """
    cuts = look.cuts(field, kind, first)
    votes = [
        _vote(kind, [look.picture(line) for line in cut], way, provider, store) for cut in cuts for way in _WAYS
    ]
    wanted = {squeezed(value) for value in asked}
    shares = {
        value: share
        for letters, value in _by_letters(asked, votes).items()
        if (share := _share(kind, letters, votes)) >= _FEW or letters in wanted
    }
    return [_reading(value, share, cuts[0], look) for value, share in shares.items()]


def _vote(
    kind: FieldKind,
    lines: Sequence[Image.Image],
    way: Callable[[Image.Image], Image.Image],
    provider: OcrProvider,
    store: FileStore | None,
) -> str | None:
    text = " ".join(recognise_line(way(line), provider, store).text for line in lines)
    return parse_value(kind, mended(kind, text)).text


def _by_letters(asked: Sequence[str], votes: Iterable[str | None]) -> dict[str, str]:
    """Return a spelling for each value, by its letters: as it was asked for, else as most pictures give it."""
    counted = Counter(vote for vote in votes if vote)
    spellings: dict[str, str] = {}
    for value in [*asked, *(vote for vote, _ in counted.most_common())]:
        spellings.setdefault(squeezed(value), value)
    return spellings


def _share(kind: FieldKind, letters: str, votes: Sequence[str | None]) -> float:
    """Return the share of votes for a value; half of it for a grade that some picture reads differently.

    A picture may have cut off a digit: three votes for "12" among many for "2" are not chance.
    """
    given = [squeezed(vote) if vote else None for vote in votes]
    share = given.count(letters) / len(given)
    disputed = kind is FieldKind.GRADE and any(vote not in (None, letters) for vote in given)
    return share / 2 if disputed else share


def _reading(value: str, share: float, lines: Sequence[Box], look: LineLook) -> FieldReading:
    return FieldReading(
        value=value,
        confidence=round(min(share, RECOGNISED_ALONE), 4),
        source=Source.OCR,
        evidence=[look.evidence(line) for line in lines],
        method=VOTES,
        way=Message.of(ReadingWay.SECOND).to_json(),
        signals={"share": round(share, 4)},
    )


#: A line as it is, larger, sharper, and with more contrast.
_WAYS: tuple[Callable[[Image.Image], Image.Image], ...] = (
    lambda line: line,
    lambda line: line.resize((round(line.width * 1.4), round(line.height * 1.4)), Image.Resampling.BICUBIC),
    lambda line: line.filter(ImageFilter.UnsharpMask(3, 180, 0)),
    lambda line: ImageOps.autocontrast(line.convert("L"), cutoff=(1, 30)).convert("RGB"),
)


# Read fields of a recognised form as single lines, without text detection.


METHOD = "lines"
#: Pixels per point of the form: gives a line of 20 points the recogniser's input height.
_SCALE = 2.2
#: Crops of a line: points beyond its left, right, upper and lower edge.
_VIEWS = ((7, 3, 0, 0), (8, 4, 2, 2), (10, 6, 4, 4))
#: Points by which a line's box may cut off its first letter.
_LETTER_EDGE = 2.0
#: Factor on the confidence of a spelling found here, because the first reading was different.
_SPELLED = 0.75
#: A grade of at least this confidence replaces the first reading.
_CLEAR_GRADE = 0.75
#: Loss of confidence up to which the reading of the field's whole width is preferred.
_AS_CLEAR = 0.05
#: Minimum number of crops that must give the same missing value, with none different.
_AGREEING = 2
#: Minimum number of readings of an address or number with the same letters. Measured: of values given by three
#: readings half are right, of those given by five nine in ten.
_MOST = 3
#: Kinds of values for which there are no lists of words: only another reading can confirm each letter.
VOTED_KINDS = frozenset((FieldKind.EMAIL, FieldKind.PHONE))
#: Crops of a zone: points beyond its left, right, upper and lower edge. A grade is in a printed box.
_CUTS = {
    FieldKind.GRADE: ((-3, -4, -3, 0), (-3, -4, 4, 3), (-3, -12, 0, 0)),
    FieldKind.PHONE: ((2, 3, 4, 2), (2, 3, 1, 1), (2, 3, 7, -1)),
}
#: Kinds of values made of digits, for which a form may have a box each.
DIGIT_KINDS = frozenset((FieldKind.DATE, FieldKind.NUMBER))
#: Crops of a zone for digits: without its edges, which may be printed, and with overhanging ink.
_DIGIT_CUTS = ((0, 0, 0, 0), (-2, -2, -2, -1), (3, 3, 3, 2), (2, 2, 1, 4))
#: Crops of the zone of any other kind.
_ZONE_CUTS = ((2, 3, 4, 2), (2, 3, 1, 1), (2, 12, 2, 6))
#: Kinds of fields that are read again if they are missing.
SHORT_KINDS = frozenset(_CUTS)


class LineLook:
    """Reader of the lines of one page; requires `can_look_closer`.

    The methods raise RecognitionError, DamagedDocumentError."""

    def __init__(
        self,
        pdf: bytes,
        roled: RoledPage,
        provider: OcrProvider,
        store: FileStore | None,
        bare: BareHeader | None = None,
    ) -> None:
        """`bare` is the page's header without print, for reading lines that run over print."""
        self._pdf, self._roled, self._provider, self._store = pdf, roled, provider, store
        self._bare = bare

    def spelled(self, field: str, kind: FieldKind, first: FieldReading) -> FieldReading:
        """Return a name or school in its likeliest spelling; `first` where no other spelling is likelier.

        A first reading of listed words is replaced only by a surer one: then no word speaks against it.
        """
        places, said = rows_of(self._places(first)), first.value
        if not said or not places:
            return first
        known = said if len(places) == 1 else ""
        lines, views = zip(*(self._likeliest(field, kind, place, known) for place in places), strict=True)
        text = " ".join(line.text for line in lines)
        value = parse_value(kind, mended(kind, text))
        first = _with_lattices(first, views)
        if value.text is None:
            return first
        if squeezed(value.text) == squeezed(said):
            # The same letters: at most the words are parted otherwise.
            apart = len(value.text.split()) != len(said.split())
            return first.model_copy(update={"value": value.text}) if apart else first
        if is_misread_label(value.text):
            return first.model_copy(
                update={"value": None, "confidence": 0.0, "method": f"{first.method}: a label"}
            )
        sure = min(line.confidence for line in lines) * value.certainty
        confidence = round(sure * _SPELLED, 4)
        if confidence <= first.confidence and listed(kind, said):
            return first
        return first.model_copy(
            update={
                "value": value.text,
                "confidence": confidence,
                "method": f"{first.method}, spelled from its {METHOD}",
                "signals": {**first.signals, "line": round(sure, 4)},
            }
        )

    def weighed(self, field: str, first: FieldReading) -> FieldReading:
        """Return a reading with the lattices of its lines; its value does not change."""
        places = rows_of(self._places(first))
        return _with_lattices(first, [self._lattices(field, place) for place in places]) if places else first

    def grade(self, field: str, first: FieldReading) -> FieldReading:
        """Return the likeliest grade of its field.

        If that differs from `first` but is not clear, return `first` with half its confidence."""
        cuts = [_grown(self._zone(field), *by) for by in _CUTS[FieldKind.GRADE]]
        found = spell_grade([self._lattice(cut) for cut in cuts])
        if found is None:
            return first
        if found.text == first.value:
            return first.model_copy(update={"signals": {**first.signals, "line": found.confidence}})
        if found.confidence >= _CLEAR_GRADE:
            clear = self._reading(found.text, min(found.confidence, _SPELLED), cuts[:1])
            return clear.model_copy(update={"signals": {"line": found.confidence, "overruled": 1.0}})
        return first.model_copy(
            update={
                "confidence": round(first.confidence / 2, 4),
                "disagrees_with": found.text,
                "signals": {**first.signals, "line": -found.confidence},
            }
        )

    def voted(self, field: str, kind: FieldKind, first: FieldReading) -> FieldReading:
        """Return the address or number that most crops of its line give; without a value if they differ."""
        places = rows_of(self._places(first))
        if len(places) != 1:
            return first
        found = [read for cut in self._cuts_of(field, places[0]) if (read := self._read(kind, [cut]))]
        if not found:
            return first
        votes = [r for r in (first, *found) if r.value]
        said = Counter(_as_said(kind, r) for r in votes)
        best, count = said.most_common(1)[0]
        if count < _MOST:
            return first.model_copy(
                update={"value": None, "confidence": 0.0, "method": f"{first.method}: {METHOD} differ"}
            )
        agreeing = [r for r in votes if _as_said(kind, r) == best]
        surest = max(agreeing, key=lambda r: r.confidence)
        certainty = surest.confidence * (1 - 1 / count)
        return first.model_copy(
            update={
                "value": surest.value,
                "confidence": round(certainty, 4),
                "method": f"{first.method}, {METHOD}",
                "signals": {**surest.signals, "share": round(count / len(votes), 4)},
            }
        )

    def digits(self, field: str, kind: FieldKind, first: FieldReading | None) -> FieldReading | None:
        """Return the date or number that most crops of the field's zone give; `first` if they give none.

        If that is neither the first reading nor given twice, return `first` with half its confidence.
        """
        cuts = [_grown(self._zone(field), *by) for by in _DIGIT_CUTS]
        found = [read for cut in cuts if (read := self._digits(field, kind, cut))]
        given = [*([first] if first is not None and first.value else []), *found]
        if not found:
            return first
        said = Counter(r.value for r in given)
        best, count = said.most_common(1)[0]
        surest = max((r for r in given if r.value == best), key=lambda r: r.confidence)
        if count < _AGREEING:
            doubted = given[0]
            return doubted.model_copy(update={"confidence": round(doubted.confidence / 2, 4)})
        share = count / len(given)
        update = {"confidence": round(surest.confidence * share, 4), "method": METHOD}
        return surest.model_copy(update={**update, "signals": {**surest.signals, "share": round(share, 4)}})

    def _digits(self, field: str, kind: FieldKind, cut: Box) -> FieldReading | None:
        text = recognise_line(without_boxes(self._picture_of(cut)), self._provider, self._store)
        value = parse_value(kind, mended(kind, text.text), field)
        confidence = text.confidence * value.certainty
        if value.text is None or confidence < UNREADABLE:
            return None
        return self._reading(value.text, confidence, [cut])

    def cuts(self, field: str, kind: FieldKind, first: FieldReading | None) -> list[list[Box]]:
        """Return crops of a field, each a list of lines of the form: those of its value, else its zone."""
        rows = rows_of(self._places(first)) if first is not None else []
        if kind is FieldKind.GRADE or not rows:
            zone = self._zone(field)
            return [[_grown(zone, *by)] for by in _CUTS.get(kind, _ZONE_CUTS)]
        return [[self._view(field, row, by) for row in rows] for by in _VIEWS]

    def views(self, field: str, kind: FieldKind, first: FieldReading | None) -> list[Lattice]:
        """Return the lattice of each crop of a field: of the lines of its value, else of its zone."""
        crops = [[self._lattice(line) for line in cut] for cut in self.cuts(field, kind, first)]
        return [in_one_line(crop) for crop in crops if all(crop)]

    def picture(self, line: Box) -> Image.Image:
        """Return the straightened picture of a line of the form."""
        return rectified_zone(self._picture, self._roled.reading.placed, line, _SCALE)

    def missing(self, field: str, kind: FieldKind) -> FieldReading | None:
        """Return a value that two or more crops of the field's zone give and none contradicts, else None.

        For a grade, return the likeliest one."""
        zone = self._zone(field)
        cuts = [_grown(zone, *by) for by in _CUTS[kind]]
        if kind is FieldKind.GRADE and any(views := [self._lattice(cut) for cut in cuts]):
            grade = spell_grade(views)
            if grade is None:
                return None
            reading = self._reading(grade.text, grade.confidence, cuts[:1])
            return reading.model_copy(update={"signals": {"line": grade.confidence}})
        found = [r for cut in cuts if (r := self._read(kind, [cut]))]
        said = [r.value for r in found if r.value]
        if len(said) < _AGREEING or not all(same_value(kind, said[0], other) for other in said):
            return None
        certainty = fmean(r.confidence for r in found) * len(found) / len(cuts)
        return found[0].model_copy(update={"confidence": round(certainty, 4)})

    def _likeliest(self, field: str, kind: FieldKind, place: Box, known: str) -> tuple[Spelled, Sequence[Lattice]]:
        """Return the likeliest text of a line and its crops; over the field's whole width if as confident."""
        zone = self._zone(field)
        whole = place._replace(x0=min(place.x0, zone.x0), x1=max(place.x1, zone.x1))
        both = [self._lattices(field, box) for box in (place, whole)]
        near, wide = (spell(kind, views, known) for views in both)
        return (wide, both[1]) if wide.confidence >= near.confidence - _AS_CLEAR else (near, both[0])

    def _cuts_of(self, field: str, place: Box) -> list[Box]:
        """Return crops of a line: as found and over its field's whole width, each with several margins."""
        zone = self._zone(field)
        whole = place._replace(x0=min(place.x0, zone.x0), x1=max(place.x1, zone.x1))
        return [self._view(field, box, by) for box in (place, whole) for by in _VIEWS]

    def _view(self, field: str, place: Box, by: Sequence[float]) -> Box:
        """Return a line's box with its margins, without the end of the label before it."""
        left, right, up, down = by
        grown = _grown(place, left, right, up, down)
        return grown._replace(x0=min(max(grown.x0, self._label_end(field)), place.x0 - _LETTER_EDGE))

    def _label_end(self, field: str) -> float:
        """Return the right edge of a field's label, in points of the form."""
        ends = (at.x1 for at, label in self._roled.form.labels_in_place if label.field == field)
        return max(ends, default=0.0)

    def _lattices(self, field: str, place: Box) -> list[Lattice]:
        return [self._lattice(self._view(field, place, by)) for by in _VIEWS]

    def _lattice(self, line: Box) -> Lattice:
        return Lattice(recognise_line(self._picture_of(line), self._provider, self._store).steps)

    def _picture_of(self, line: Box) -> Image.Image:
        return self.picture(line) if self._bare is None else self._bare.cut(line, _SCALE)

    @cached_property
    def _picture(self) -> Image.Image:
        return render_page(self._pdf, self._roled.page.number, SOURCE_DPI, turned=self._roled.page.turned)

    def _zone(self, field: str) -> Box:
        zone = self._roled.form.fields[field].zone
        assert zone is not None
        return zone

    def _places(self, reading: FieldReading) -> list[Box]:
        """Return the evidence of a reading on this page, in points of the form."""
        placement, page = self._roled.reading.placed, self._roled.page
        lying = [upright(at.box, page.turned) for at in reading.evidence if at.page == page.number]
        return [placement.box_to_form(placement.box_in_points(box)) for box in lying]

    def _read(self, kind: FieldKind, lines: Sequence[Box]) -> FieldReading | None:
        """Return one reading from crops of the form, from top to bottom; None if they hold no value."""
        texts = [recognise_line(self._picture_of(line), self._provider, self._store) for line in lines]
        value = parse_value(kind, mended(kind, " ".join(t.text for t in texts)))
        confidence = min((t.confidence for t in texts), default=0.0) * value.certainty
        if value.text is None or confidence < UNREADABLE:
            return None
        return self._reading(value.text, confidence, lines)

    def _reading(self, value: str, confidence: float, lines: Sequence[Box]) -> FieldReading:
        evidence = [self.evidence(line) for line in lines]
        return FieldReading(
            value=value, confidence=confidence, source=Source.OCR, evidence=evidence, method=METHOD
        )

    def evidence(self, line: Box) -> EvidenceBox:
        """Return the place on the page of a line of the form."""
        placement, page = self._roled.reading.placed, self._roled.page
        return EvidenceBox(page=page.number, box=displayed_box(placement.share_of_page(line), page.turned))


def _with_lattices(reading: FieldReading, rows: Sequence[Sequence[Lattice]]) -> FieldReading:
    """Return a reading with a lattice of its rows for each crop in which every row has text."""
    crops = [
        pack_lattice(in_one_line(crop)) for crop in zip(*rows, strict=True) if all(row.likeliest for row in crop)
    ]
    return reading.model_copy(update={"considered": tuple(crops)})


def _as_said(kind: FieldKind, reading: FieldReading) -> str:
    """Return the part of a value that is compared with another reading of the same line."""
    said = (reading.value or "").casefold()
    return "".join(filter(str.isdigit, said)) if kind is FieldKind.PHONE else said


def rows_of(places: Iterable[Box]) -> list[Box]:
    """Merge boxes that are side by side."""
    rows: list[Box] = []
    for place in places:
        if rows and abs(rows[-1].cy - place.cy) < 0.5 * min(rows[-1].height, place.height):
            rows[-1] = rows[-1].union(place)
        else:
            rows.append(place)
    return rows


def _grown(box: Box, left: float, right: float, up: float, down: float) -> Box:
    return Box(box.x0 - left, box.y0 - up, box.x1 + right, box.y1 + down)
