"""Prompts that forms write into their fields: "Type school name", "name@example.com", "(555) 555-5555"."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable
from pathlib import Path

_LISTS: dict[str, list[str]] = tomllib.loads((Path(__file__).parent / "prompts.toml").read_text(encoding="utf-8"))
_OPENINGS = tuple(_LISTS["openings"])
_VERBS, _ASKED = frozenset(_LISTS["verbs"]), frozenset(_LISTS["asked"])
_AROUND = frozenset(_LISTS["around"])
_NOBODY, _NOWHERE = frozenset(_LISTS["nobody"]), frozenset(_LISTS["nowhere"])
_NUMBERS, _DATES = frozenset(_LISTS["numbers"]), frozenset(_LISTS["dates"])
_YOURS, _HERE = frozenset(_LISTS["yours"]), frozenset(_LISTS["here"])
#: A text of more letters or words is somebody's.
_LONGEST, _MOST_WORDS = 120, 14
_DIGITS_OF_A_PHONE = 7
#: A phone number with letters or rules for digits.
_BARE_PHONE = re.compile(r"[(\s]*[x_#]{3}[)\s.\-/]*[x_#]{3}[\s.\-]*[x_#]{4}")


def is_prompt(text: str, names: Iterable[str] = ()) -> bool:
    """Whether a text is what a form asks for, and nobody's value.

    `names`: what the field is called and what a person is told of it. A text that is one of them is a prompt
    where it is more than a word.
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
    # "Ingrese" and "Grade" alone may be somebody's: a verb needs what it asks for.
    rest = words[1:]
    if not any(word in _ASKED for word in words) or not set(rest) <= _ASKED | _AROUND:
        return False
    if words[0] in _VERBS:
        return any(word in _ASKED for word in rest)
    return words[0] in _YOURS or (words[-1] in _HERE and words[0] in _ASKED | _AROUND)


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
