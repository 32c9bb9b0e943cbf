"""Cache of recognitions in the file store, by a hash of the picture and of how it was recognised."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from typing import Any

from core.errors import NotFoundError
from core.file_store import FileStore
from pipeline.ocr_providers.base import OcrProvider, Pixels, RecognisedLine, RecognisedText, RecognisedWord
from pipeline.pages.page_model import Box

#: Incremented when the turning of pictures, or the cached format of pages or single lines, changes.
_FORMAT = 1
_LINE_FORMAT = 2


def cache_key(picture: Pixels, provider: OcrProvider, one_line: bool = False) -> str:
    """The key of a picture read by a provider: of pixels, provider, its version, models and parameters.

    A picture read as one line is another reading than the same picture searched for lines.
    """
    how = json.dumps(
        [_FORMAT, provider.name, provider.version, picture.shape, *(["line", _LINE_FORMAT] if one_line else [])]
    )
    digest = hashlib.sha256(how.encode())
    digest.update(picture.tobytes())
    name = digest.hexdigest()
    return f"cache/ocr/{name[:2]}/{name}.json"


def load(key: str, store: FileStore | None) -> tuple[int, list[RecognisedLine]] | None:
    """Degrees turned and lines, None where they were not kept."""
    kept = _kept(key, store)
    return None if kept is None else (kept["turned"], [_line(line) for line in kept["lines"]])


def save(key: str, turned: int, lines: list[RecognisedLine], store: FileStore | None) -> None:
    """Keep a recognition."""
    if store is None:
        return
    kept = {
        "turned": turned,
        "lines": [
            [line.aspect, line.slope, [[word.text, word.confidence, *word.box] for word in line.words]]
            for line in lines
        ],
    }
    _keep(key, kept, store)


def load_line(key: str, store: FileStore | None) -> RecognisedText | None:
    """What a picture of one line said, None where it was not kept."""
    kept = _kept(key, store)
    return None if kept is None else RecognisedText(kept["text"], kept["confidence"], tuple(kept["steps"]))


def save_line(key: str, text: RecognisedText, store: FileStore | None) -> None:
    """Keep the reading of one line."""
    if store is not None:
        _keep(key, asdict(text), store)


def _kept(key: str, store: FileStore | None) -> Any:
    if store is None:
        return None
    try:
        return json.loads(store.get(key))
    except NotFoundError:
        return None


def _keep(key: str, kept: dict[str, Any], store: FileStore) -> None:
    store.put(key, json.dumps(kept, ensure_ascii=False).encode(), "application/json")


def _line(kept: list[object]) -> RecognisedLine:
    aspect, slope, words = kept
    return RecognisedLine(
        tuple(RecognisedWord(text, Box(*box), confidence) for text, confidence, *box in words),  # type: ignore[attr-defined]
        float(aspect),  # type: ignore[arg-type]
        float(slope),  # type: ignore[arg-type]
    )
