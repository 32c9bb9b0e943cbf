"""What a worker loads before it forks, so that no job loads it again."""

from __future__ import annotations

import gc

from core.config import Settings
from pipeline.ocr_providers import get_provider
from pipeline.profiles import all_profiles
from pipeline.spelling.prior import school_words


def preload(settings: Settings) -> None:
    """Load the recogniser's models, without recognising anything, the profiles and the lists of words."""
    get_provider(settings.ocr_provider, settings).preload()
    all_profiles()
    school_words()
    # What is loaded lives as long as the process: not searched for garbage again, and shared with forks.
    gc.collect()
    gc.freeze()
