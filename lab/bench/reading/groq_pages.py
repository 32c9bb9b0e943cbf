"""How much of handwritten forms is right that a vision model transcribes, whichever way it writes down columns."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PIL import Image

from core.config import ROOT, load_settings
from lab.bench.measure import Measure, at_least, at_most, exactly, measured
from lab.bench.reading.corpora import labels_of
from lab.bench.reading.faults import wrong_or_invented
from scripts.regression.files import entry_files
from scripts.regression.pool import read_one
from scripts.regression.read_file import read_file
from scripts.regression.scoring.figures import entry_figures, file_figures
from scripts.regression.scoring.score import score_files
from tests.support.servers.groq_server import GroqServer, answer, picture_urls, refusal
from tests.support.servers.loopback import Response
from tests.support.servers.sent_pictures import decoded

#: Pages by the digest of their picture: blocks of rows, a text for each column of a row.
TRANSCRIBED = ROOT / "tests" / "data" / "transcribed_pages.json"

Blocks = Sequence[Sequence[Sequence[str]]]


def joined(blocks: Blocks) -> list[str]:
    """Return the lines as a model writes them that joins what stands side by side."""
    return [" ".join(filter(None, row)) for block in blocks for row in block]


def apart(blocks: Blocks) -> list[str]:
    """Return the lines as a model writes them that reads one column after the other."""
    return [text for block in blocks for column in zip(*block, strict=True) for text in column if text]


STYLES: Mapping[str, Callable[[Blocks], list[str]]] = {"joined": joined, "apart": apart}
#: Greatest difference between the styles.
_DIFFER = 0.02


class Transcriber(GroqServer):
    """Answers with the transcription of the picture that it is sent; refuses pictures that it does not know.

    The key of Groq also opens the language model, which finds nothing here.
    """

    def __init__(self, style: Callable[[Blocks], list[str]]) -> None:
        super().__init__(otherwise=self._answer)
        self._style = style
        self._pages = json.loads(TRANSCRIBED.read_text(encoding="utf-8"))
        #: Digests of the pictures that it was sent, and of those that it does not know.
        self.sent: list[str] = []
        self.missed: set[str] = set()

    def _answer(self, body: dict[str, Any]) -> Response:
        said: dict[str, Any] = {}
        for url in picture_urls(body["messages"]):
            picture = decoded(url.partition(";base64,")[2])
            assert picture is not None
            digest = digest_of(picture)
            self.sent.append(digest)
            if digest not in self._pages:
                self.missed.add(digest)
                return refusal(404, "no transcription was written for this picture", "not_recorded")
            said = {"lines": self._style(self._pages[digest]["blocks"])}
        made = answer(said)
        assert callable(made)
        return made(body)


def digest_of(picture: Image.Image) -> str:
    """Return the key of a picture among the transcriptions: of its pixels, however they were packed."""
    return hashlib.sha256(picture.convert("RGB").tobytes()).hexdigest()[:20]


def measure(corpus: Path) -> list[Measure]:
    """Read the held-out pages through the orchestrator with both styles of transcriptions, and score them."""
    found = {name: _figures(corpus, style) for name, style in STYLES.items()}
    shares = [figures["three_right_share"] or 0.0 for figures in found.values()]
    how = (
        f"{found['joined']['entries']} held-out handwritten pages read with OCR_PROVIDER=groq, no school list; "
        "replies written by a reader who saw the pictures alone: an upper bound, a hosted model reads worse"
    )
    measures = [
        measured(
            f"groq_page_three_right_{name}",
            figures["three_right_share"] or 0.0,
            "of 1",
            at_least(0.9),
            f"name, school and grade all right, columns {name}; {how}",
        )
        for name, figures in found.items()
    ]
    return [
        *measures,
        measured(
            "groq_page_styles_differ",
            abs(shares[0] - shares[1]),
            "of 1",
            at_most(_DIFFER),
            f"difference of the two shares; {how}",
        ),
        measured(
            "groq_calls_a_page",
            max(figures["calls"] / figures["entries"] for figures in found.values()),
            "calls",
            exactly(1),
            f"calls of the model divided by pages; {how}",
        ),
        measured(
            "groq_pages_not_transcribed",
            sum(figures["missed"] for figures in found.values()),
            "pictures",
            exactly(0),
            f"pictures without a transcription, which must be written anew; {how}",
        ),
        wrong_or_invented("groq_page", found["apart"], how),
        # Not among the sets of `silent_wrong_of_all`: what has no score cannot pass, and would only add entries.
        measured(
            "groq_page_silent_wrong",
            sum(figures["silent_wrong"] for figures in found.values()),
            "entries",
            exactly(0),
            f"passed without review with a required field wrong; {how}",
        ),
    ]


def _figures(corpus: Path, style: Callable[[Blocks], list[str]]) -> dict[str, Any]:
    """Return the figures of a corpus whose pages are transcribed in a style, with the calls that it took."""
    with Transcriber(style) as server:
        service: dict[str, Any] = {"groq_api_key": server.key, "groq_base_url": server.url, "ocr_max_attempts": 1}
        settings = load_settings(_env_file=None, ocr_provider="groq", **service)
        reader = partial(
            read_file, use_orchestrator=True, ocr_provider="groq", cache_dir=None, schools=None, settings=settings
        )
        # In this process: nothing is recognised here.
        scores = score_files([read_one(path, reader) for path in entry_files(corpus)], labels_of(corpus))
        entries = [entry for score in scores for entry in score.entries]
        return {
            **file_figures(scores),
            **entry_figures(entries),
            "calls": len(server.sent),
            "missed": len(server.missed),
        }
