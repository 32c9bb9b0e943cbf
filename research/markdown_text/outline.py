"""Split a Markdown text into headings and the text below them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import yaml

from research.markdown_text.parsing import headings_of, inline_text

_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n(?P<yaml>.*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)


class Part(NamedTuple):
    """A plain-text heading and the Markdown below it; level 0 for text before the first heading."""

    level: int
    heading: str
    body: str


class Outline(NamedTuple):
    """A Markdown text split into parts."""

    #: "" if there is none.
    title: str
    #: In text order; the highest level is 1.
    parts: list[Part]
    #: See `front_matter`.
    front: str
    #: Whether the title is a heading of the text.
    titled: bool


def front_matter(text: str) -> str:
    """Return the YAML block at the start of a text, with delimiters and line endings; "" if there is none."""
    found = _FRONT_MATTER.match(text)
    return found[0] if found else ""


def title_in(front: str) -> str:
    """Return the title in a front matter; "" if there is none."""
    try:
        # Scalars stay the text that they are written as.
        given = next(yaml.load_all(front, yaml.BaseLoader), None)  # nosec B506 - builds text, lists and dicts only
    except (yaml.YAMLError, RecursionError):
        return ""
    title = given.get("title") if isinstance(given, dict) else None
    return " ".join(title.split()) if isinstance(title, str) else ""


def outline(text: str) -> Outline:
    """Return title, front matter and parts of a text."""
    text = text.removeprefix("\ufeff")
    front = front_matter(text)
    title = title_in(front)
    text = text[len(front) :].replace("\r\n", "\n").replace("\r", "\n")
    parts = [part for part in _parts(text) if part.heading or part.body]
    headed, below = _with_title(parts)
    # If the first heading repeats the title of the front matter, it is the title and not a section.
    titled = bool(headed) and (not title or " ".join(headed.split()).casefold() == title.casefold())
    if titled:
        title, parts = headed, below
    highest = min((part.level for part in parts if part.heading), default=1)
    levelled = [part._replace(level=max(1, part.level - highest + 1)) for part in parts]
    return Outline(title, levelled, front, titled)


def _with_title(parts: list[Part]) -> tuple[str, list[Part]]:
    """Take the title from a single top-level heading that comes first; its body becomes a part without heading."""
    tops = [part for part in parts if part.level == 1 and part.heading]
    if len(tops) != 1 or len(parts) < 2 or tops[0] is not next(part for part in parts if part.heading):
        return "", parts
    place = parts.index(tops[0])
    below = [Part(1, "", tops[0].body)] if tops[0].body else []
    return tops[0].heading, [*parts[:place], *below, *parts[place + 1 :]]


def _parts(text: str) -> Iterator[Part]:
    lines = text.split("\n")
    level, heading, at = 0, "", 0
    for first, after, deeper, written in [*headings_of(text), (len(lines), 0, 0, "")]:
        yield Part(level, heading, "\n".join(lines[at:first]).strip("\n").rstrip())
        level, heading, at = deeper, inline_text(written), after
