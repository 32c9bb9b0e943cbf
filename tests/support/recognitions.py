"""What pictures say, recognised once in a run of the tests: many tests read the same few scans."""

from __future__ import annotations

import shutil
from collections.abc import Callable

from core.file_store import LocalFileStore
from pipeline.ocr import cache_key, load_line, load_recognition, save_line, save_recognition
from pipeline.ocr_providers.base import Pixels, RecognisedLine, RecognisedText
from pipeline.ocr_providers.rapidocr import RapidOcr, about_to_recognise
from tests.support.services import shared_var_dir

#: The engine itself, for the tests of what it finds.
recognised: Callable[[RapidOcr, Pixels], list[RecognisedLine]] = RapidOcr.recognise
recognised_line: Callable[[RapidOcr, Pixels], RecognisedText] = RapidOcr.recognise_line


def share_recognitions() -> None:
    """Have this process, and those forked from it, keep what is recognised beside the servers of the tests."""
    store = LocalFileStore(shared_var_dir() / "recognised")

    def recognise(provider: RapidOcr, picture: Pixels) -> list[RecognisedLine]:
        about_to_recognise()
        key = cache_key(picture, provider)
        if (known := load_recognition(key, store)) is not None:
            return known[1]
        found = recognised(provider, picture)
        save_recognition(key, 0, found, store)
        return found

    def recognise_line(provider: RapidOcr, picture: Pixels) -> RecognisedText:
        about_to_recognise()
        key = cache_key(picture, provider, one_line=True)
        if (known := load_line(key, store)) is not None:
            return known
        found = recognised_line(provider, picture)
        save_line(key, found, store)
        return found

    RapidOcr.recognise = recognise  # type: ignore[method-assign]
    RapidOcr.recognise_line = recognise_line  # type: ignore[method-assign]


def forget_recognitions() -> None:
    """At the beginning of a run: the code that recognises may be another than in the last one."""
    shutil.rmtree(shared_var_dir() / "recognised", ignore_errors=True)
