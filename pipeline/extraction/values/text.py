"""Normalisations for comparing text of a page with printed text of a form."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

#: Characters that separate words without being a plain space.
SPACERS = re.compile("[\u200b\u200c\u200d\u2060\ufeff\\s]+")
_SPACES = re.compile(r"\s+")
_FOLDED = str.maketrans(
    {"’": "'", "‘": "'", "´": "'", "`": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u00ad": "-"}
)
#: A soft hyphen in a page's text was drawn as a hyphen.
DRAWN = str.maketrans({"\u00ad": "-", "\u2010": "-", "\u2011": "-", "\u00a0": " "})


def plain_text(text: str) -> str:
    """Return a text in lower case, without accents, with uniform quotes and dashes and single spaces."""
    folded = text.replace("`", "'") if text.isascii() else text.translate(_FOLDED)
    if folded.isascii():
        return " ".join(folded.lower().split())
    decomposed = unicodedata.normalize("NFKD", folded)
    bare = "".join(c for c in decomposed if not unicodedata.combining(c))
    return _SPACES.sub(" ", bare).strip().casefold()


def squeezed(text: str) -> str:
    """Return only the letters and digits of `plain_text`, which do not depend on spacing."""
    if text.isascii():
        return (text if text.isalnum() else "".join(filter(str.isalnum, text))).lower()
    return "".join(c for c in plain_text(text) if c.isalnum())


#: `squeezed` of a single character.
letters_of = lru_cache(maxsize=4096)(squeezed)


def tidied(text: str) -> str:
    """Return a text as one line without repeated, zero-width or outer spaces; accents composed."""
    if text.isascii():
        return " ".join(text.split())
    return _SPACES.sub(" ", unicodedata.normalize("NFC", SPACERS.sub(" ", text).translate(DRAWN))).strip()


def word_count(text: str) -> int:
    """Return the number of words: runs between spaces that contain a letter or a digit."""
    return sum(any(c.isalnum() for c in word) for word in tidied(text).split(" "))
