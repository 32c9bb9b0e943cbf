"""Hold the value of a field against what the page shows for it. Pure.

The appearance of a field is drawn, not its value (PDF 32000-1, 12.7.3.3): programs that fill in or join forms may
leave the one of an earlier value, or of another form.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from core.characters import storable
from pipeline.mupdf.plain import Field
from pipeline.pages.plausibility import plausible_letters
from pipeline.pages.prompts import is_prompt

#: Kinds of fields in which something is written.
WRITTEN_KINDS = ("text", "choice")
#: Letters of a value, or the share of them, that are seen at least where the rest does not fit.
_SEEN_LETTERS, _SEEN_SHARE = 12, 0.3
#: Share of the letters of a legible text that are in words of the languages, at least.
_LEGIBLE = 0.6
#: What fields leave free at each side, in points.
_PADDING = 2.0
#: Letters that have no room where a line was cut.
_CUT = 2

#: Soft hyphens and spaces without a width, with the letters before and after them.
_UNSEEN, _AROUND = re.compile("(?<!\\w)(\\w*+)[\u00ad\u200b\u2060\ufeff](?=(\\w*+))"), 4


class Seen(NamedTuple):
    """The value of a field as the page shows it."""

    value: str
    #: The other text where what the file says and what the page shows differ: the file's where the page shows
    #: `value`, "" where it shows nothing. None where they agree.
    other: str | None = None
    #: Whether the page may show something that the text of the appearance does not tell.
    illegible: bool = False


def seen_value(field: Field) -> Seen:
    """Return the value of a field: what the page shows where it shows something else. "" for a prompt."""
    value = _as_drawn(storable(field.value), field.drawn.text if field.drawn else "")
    if field.kind not in WRITTEN_KINDS or field.drawn is None:
        return Seen(value)
    if field.covered:
        return Seen("", value or storable(field.drawn.text))
    names = (field.name, field.hint)
    drawn, former = storable(field.drawn.text).strip(), storable(field.former).strip()
    agreed = _bare(value) == _bare(drawn) or _agree(field, value, drawn)
    if is_prompt(value, names) and (agreed or field.only_printed):
        return Seen("")
    if field.only_printed or (not agreed and is_prompt(_one_line(drawn), names)):
        return Seen(value, "" if value else None)
    if not agreed:
        if _is_legible(drawn):
            return Seen(drawn, value)
        return Seen(value or drawn, "" if value else drawn, illegible=bool(value))
    if value and former and not _agree(field, value, former):
        return Seen(value, "" if is_prompt(_one_line(former), names) else former)
    return Seen(value)


def _as_drawn(value: str, drawn: str) -> str:
    """Return a value with what is drawn in place of soft hyphens and spaces without a width: mostly nothing."""

    def between(mark: re.Match[str]) -> str:
        before, after = mark[1][-_AROUND:], mark[2][:_AROUND]
        seen = re.search(f"{re.escape(before)}([-\u00ad\u2010\u2011 ]){re.escape(after)}", drawn)
        return mark[1] + (seen[1] if seen and before and after else "")

    return value if value.isascii() else _UNSEEN.sub(between, value)


def _agree(field: Field, value: str, text: str) -> bool:
    """Whether a field that draws `text` shows its value, or as much of it as fits."""
    said, shown = _letters(value), _letters(text)
    if said == shown or not said:
        return said == shown
    if not shown:
        # Marks alone ("-", "?") are drawn or not; nobody's value is lost.
        return _bare(value) == _bare(text)
    if not said.isascii() and _without_missing_letters(value, text):
        return True
    if field.kind == "choice" and {_letters(part) for part in value.split(", ")} <= set(
        map(_letters, text.splitlines())
    ):
        # A list shows all that can be chosen.
        return True
    at = said.find(shown)
    enough = len(shown) >= min(_SEEN_LETTERS, _SEEN_SHARE * len(said))
    return at >= 0 and enough and _is_full(field, value, said[at + len(shown) :], text)


def _is_full(field: Field, value: str, unseen: str, text: str) -> bool:
    """Whether the field has no room for what is not seen of its value."""
    assert field.drawn is not None
    left, _, right, bottom = field.rect
    x0, y0, x1, y1 = field.drawn.last
    if bottom - y1 >= y1 - y0:
        return False
    letter = (x1 - x0) / max(len(text.splitlines()[-1].rstrip()), 1)
    room = right - left - 2 * _PADDING - (x1 - x0)
    return room < letter * (1 + len(_next_word(value, unseen)) if field.wraps else _CUT)


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


def _is_legible(text: str) -> bool:
    """Whether the text of an appearance has letters, and they are those of words."""
    words = text.split()
    return bool(words) and plausible_letters(words) >= _LEGIBLE * sum(map(len, words))


def _letters(text: str) -> str:
    """Return the letters and digits of a text, in lower case and without accents; how it is spaced is ignored."""
    if text.isascii():
        return "".join(filter(str.isalnum, text)).lower()
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(c for c in decomposed if c.isalnum()).casefold()


def _bare(text: str) -> str:
    """Return a text without spaces."""
    return "".join(text.split())


def _one_line(text: str) -> str:
    return " ".join(text.split())
