"""Try the recognition of pictures: read a small sample with the provider of OCR_PROVIDER.

Only workers run it (ADR 3), so that it is none of `examine`'s checks: those run in web processes too.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from PIL import Image

from core.config import ROOT, Settings
from core.errors import AppError
from pipeline.ocr import recognise
from pipeline.ocr_providers.null import NullOcr
from services.doctor.findings import DoctorCode, Finding, doubtful, fine, wrong

SAMPLE = ROOT / "static" / "img" / "reading-sample.png"
#: The words that the sample shows.
_SHOWN = (
    *("Name:", "Robin", "Okafor", "School:", "Juniper", "Hill", "Elementary", "Grade:", "4"),
    *("My", "cousin", "and", "I", "build", "a", "small", "boat."),
)
#: Share of them from which the provider works: the sample is clean print.
_ENOUGH = 0.8


@dataclass(frozen=True)
class SampleReading:
    """What came of reading the sample."""

    finding: Finding
    #: What was read; "" where nothing was.
    text: str = ""


def try_reading(settings: Settings) -> SampleReading:
    """Read the sample, without the cache, and say how much of it was read right."""
    provider, began = settings.ocr_provider, time.monotonic()
    if provider == NullOcr.name:
        return SampleReading(doubtful(DoctorCode.READING_NONE))
    try:
        with Image.open(SAMPLE) as picture:
            words = [word.text for word in recognise(picture, provider, settings, None).words]
    except AppError as error:
        took = time.monotonic() - began
        return SampleReading(wrong(DoctorCode.READING_FAILS, took, provider=provider, problem=error.told))
    took, found = time.monotonic() - began, _right(words)
    enough = found >= _ENOUGH * len(_SHOWN)
    make, code = (fine, DoctorCode.READING_WORKS) if enough else (wrong, DoctorCode.READING_POOR)
    return SampleReading(make(code, took, provider=provider, count=found, total=len(_SHOWN)), " ".join(words))


def _right(words: list[str]) -> int:
    """Return how many of the sample's words were read, whatever stands around and between them."""
    text = "".join(words).casefold()
    return sum(word.casefold() in text for word in _SHOWN)
