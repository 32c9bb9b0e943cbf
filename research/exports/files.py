"""The exported file: content, media type and name."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass


@dataclass(frozen=True)
class Exported:
    """A file as sent to the browser."""

    data: bytes
    content_type: str
    filename: str


def file_name(title: str, extension: str) -> str:
    """Make a file name from the title: at most 60 of a–z, digits and hyphens, safe in headers and file systems."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    words = "".join(char if char.isalnum() else " " for char in plain).split()
    stem = ""
    for word in words:
        longer = f"{stem}-{word}" if stem else word[:60]
        if len(longer) > 60:
            break
        stem = longer
    return f"{stem or 'report'}.{extension}"
