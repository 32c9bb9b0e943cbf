"""Which files of a folder are entries."""

from __future__ import annotations

from pathlib import Path

SUFFIXES = frozenset(
    (".pdf", ".png", ".jpg", ".jpeg", ".tif", ".tiff", ".heic", ".heif", ".webp", ".gif", ".avif", ".docx")
)


def entry_files(folder: Path) -> list[Path]:
    """The documents and pictures of a folder, by name; subfolders are not entered."""
    return sorted(path for path in folder.iterdir() if path.is_file() and path.suffix.lower() in SUFFIXES)
