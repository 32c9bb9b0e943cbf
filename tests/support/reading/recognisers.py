"""Every OCR provider ready to recognise, the remote ones against servers of this machine that know one page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from PIL import Image

from core.config import Settings, load_settings
from core.confined.mupdf import pymupdf
from pipeline.ocr_providers.base import OcrProvider, Pixels
from tests.support.parts import need
from tests.support.reading.documents import drawn, essay_page
from tests.support.servers.groq_server import Behaviour as GroqBehaviour
from tests.support.servers.groq_server import GroqServer, picture_urls
from tests.support.servers.groq_server import answer as groq_answer
from tests.support.servers.loopback import Response
from tests.support.servers.sent_pictures import decoded
from tests.support.servers.vision_server import VisionServer, Written, annotation, upright

Server = VisionServer | GroqServer
REMOTE = ("google", "groq")

with pymupdf.open("pdf", drawn(essay_page)) as _document:
    #: x0, y0, x1, y1 in points of a letter page, text, block, line, number; in the order of reading.
    PAGE_WORDS: list[tuple[Any, ...]] = _document[0].get_text("words")
_PLACES = dict.fromkeys(word[5:7] for word in PAGE_WORDS)
PAGE_LINES = [" ".join(word[4] for word in PAGE_WORDS if word[5:7] == place) for place in _PLACES]
FIRST_LINE = PAGE_LINES[0]


def page_pixels(dpi: int = 100) -> Pixels:
    """The page."""
    with pymupdf.open("pdf", drawn(essay_page)) as document:
        pixels = document[0].get_pixmap(dpi=dpi)
        return np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width, 3)


def line_pixels(dpi: int = 100) -> Pixels:
    """Its first line alone."""
    return page_pixels(dpi)[round(64 * dpi / 72) : round(86 * dpi / 72), : round(300 * dpi / 72)]


def blank(height: int, width: int) -> Pixels:
    """White paper."""
    return np.full((height, width, 3), 255, np.uint8)


def settings_for(server: Server | None = None, **own: object) -> Settings:
    """Settings with a key for every provider, and the server's address where one is given."""
    addresses = {"google_vision_base_url": server.url, "groq_base_url": server.url} if server else {}
    keys = {"google_vision_api_key": VisionServer.key, "groq_api_key": GroqServer.key}
    return load_settings(_env_file=None, **({"ocr_max_attempts": 1} | keys | addresses | own))


def needs_program(provider: str) -> None:
    """Skip where the provider is a program that is not installed."""
    if provider == "tesseract":
        need(provider)


@contextmanager
def serving(name: str, *script: Response) -> Iterator[Server | None]:
    """The server of a remote provider: plays `script`, then reads the one page that it knows."""
    if name not in REMOTE:
        yield None
        return
    kind = VisionServer(*script, otherwise=_seen_by_google) if name == "google" else _groq_server(script)
    with kind as server:
        yield server
        assert server.faults == []


@contextmanager
def ready(provider: type[OcrProvider]) -> Iterator[OcrProvider]:
    """The provider with its server."""
    needs_program(provider.name)
    with serving(provider.name) as server:
        made = provider(settings_for(server))
        made.preload()
        yield made


def _groq_server(script: tuple[GroqBehaviour, ...]) -> GroqServer:
    return GroqServer(*script, otherwise=_seen_by_groq)


def _seen_by_google(picture: Image.Image) -> dict[str, Any]:
    if _is_blank(picture):
        return annotation([], picture.size)
    words = PAGE_WORDS if _is_page(picture) else PAGE_WORDS[: len(FIRST_LINE.split())]
    scale = picture.width / 612 if _is_page(picture) else picture.width / 300
    below = 0 if _is_page(picture) else 64
    return annotation([_written(words, number, scale, below) for number in range(len(words))], picture.size)


def _written(words: list[tuple[Any, ...]], number: int, scale: float, below: float) -> Written:
    x0, y0, x1, y1, text, *place, _ = words[number]
    ends = number + 1 == len(words) or list(words[number + 1][5:7]) != place
    corners = upright(*(value * scale for value in (x0, y0 - below, x1, y1 - below)))
    return Written(text, corners, follows="LINE_BREAK" if ends else "SPACE")


def _seen_by_groq(body: dict[str, Any]) -> Response:
    (url,) = picture_urls(body["messages"])
    picture = decoded(url.partition(";base64,")[2])
    assert picture is not None
    lines = [] if _is_blank(picture) else PAGE_LINES if _is_page(picture) else [FIRST_LINE]
    said = groq_answer({"lines": lines})
    return said if isinstance(said, Response) else said(body)


def _is_blank(picture: Image.Image) -> bool:
    darkest, lightest = picture.convert("L").getextrema()
    return darkest == lightest


def _is_page(picture: Image.Image) -> bool:
    return abs(picture.height / picture.width - 792 / 612) < 0.01
