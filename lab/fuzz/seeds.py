"""Sound files of every accepted format, which mutations start from."""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pillow_heif
from PIL import Image, ImageDraw

from core.confined.mupdf import pymupdf

ROOT = Path(__file__).resolve().parent.parent.parent
#: Files of the invented corpus.
_FOLDERS = (ROOT / "samples", ROOT / "samples" / "library", ROOT / "tests" / "data" / "entries")
_ENDINGS = {".pdf", ".docx", ".jpg", ".md", ".html", ".txt"}
#: Larger files are scans of many pages, of which each reading takes long.
_MOST_BYTES = 300_000


class Seed(NamedTuple):
    """A sound file."""

    name: str
    data: bytes

    @property
    def suffix(self) -> str:
        """Ending of its name."""
        return Path(self.name).suffix.lower()


@cache
def seeds() -> tuple[Seed, ...]:
    """Return all of them, in the same order each time."""
    return (*_corpus(), *_pictures())


def _corpus() -> Iterator[Seed]:
    for folder in _FOLDERS:
        for path in sorted(folder.iterdir()):
            if path.suffix.lower() not in _ENDINGS or path.stat().st_size > _MOST_BYTES:
                continue
            data = path.read_bytes()
            yield Seed(path.name, data)
            if path.suffix == ".pdf":
                yield Seed(f"plain {path.name}", _unpacked(data))


def _unpacked(data: bytes) -> bytes:
    """Return a PDF with its streams unpacked, so that a mutation can meet what they hold."""
    with pymupdf.open("pdf", data) as document:
        return bytes(document.tobytes(expand=255, garbage=1))


def _pictures() -> Iterator[Seed]:
    pillow_heif.register_heif_opener(thumbnails=False)
    page = _page()
    grey, bits = page.convert("L"), page.convert("1")
    for name, picture, options in (
        ("PNG", page, {}),
        ("PNG", grey.convert("P"), {}),
        ("PNG", page.convert("RGBA"), {}),
        ("PNG", grey.convert("I;16"), {}),
        ("JPEG", page, {}),
        ("JPEG", grey, {"progressive": True}),
        ("JPEG", page.convert("CMYK"), {}),
        ("TIFF", page, {"compression": "tiff_lzw"}),
        ("TIFF", grey, {"compression": "tiff_adobe_deflate"}),
        ("TIFF", bits, {"compression": "group4"}),
        (
            "TIFF",
            grey,
            {"compression": "jpeg", "save_all": True, "append_images": [grey.rotate(90), grey.rotate(180)]},
        ),
        ("TIFF", grey, {}),
        ("WEBP", page, {}),
        ("WEBP", page.convert("RGBA"), {"lossless": True}),
        ("HEIF", page, {}),
        ("HEIF", grey, {}),
    ):
        out = io.BytesIO()
        picture.save(out, name, **options)
        yield Seed(f"page.{name.lower()}", out.getvalue())


def _page() -> Image.Image:
    page = Image.new("RGB", (340, 440), "white")
    pen = ImageDraw.Draw(page)
    for line in range(20):
        pen.text((30, 30 + 18 * line), "My father drives the night bus.", fill=(line * 10, 0, 60))
    return page
