"""Names of files and folders in archives, good for every system that may unpack them."""

from __future__ import annotations

import re
import unicodedata

from services.exports.cells import harmless

#: What Windows allows in no name, and what a program for archives could take for a folder.
_REFUSED = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]')
_SPACE = re.compile(r"\s+")
#: Names of devices on Windows, with any ending.
_DEVICES = re.compile(r"(?i)(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)")
#: Most bytes of a part of a name; systems allow 255, and something is added.
_LONGEST = 100


def safe_name(text: str, without: str) -> str:
    """Return the text as a name of a file or folder; `without` where nothing of it can stand in one."""
    kept = _SPACE.sub(" ", _REFUSED.sub(" ", unicodedata.normalize("NFC", text)))
    kept = "".join(character for character in kept if unicodedata.category(character) not in ("Cf", "Cs", "Co"))
    # Windows drops spaces and dots at the end; one at the beginning hides a file elsewhere.
    # Lists of files are opened as tables too.
    kept = _shortened(harmless(kept.strip(" ."), "_")).strip(" .")
    return (f"_{kept}" if _DEVICES.match(kept) else kept) or without


def _shortened(text: str) -> str:
    return text.encode()[:_LONGEST].decode(errors="ignore")
