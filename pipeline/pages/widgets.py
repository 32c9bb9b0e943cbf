"""The form fields of a page, compared with what the page shows, and prompts written into them."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from core.plain_data import storable
from pipeline.mupdf.page_data import PageParts, PdfField
from pipeline.pages.page_model import Displayed, Widget
from pipeline.pages.text_trust import plausible_letters


def widgets_of(parts: PageParts) -> list[Widget]:
    """Return the fields in the order of the file, with what the page shows for them."""
    displayed = Displayed(parts.shape)
    return [_widget(field, displayed) for field in parts.fields]


def _widget(field: PdfField, displayed: Displayed) -> Widget:
    seen = seen_value(field)
    return Widget(
        storable(field.name),
        field.kind,
        seen.value,
        displayed.box(field.rect),
        field.checked,
        field.max_length,
        seen.other,
        seen.illegible,
    )


# Compare the value of a field with what the page shows for it. Pure.
#
# A page shows the appearance of a field, not its value (PDF 32000-1, 12.7.3.3): programs that fill in or join
# forms may leave the appearance of an earlier value, or of another form.


#: Kinds of fields in which something is written.
WRITTEN_KINDS = ("text", "choice")
#: Least visible letters of a value, or share of them, if the rest does not fit.
_SEEN_LETTERS, _SEEN_SHARE = 12, 0.3
#: Least share of the letters of a legible text that are in words of the languages.
_LEGIBLE = 0.6
#: Padding of a field at each side, in points.
_PADDING = 2.0
#: Letters that do not fit where a line was cut.
_CUT = 2

#: Soft hyphens and zero-width spaces, with the letters before and after them.
_UNSEEN, _AROUND = re.compile("(?<!\\w)(\\w*+)[\u00ad\u200b\u2060\ufeff](?=(\\w*+))"), 4


class ShownValue(NamedTuple):
    """The value of a field as the page shows it."""

    value: str
    #: The file's value if the page shows another one (`value`), "" if the page shows nothing; None if they agree.
    other: str | None = None
    #: Whether the page may show something that is not in the text of the appearance.
    illegible: bool = False


def seen_value(field: PdfField) -> ShownValue:
    """Return the value of a field: what the page shows if that differs. "" for a prompt."""
    value = _as_drawn(storable(field.value), field.drawn.text if field.drawn else "")
    if field.kind not in WRITTEN_KINDS or field.drawn is None:
        return ShownValue(value)
    if field.covered:
        return ShownValue("", value or storable(field.drawn.text))
    names = (field.name, field.hint)
    drawn, former = storable(field.drawn.text).strip(), storable(field.former).strip()
    agreed = _bare(value) == _bare(drawn) or _agree(field, value, drawn)
    if is_prompt(value, names) and (agreed or field.only_printed):
        return ShownValue("")
    if field.only_printed or (not agreed and is_prompt(_one_line(drawn), names)):
        return ShownValue(value, "" if value else None)
    if not agreed:
        if _is_legible(drawn):
            return ShownValue(drawn, value)
        return ShownValue(value or drawn, "" if value else drawn, illegible=bool(value))
    if value and former and not _agree(field, value, former):
        return ShownValue(value, "" if is_prompt(_one_line(former), names) else former)
    return ShownValue(value)


def _as_drawn(value: str, drawn: str) -> str:
    """Return a value with soft hyphens and zero-width spaces replaced by what is drawn: mostly nothing."""

    def between(mark: re.Match[str]) -> str:
        before, after = mark[1][-_AROUND:], mark[2][:_AROUND]
        seen = re.search(f"{re.escape(before)}([-\u00ad\u2010\u2011 ]){re.escape(after)}", drawn)
        return mark[1] + (seen[1] if seen and before and after else "")

    return value if value.isascii() else _UNSEEN.sub(between, value)


def _agree(field: PdfField, value: str, text: str) -> bool:
    """Whether a field that draws `text` shows its value, or as much of it as fits."""
    said, shown = _letters(value), _letters(text)
    if said == shown or not said:
        return said == shown
    if not shown:
        # For a value of marks only ("-", "?") it does not matter whether they are drawn.
        return _bare(value) == _bare(text)
    if not said.isascii() and _without_missing_letters(value, text):
        return True
    if field.kind == "choice" and {_letters(part) for part in value.split(", ")} <= set(
        map(_letters, text.splitlines())
    ):
        # A list box shows all options.
        return True
    at = said.find(shown)
    enough = len(shown) >= min(_SEEN_LETTERS, _SEEN_SHARE * len(said))
    return at >= 0 and enough and _is_full(field, value, said[at + len(shown) :], text)


def _is_full(field: PdfField, value: str, unseen: str, text: str) -> bool:
    """Whether the field has no room for the invisible part of its value."""
    assert field.drawn is not None
    left, _, right, bottom = field.rect
    x0, y0, x1, y1 = field.drawn.last
    if bottom - y1 >= y1 - y0:
        return False
    letter = (x1 - x0) / max(len(text.splitlines()[-1].rstrip()), 1)
    room = right - left - 2 * _PADDING - (x1 - x0)
    return room < letter * (1 + len(_next_word(value, unseen)) if field.wraps else _CUT)


def _next_word(value: str, unseen: str) -> str:
    """Return the invisible part of the first word that is not fully visible."""
    for word in reversed(value.split()):
        letters = _letters(word)
        if len(letters) >= len(unseen):
            return unseen
        unseen = unseen[: len(unseen) - len(letters)] if unseen.endswith(letters) else unseen
    return unseen


def _without_missing_letters(value: str, shown: str) -> bool:
    """Whether the two differ only in letters that a field's font may lack: those beyond ASCII."""
    said = "".join(c for c in unicodedata.normalize("NFC", value) if c.isascii() and c.isalnum()).casefold()
    seen = "".join(c for c in unicodedata.normalize("NFC", shown) if c.isascii() and c.isalnum()).casefold()
    return bool(said) and said == seen


def _is_legible(text: str) -> bool:
    """Whether the text of an appearance has letters, and they are those of words."""
    words = text.split()
    return bool(words) and plausible_letters(words) >= _LEGIBLE * sum(map(len, words))


def _letters(text: str) -> str:
    """Return the letters and digits of a text, in lower case, without accents and spaces."""
    if text.isascii():
        return "".join(filter(str.isalnum, text)).lower()
    return "".join(c for c in unicodedata.normalize("NFKD", text) if c.isalnum()).casefold()


def _bare(text: str) -> str:
    """Return a text without spaces."""
    return "".join(text.split())


def _one_line(text: str) -> str:
    return " ".join(text.split())


# Prompts that forms write into their fields: "Type school name", "name@example.com", "(555) 555-5555".


_LISTS: dict[str, list[str]] = tomllib.loads((Path(__file__).parent / "prompts.toml").read_text(encoding="utf-8"))
_OPENINGS = tuple(_LISTS["openings"])
_VERBS, _ASKED = frozenset(_LISTS["verbs"]), frozenset(_LISTS["asked"])
_WORDS_AROUND = frozenset(_LISTS["around"])
_NOBODY, _NOWHERE = frozenset(_LISTS["nobody"]), frozenset(_LISTS["nowhere"])
_NUMBERS, _DATES = frozenset(_LISTS["numbers"]), frozenset(_LISTS["dates"])
_YOURS, _HERE = frozenset(_LISTS["yours"]), frozenset(_LISTS["here"])
#: Most letters and words of a prompt.
_LONGEST, _MOST_WORDS = 120, 14
_DIGITS_OF_A_PHONE = 7
#: A phone number with letters or rules for digits.
_BARE_PHONE = re.compile(r"[(\s]*[x_#]{3}[)\s.\-/]*[x_#]{3}[\s.\-]*[x_#]{4}")


def is_prompt(text: str, names: Iterable[str] = ()) -> bool:
    """Whether a text is a form's prompt rather than a value.

    `names`: the field's name and tooltip. A text that equals one of them is a prompt if it has several words.
    """
    if not text or len(text) > _LONGEST:
        return False
    words = _words(text)
    if len(words) > _MOST_WORDS:
        return False
    if len(words) > 1 and any(_words(name) == words for name in names):
        return True
    return _asks(words) or _is_nobodys_address(text) or _is_nobodys_number(text) or " ".join(words) in _DATES


def _asks(words: list[str]) -> bool:
    whole = " ".join(words)
    if any(whole == opening or whole.startswith(f"{opening} ") for opening in _OPENINGS):
        return True
    if words[:1] == ["please"]:
        words = words[1:]
    # "Ingrese" or "Grade" alone may be a value: a prompt's verb needs an object.
    rest = words[1:]
    if not any(word in _ASKED for word in words) or not set(rest) <= _ASKED | _WORDS_AROUND:
        return False
    if words[0] in _VERBS:
        return any(word in _ASKED for word in rest)
    return words[0] in _YOURS or (words[-1] in _HERE and words[0] in _ASKED | _WORDS_AROUND)


def _is_nobodys_address(text: str) -> bool:
    local, at, domain = text.strip().strip("<>[]").casefold().partition("@")
    return bool(at) and local in _NOBODY and domain in _NOWHERE


def _is_nobodys_number(text: str) -> bool:
    bare = text.strip().casefold()
    if _BARE_PHONE.fullmatch(bare):
        return True
    digits = "".join(char for char in bare if char.isdigit())
    if len(digits) < _DIGITS_OF_A_PHONE or any(char.isalpha() for char in bare):
        return False
    return len(set(digits)) == 1 or digits.removeprefix("1") in _NUMBERS or digits in _NUMBERS


def _words(text: str) -> list[str]:
    decomposed = unicodedata.normalize("NFKD", text.casefold().replace("'", "").replace("’", ""))
    bare = "".join(char for char in decomposed if not unicodedata.combining(char))
    return re.findall(r"[^\W_]+", bare)
