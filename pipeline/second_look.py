"""What the first reading of a recognised form left missing or faint is looked at once more, from nearer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.config import Settings
from core.file_store import FileStore
from pipeline.closer_look import can_look_closer, look_closer
from pipeline.extraction.combine import alone
from pipeline.extraction.text import squeezed
from pipeline.ocr_providers.base import OcrProvider
from pipeline.option_marks import ticked_options
from pipeline.page_roles import RoledPage
from pipeline.profiles import HEADER_KINDS, Profile
from pipeline.schema import FieldReading

#: A first reading below this is faint.
FAINT = 0.75


def looked_at_again(
    readings: Mapping[str, FieldReading],
    pdf: bytes,
    roled_pages: Sequence[RoledPage],
    settings: Settings,
    store: FileStore | None,
    provider: OcrProvider,
) -> dict[str, FieldReading]:
    """The readings, with ticked options, and what the closer look found in place of what was missing or fainter.

    Raises RecognitionError, DamagedDocumentError.
    """
    better = dict(readings)
    for roled in roled_pages:
        for name, ticked in ticked_options(pdf, roled).items():
            better.setdefault(name, ticked)
        if not can_look_closer(roled) or roled.profile is None:
            continue
        wanted = _faint(roled.profile, better)
        for name, found in look_closer(pdf, roled, wanted, settings, store, provider).items():
            if (best := _best(found)) and _is_better(best, better.get(name)):
                better[name] = alone(best)
    return better


def _is_better(found: FieldReading, first: FieldReading | None) -> bool:
    """Surer, and not merely a part of what was read before: a zone cuts off what runs over its edge."""
    if first is None or not first.value or not found.value:
        return True
    return found.confidence > first.confidence and squeezed(found.value) not in squeezed(first.value)


def _faint(profile: Profile, readings: Mapping[str, FieldReading]) -> list[str]:
    header = [name for name, spec in profile.fields.items() if spec.kind in HEADER_KINDS and spec.zone]
    return [name for name in header if _certainty(readings.get(name)) < FAINT]


def _certainty(reading: FieldReading | None) -> float:
    return reading.confidence if reading is not None and reading.value else 0.0


def _best(readings: Sequence[FieldReading]) -> FieldReading | None:
    """The surest; two cuts that differ about the same field are worth no more than half."""
    given = [r for r in readings if r.value]
    if not given:
        return None
    best = max(given, key=lambda r: r.confidence)
    if any(r.value != best.value for r in given):
        return best.model_copy(update={"confidence": round(best.confidence / 2, 4)})
    return best
