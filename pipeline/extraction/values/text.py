"""Ways to compare what a page says with what a form prints."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

#: What parts words without being a plain space.
SPACERS = re.compile("[\u200b\u200c\u200d\u2060\ufeff\\s]+")
_SPACES = re.compile(r"\s+")
_FOLDED = str.maketrans(
    {"’": "'", "‘": "'", "´": "'", "`": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u00ad": "-"}
)
#: A soft hyphen that stands in a page's text was drawn as a hyphen.
DRAWN = str.maketrans({"\u00ad": "-", "\u2010": "-", "\u2011": "-", "\u00a0": " "})


def plain(text: str) -> str:
    """Lower case, without accents, quotes and dashes of one kind, single spaces."""
    folded = text.replace("`", "'") if text.isascii() else text.translate(_FOLDED)
    if folded.isascii():
        return " ".join(folded.lower().split())
    decomposed = unicodedata.normalize("NFKD", folded)
    bare = "".join(c for c in decomposed if not unicodedata.combining(c))
    return _SPACES.sub(" ", bare).strip().casefold()


def squeezed(text: str) -> str:
    """Only the letters and digits of `plain`: what survives any spacing and most recognisers."""
    if text.isascii():
        return (text if text.isalnum() else "".join(filter(str.isalnum, text))).lower()
    return "".join(c for c in plain(text) if c.isalnum())


@lru_cache(maxsize=4096)
def letters_of(char: str) -> str:
    """`squeezed` of a single character."""
    return squeezed(char)


def tidy(text: str) -> str:
    """One line without doubled, zero-width or outer spaces; accents composed."""
    if text.isascii():
        return " ".join(text.split())
    return _SPACES.sub(" ", unicodedata.normalize("NFC", SPACERS.sub(" ", text).translate(DRAWN))).strip()


def word_count(text: str) -> int:
    """Words as an editor counts them: runs between spaces that hold a letter or a digit."""
    return sum(any(c.isalnum() for c in word) for word in tidy(text).split(" "))
