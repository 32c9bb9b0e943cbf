"""Read authors' names, and make citation keys: "ortiz2019", then "ortiz2019b" for the next of name and year."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Sequence
from importlib.resources import files
from string import ascii_lowercase

from research.document import first_free
from research.text.stems import fold_accents, stop_words

MAX_NAME_CHARS = 24
_DATA = tomllib.loads(files(__package__).joinpath("names.toml").read_text(encoding="utf-8"))
_ORGANISATION = re.compile(rf"\b(?:{'|'.join(_DATA['organisations'])})", re.IGNORECASE)
_SPECIAL = str.maketrans(_DATA["letters"])


def split_name(name: str) -> tuple[str, str]:
    """Return given and family name; an organisation or a single word is all family name."""
    family, comma, given = name.partition(",")
    if comma:
        return given.strip(), family.strip()
    words = name.split()
    if len(words) < 2 or _ORGANISATION.search(name):
        return "", name
    first = len(words) - 1
    while first > 1 and words[first - 1].lower() in _DATA["particles"]:
        first -= 1
    return " ".join(words[:first]), " ".join(words[first:])


def make_key(
    authors: Sequence[str], year: int | None, publisher: str | None, title: str, taken: Collection[str]
) -> str:
    """Return a key that is not taken: first author's surname, else publisher, else title, followed by the year."""
    names = [_author(authors[0]) if authors else "", _words(publisher or "", 2), _words(title, 1), "source"]
    stem = next(filter(None, names)) + (str(year) if year else "")
    # Without a year, a letter appended directly could make another name.
    joint = "" if year else "-"
    return first_free(lambda number: f"{stem}{joint}{_letter(number)}" if number else stem, taken)


def _letter(number: int) -> str:
    """Return b, c … z, then z2, z3 …"""
    return ascii_lowercase[number] if number < len(ascii_lowercase) else f"z{number - len(ascii_lowercase) + 2}"


def _author(name: str) -> str:
    if _ORGANISATION.search(name):
        return _words(name, 2)
    family, comma, _ = name.partition(",")
    words = [word for word in _plain(family).split() if word not in _DATA["titles"]]
    chosen = "".join(words) if comma else (words or [""])[-1]
    return _as_name(chosen)


def _words(text: str, most: int) -> str:
    stops = stop_words("en") | stop_words("es")
    words = [word for word in _plain(text).split() if word not in stops and not word[0].isdigit()]
    return _as_name("".join(words[:most]))


def _plain(text: str) -> str:
    folded = fold_accents(text.casefold().translate(_SPECIAL)).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[^a-z0-9]+", " ", folded.replace("'", ""))


def _as_name(text: str) -> str:
    """Return the text from its first letter on, at most `MAX_NAME_CHARS` characters."""
    return re.sub(r"^[^a-z]+", "", text)[:MAX_NAME_CHARS]
