"""Subjects with their library and their report, as written under `data/`.

A file has a head (`field`, `language`, `title`, `query`, `gap`), a line for each source (`a: author | year | kind
| title | publisher`), and sections. A line of a section is a sentence of the source whose letter it begins with
and, behind `=>`, what the report makes of it; `*` marks those about the concept that is taken away, and `## !` a
section of the report about nothing else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from research.citations.keys import make_key

DATA = Path(__file__).parent / "data"
_HEAD = re.compile(r"(field|language|title|query|gap): (.+)")
_SOURCE = re.compile(r"([a-z]): (.+)")
_LINE = re.compile(r"(\*?)([a-z]) (.+?)(?: => (.+))?")


@dataclass(frozen=True)
class BenchSource:
    """A document of the library, without its text."""

    letter: str
    key: str
    author: str
    year: int
    kind: str
    title: str
    publisher: str


@dataclass(frozen=True)
class Line:
    """A sentence of a source, with what the report makes of it."""

    letter: str
    text: str
    reported: str | None
    of_gap: bool


@dataclass(frozen=True)
class BenchSection:
    """A section of the report; its lines are a paragraph of each source."""

    heading: str
    of_gap: bool
    lines: list[Line] = field(default_factory=list)


@dataclass(frozen=True)
class Topic:
    """A report and its library."""

    name: str
    held_out: bool
    field: str
    language: Literal["en", "es"]
    title: str
    query: str
    #: The concept that is taken away.
    gap: str
    sources: tuple[BenchSource, ...]
    sections: tuple[BenchSection, ...]

    def source(self, letter: str) -> BenchSource:
        """The source of a letter."""
        return next(source for source in self.sources if source.letter == letter)


def topics() -> list[Topic]:
    """All of them; a third was written in one go and never looked at while rules were made."""
    return [
        _read(path, held_out=folder == "held_out")
        for folder in ("tuned", "held_out")
        for path in sorted((DATA / folder).glob("*.txt"))
    ]


def _read(path: Path, *, held_out: bool) -> Topic:
    lines = path.read_text(encoding="utf-8").splitlines()
    head = {found[1]: found[2] for line in lines if (found := _HEAD.fullmatch(line))}
    return Topic(
        name=path.stem,
        held_out=held_out,
        field=head["field"],
        language="es" if head["language"] == "es" else "en",
        title=head["title"],
        query=head["query"],
        gap=head["gap"],
        sources=tuple(_sources(lines)),
        sections=tuple(_sections(lines)),
    )


def _sources(lines: list[str]) -> list[BenchSource]:
    found: list[BenchSource] = []
    for line in lines:
        if match := _SOURCE.fullmatch(line):
            author, year, kind, title, publisher = match[2].split(" | ")
            taken = {source.key for source in found}
            key = make_key([author], int(year), publisher, title, taken)
            found.append(BenchSource(match[1], key, author, int(year), kind, title, publisher))
    return found


def _sections(lines: list[str]) -> list[BenchSection]:
    found: list[BenchSection] = []
    for line in lines:
        if line.startswith("## "):
            heading = line.removeprefix("## ")
            found.append(BenchSection(heading.removeprefix("!"), heading.startswith("!")))
        elif found:
            match = _LINE.fullmatch(line)
            if match is None:
                raise ValueError(f"not a line of a section: {line!r}")
            found[-1].lines.append(Line(match[2], match[3], match[4], bool(match[1])))
    return found
