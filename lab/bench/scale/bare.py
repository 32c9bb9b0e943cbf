"""What a second process brings on this machine when nothing is shared: no queue, no database, no files."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from random import Random

import numpy as np

from core.config import get_settings
from core.confined.mupdf import pymupdf
from lab.bench.fresh import fresh
from lab.samples.corpus import KINDS
from lab.samples.part import DEVELOPMENT
from pipeline.ocr_providers import get_provider

TIMES, _DPI = 6, 200


def ratio_of_two() -> float:
    """Return how much more two processes recognize in the same time than one does alone."""
    with ThreadPoolExecutor(2) as threads:
        [alone] = threads.map(_recognised, [0])
        beside = max(threads.map(_recognised, [0, 1]))
    return 2 * alone / beside


def _recognised(_: int) -> float:
    return float(fresh(f"{__name__}:seconds"))


def seconds() -> float:
    """Recognize one drawn page again and again, with the installation's own recognizer, and return the seconds."""
    settings = get_settings()
    provider = get_provider(settings.ocr_provider, settings)
    draw = {kind.name: kind.draw for kind in KINDS}["flattened_form_26"]
    with pymupdf.open(stream=draw(Random(__name__), DEVELOPMENT).data, filetype="pdf") as document:
        shown = document[0].get_pixmap(dpi=_DPI)
        picture = np.frombuffer(shown.samples, np.uint8).reshape(shown.height, shown.width, shown.n)
    provider.recognise(picture)
    begun = time.perf_counter()
    for _ in range(TIMES):
        provider.recognise(picture)
    return time.perf_counter() - begun
