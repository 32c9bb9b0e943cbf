"""Load models and data in a worker before it forks, so that no job loads them again."""

from __future__ import annotations

import gc

from core.allocator import return_large_blocks
from core.config import Settings
from core.confined.children import ready
from pipeline.extraction.labelling.labeller import load as load_labeller
from pipeline.extraction.labelling.one_thread import use_one_thread
from pipeline.extraction.values.contacts import load as load_suffixes
from pipeline.mupdf.file import PARSER
from pipeline.ocr_providers import get_provider
from pipeline.profiles import all_profiles
from pipeline.spelling.prior import names, school_words

#: Number of new objects before the next garbage collection.
_YOUNG = 50_000


def preload(settings: Settings) -> None:
    """Load what a job would load: models (nothing is recognised), profiles, lists of words and of suffixes.

    The nursery of the processes that parse files is started as well.
    """
    return_large_blocks()
    ready(PARSER)
    get_provider(settings.ocr_provider, settings).preload()
    all_profiles()
    use_one_thread()
    load_labeller()
    load_suffixes()
    for prior in (names(), school_words()):
        prior.index()
    # What is loaded lives as long as the process: not searched for garbage again, and shared with forks.
    gc.collect()
    gc.freeze()
    # A page is thousands of small tuples that live until it is read: seldom worth searching among.
    gc.set_threshold(_YOUNG)
