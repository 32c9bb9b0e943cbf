"""Hold the value of a field against what the page shows for it. Pure.

The appearance of a field is drawn, not its value (PDF 32000-1, 12.7.3.3): programs that fill in or join forms may
leave the one of an earlier value, or of another form.
"""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from core.characters import storable
from pipeline.mupdf.plain import Drawn, Field, Rect
from pipeline.pages.prompts import is_prompt

#: Kinds of fields in which something is written.
WRITTEN_KINDS = ("text", "choice")
#: Share of a value's letters that is seen at least where the rest does not fit.
_SEEN = 0.3
#: What fields leave free at each side, in points.
_PADDING = 2.0
#: A word that needs this share of the room left may have been wrapped.
_TIGHT = 0.85


class Seen(NamedTuple):
    """The value of a field as the page shows it."""

    value: str
    #: The other text where what the file says and what the page shows differ: the file's where the page shows
    #: `value`, "" where it shows nothing. None where they agree.
    other: str | None = None


def seen_value(field: Field) -> Seen:
    """Return the value of a field: what the page shows where it shows something else. "" for a prompt."""
    value = storable(field.value)
    if field.kind not in WRITTEN_KINDS or field.drawn is None:
        return Seen(value)
    names = (field.name, field.hint)
    drawn = field.drawn._replace(text=storable(field.drawn.text).strip())
    if is_prompt(value, names) and (field.only_printed or _agree(value, drawn, field.rect)):
        return Seen("")
    if field.only_printed:
        return Seen(value, "" if value else None)
    if is_prompt(_one_line(drawn.text), names):
        return Seen(value, "" if value else None)
    if not _agree(value, drawn, field.rect):
        return Seen(drawn.text or value, value if drawn.text else "")
    former = drawn._replace(text=storable(field.former).strip())
    if value and former.text and not _agree(value, former, field.rect):
        return Seen(value, "" if is_prompt(_one_line(former.text), names) else former.text)
    return Seen(value)


def _agree(value: str, drawn: Drawn, rect: Rect) -> bool:
    """Whether a field draws its value, or as much of it as fits."""
    said, shown = _letters(value), _letters(drawn.text)
    if said == shown or not said:
        return said == shown
    if not shown:
        # Marks alone ("-", "?") are drawn or not; nobody's value is lost.
        return _marks(value) == _marks(drawn.text)
    if not said.isascii() and _without_missing_letters(value, drawn.text):
        return True
    at = said.find(shown)
    return at >= 0 and len(shown) >= _SEEN * len(said) and _is_full(said[at + len(shown) :], value, drawn, rect)


def _is_full(unseen: str, value: str, drawn: Drawn, rect: Rect) -> bool:
    """Whether the field has no room for the word of its value that comes next."""
    lines = drawn.text.splitlines()
    x0, y0, x1, y1 = drawn.last
    height, longest = (y1 - y0) / len(lines), max(map(len, lines))
    if rect[3] - y1 >= height or not unseen:
        return rect[3] - y1 < height
    letter = (x1 - x0) / max(longest, 1)
    room = (rect[2] - rect[0]) - 2 * _PADDING - letter * len(lines[-1].rstrip())
    return room * _TIGHT < letter * (1 + len(_next_word(value, unseen)))


def _next_word(value: str, unseen: str) -> str:
    """Return what is not seen of the first word that is not seen as a whole."""
    for word in reversed(value.split()):
        letters = _letters(word)
        if len(letters) >= len(unseen):
            return unseen
        unseen = unseen[: len(unseen) - len(letters)] if unseen.endswith(letters) else unseen
    return unseen


def _without_missing_letters(value: str, shown: str) -> bool:
    """Whether the two differ by letters alone that a field's font may not have: all beyond ASCII."""
    said = "".join(c for c in unicodedata.normalize("NFC", value) if c.isascii() and c.isalnum()).casefold()
    seen = "".join(c for c in unicodedata.normalize("NFC", shown) if c.isascii() and c.isalnum()).casefold()
    return bool(said) and said == seen


def _letters(text: str) -> str:
    """Return the letters and digits of a text, in lower case and without accents; how it is spaced is ignored."""
    if text.isascii():
        return "".join(filter(str.isalnum, text)).lower()
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(c for c in decomposed if c.isalnum()).casefold()


def _marks(text: str) -> str:
    return "".join(text.split())


def _one_line(text: str) -> str:
    return " ".join(text.split())
