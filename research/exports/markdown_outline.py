"""Split a Markdown text into headings and the text below them; headings in fenced code are ignored."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

_ATX = re.compile(r" {0,3}(#{1,6})[ \t]++(.+)")
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n(?P<yaml>.*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_TITLE = re.compile(r"^title:[ \t]*+(.+)$", re.MULTILINE)
_EMPHASIS = re.compile(r"(?<!\\)(\*\*|__|\*|`)(.+?)(?<!\\)\1")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+\-.!|<>~&=])")


@dataclass(frozen=True)
class Part:
    """A plain-text heading and the Markdown below it; level 0 for text before the first heading."""

    level: int
    heading: str
    body: str


@dataclass(frozen=True)
class Outline:
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
    named = _TITLE.search(front)
    if named is None:
        return ""
    title = named[1].rstrip(" \t\r")
    title = title[1:] if title[:1] in ("'", '"') else title
    return title[:-1] if title[-1:] in ("'", '"') else title


def outline(text: str) -> Outline:
    """Return title, front matter and parts of a text."""
    text = text.removeprefix("\ufeff")
    front = front_matter(text)
    title = title_in(front)
    text = text[len(front) :].replace("\r\n", "\n").replace("\r", "\n")
    parts = [part for part in _parts(text) if part.heading or part.body]
    headed, below = _with_title(parts)
    # If the first heading repeats the title of the front matter, it is the title and not a section.
    titled = bool(headed) and (not title or _same(headed, title))
    if titled:
        title, parts = headed, below
    highest = min((part.level for part in parts if part.heading), default=1)
    levelled = [replace(part, level=max(1, part.level - highest + 1)) for part in parts]
    return Outline(title, levelled, front, titled)


def plain(markdown: str) -> str:
    """Return inline Markdown without emphasis and escapes."""
    return _ESCAPE.sub(r"\1", _EMPHASIS.sub(r"\2", markdown)).strip()


def _same(one: str, other: str) -> bool:
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()


def _with_title(parts: list[Part]) -> tuple[str, list[Part]]:
    """Take the title from a single top-level heading that comes first; its body becomes a part without heading."""
    tops = [part for part in parts if part.level == 1 and part.heading]
    if len(tops) != 1 or len(parts) < 2 or tops[0] is not next(part for part in parts if part.heading):
        return "", parts
    place = parts.index(tops[0])
    below = [Part(1, "", tops[0].body)] if tops[0].body else []
    return tops[0].heading, [*parts[:place], *below, *parts[place + 1 :]]


def _parts(text: str) -> Iterator[Part]:
    level, heading, body = 0, "", list[str]()
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark and (not fence or (mark[1][0] == fence[0] and len(mark[1]) >= len(fence))):
            fence = "" if fence else mark[1]
        elif not fence and (found := _ATX.match(line)):
            yield Part(level, heading, _body(body))
            level, heading, body = len(found[1]), plain(_heading(found[2])), []
            continue
        elif not fence and _underlines(line, body):
            title = body.pop().strip()
            yield Part(level, heading, _body(body))
            level, heading, body = 1 if line.strip()[0] == "=" else 2, plain(title), []
            continue
        body.append(line)
    yield Part(level, heading, _body(body))


def _heading(text: str) -> str:
    """Return the text of a line with "#" before it, without spaces and signs that close it."""
    text = text.rstrip(" \t")
    bare = text.rstrip("#")
    return bare.rstrip(" \t") if bare != text and bare[-1:] in (" ", "\t") else text


def _underlines(line: str, body: list[str]) -> bool:
    """Return whether the line underlines the single line above it as a heading."""
    if not _UNDERLINE.match(line) or not body or not body[-1].strip():
        return False
    alone = len(body) < 2 or not body[-2].strip()
    return alone and not re.match(r"\s*(?:[-*+>|]|\d+[.)]\s|#)", body[-1])


def _body(lines: list[str]) -> str:
    return "\n".join(lines).strip("\n").rstrip()
