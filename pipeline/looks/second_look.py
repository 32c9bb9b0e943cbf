"""Read fields of a recognised form again that the first reading left missing or unclear."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence

from core.config import Settings
from core.file_store import FileStore
from pipeline.extraction.entry import Improve
from pipeline.extraction.marked_options import marked_options
from pipeline.extraction.page_roles import RoledPage
from pipeline.extraction.values.text import squeezed
from pipeline.looks.closer_look import can_look_closer, look_closer
from pipeline.looks.line_look import DIGIT_KINDS, SHORT_KINDS, VOTED_KINDS, LineLook
from pipeline.looks.option_marks import ticked_options
from pipeline.looks.over_labels import crosses_label, is_disturbed, read_bare_header, surer
from pipeline.ocr_providers.base import OcrProvider
from pipeline.pages.page_model import Source
from pipeline.profiles import ZONE_KINDS, FieldKind, Profile
from pipeline.profiles.declared import alike_fields
from pipeline.schema import FieldReading
from pipeline.spelling.spelled import SPELLED_KINDS

#: A first reading below this confidence is repeated. Words have a higher limit: print is read with 0.99 and more,
#: and of two readings of handwriting the more confident is right more often (29 of 44, against 23 with one).
UNCLEAR = 0.75
UNCLEAR_WORDS = 0.985
_WORTH_MORE = SPELLED_KINDS | {FieldKind.GRADE, FieldKind.TEXT}


def from_nearer(pdf: bytes, settings: Settings, store: FileStore | None, provider: OcrProvider) -> Improve:
    """Return an `Improve` that reads fields of `pdf` again. It raises RecognitionError, DamagedDocumentError."""

    def improve(roled: RoledPage, readings: dict[str, FieldReading]) -> dict[str, FieldReading]:
        if not can_look_closer(roled) or roled.profile is None:
            return readings
        better, plain = dict(readings), LineLook(pdf, roled, provider, store)
        looks: dict[str, LineLook] = {}
        if is_disturbed(roled, readings):
            header = read_bare_header(pdf, roled, settings, store, provider)
            better |= surer(roled, header, readings)
            over = [name for name, reading in better.items() if crosses_label(roled, reading)]
            looks = dict.fromkeys(over, LineLook(pdf, roled, provider, store, header.bare))
        # A field cut out by itself ends where the next label begins.
        unclear = [name for name in _unclear(roled.profile, better, _WORTH_MORE) if name not in looks]
        for name, found in look_closer(pdf, roled, unclear, settings, store, provider).items():
            if (best := _best(found)) and _is_better(best, better.get(name)):
                better[name] = best
        doubtful = _unclear(roled.profile, better, _WORTH_MORE | VOTED_KINDS | DIGIT_KINDS)
        better |= _by_lines(lambda name: looks.get(name, plain), roled.profile, better, doubtful)
        clear = [name for name in _compared(roled.profile, better) if name not in doubtful]
        return better | {name: looks.get(name, plain).weighed(name, better[name]) for name in clear}

    return improve


def _by_lines(
    reader_of: Callable[[str], LineLook],
    profile: Profile,
    readings: Mapping[str, FieldReading],
    wanted: Sequence[str],
) -> dict[str, FieldReading]:
    """Read unclear values, and short ones that are still missing, as single lines."""
    found: dict[str, FieldReading] = {}
    for name in wanted:
        kind, known, look = profile.fields[name].kind, readings.get(name), reader_of(name)
        if kind in DIGIT_KINDS:
            if (digits := look.digits(name, kind, known)) is not None:
                found[name] = digits
        elif kind in SPELLED_KINDS and known is not None:
            found[name] = look.spelled(name, kind, known)
        elif kind is FieldKind.GRADE and known is not None and known.value:
            found[name] = look.grade(name, known)
        elif kind in VOTED_KINDS and known is not None and known.evidence:
            found[name] = look.voted(name, kind, known)
        elif kind in SHORT_KINDS and not (known and known.value) and (short := look.missing(name, kind)):
            found[name] = short
    return found


def with_ticks(
    readings: Mapping[str, FieldReading], pdf: bytes, roled_pages: Sequence[RoledPage]
) -> dict[str, FieldReading]:
    """Return the readings with the options that were ticked or marked added. Raises DamagedDocumentError."""
    complete = dict(readings)
    for name, marked in marked_options([roled.reading for roled in roled_pages]).items():
        complete.setdefault(name, marked)
    for roled in roled_pages:
        complete |= ticked_options(pdf, roled, complete)
    return complete


def _unclear(
    profile: Profile, readings: Mapping[str, FieldReading], worth_more: Container[FieldKind]
) -> list[str]:
    return [
        name
        for name, spec in profile.fields.items()
        if spec.kind in ZONE_KINDS
        and spec.zone
        and _certainty(readings.get(name)) < (UNCLEAR_WORDS if spec.kind in worth_more else UNCLEAR)
    ]


def _compared(profile: Profile, readings: Mapping[str, FieldReading]) -> list[str]:
    """Return the fields with a recognised value that is compared with those of other entries."""
    return [
        name
        for name in alike_fields()
        if name in profile.fields
        and profile.fields[name].zone
        and profile.fields[name].kind in SPELLED_KINDS
        and (known := readings.get(name)) is not None
        and known.value
        and known.source is Source.OCR
    ]


def _certainty(reading: FieldReading | None) -> float:
    return reading.confidence if reading is not None and reading.value else 0.0


def _is_better(found: FieldReading, first: FieldReading | None) -> bool:
    """Whether a reading is surer and not merely part of the first: a zone cuts off text that crosses its edge."""
    if first is None or not first.value or not found.value:
        return True
    return found.confidence > first.confidence and squeezed(found.value) not in squeezed(first.value)


def _best(readings: Sequence[FieldReading]) -> FieldReading | None:
    """Return the surest reading; its confidence is at most half when two crops of the field differ."""
    given = [r for r in readings if r.value]
    if not given:
        return None
    best = max(given, key=lambda r: r.confidence)
    if any(r.value != best.value for r in given):
        return best.model_copy(update={"confidence": round(best.confidence / 2, 4)})
    return best
