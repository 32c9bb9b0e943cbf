"""The exported file: bytes, type and name."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass


@dataclass(frozen=True)
class Exported:
    """What a browser is sent."""

    data: bytes
    content_type: str
    filename: str


def file_name(title: str, extension: str) -> str:
    """Letters a to z, digits and hyphens of the title, at most sixty: safe in a header and on every disk."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    words = "".join(char if char.isalnum() else " " for char in plain).split()
    stem = ""
    for word in words:
        longer = f"{stem}-{word}" if stem else word[:60]
        if len(longer) > 60:
            break
        stem = longer
    return f"{stem or 'report'}.{extension}"
