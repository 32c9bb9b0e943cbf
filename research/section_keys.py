"""Make keys of sections from their headings."""

from __future__ import annotations

import unicodedata


def section_key(heading: str, taken: set[str]) -> str:
    """Return a unique key made from the heading's letters."""
    plain = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode().lower()
    stem = "-".join("".join(char if char.isalnum() else " " for char in plain).split()[:8]) or "section"
    stem = stem if stem[0].isalpha() else f"s-{stem}"
    key, number = stem, 2
    while key in taken:
        key, number = f"{stem}-{number}", number + 1
    taken.add(key)
    return key
