"""A report as it is stored: sections of Markdown whose markers name sources by key, numbered when rendered.

A marker is `[@key]` or `[@key#claim]`: a citation key of `references`, and the claim whose quotation supports the
sentence. Several can follow each other: `[@ortiz2019#c3] [@lee2021#c9]`. Every export
numbers the keys in the order in which they first appear.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

#: Groups: key, and claim if there is one.
MARKER = r"\[@(?P<key>[a-z][a-z0-9_-]*)(?:#(?P<claim>[a-z0-9_-]+))?\]"


class Reference(BaseModel):
    """A cited source."""

    model_config = ConfigDict(frozen=True)

    key: str
    kind: Literal["web", "academic", "book", "essay", "other"] = "other"
    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    publisher: str | None = None
    url: str | None = None
    doi: str | None = None
    isbn: str | None = None
    #: In an uploaded document: the entry as written, if its parts could not be separated.
    as_written: str | None = None


class Section(BaseModel):
    """A heading and the text below it; deeper headings begin their own sections."""

    model_config = ConfigDict(frozen=True)

    #: Stable over revisions.
    key: str
    heading: str
    #: 1 for chapters, up to 6; the document's title is not a section.
    level: int = Field(default=1, ge=1, le=6)
    #: Markdown with markers; catalogs hold a GFM table.
    body: str = ""
    #: Every later version must contain this section.
    required: bool = True


class ReportDocument(BaseModel):
    """One version of a report."""

    model_config = ConfigDict(frozen=True)

    title: str
    #: YAML front matter of an uploaded Markdown file, unchanged with its delimiters; "" if none.
    front_matter: str = ""
    #: Whether the title is a heading of the text; False if only the front matter has it.
    title_heading: bool = True
    query: str = ""
    #: The day of this version as YYYY-MM-DD, given when it is exported; "" if unknown.
    written_on: str = ""
    report_type: Literal["narrative", "catalog"] = "narrative"
    language: Literal["en", "es"] = "en"
    #: The text consists of sentences chosen from the sources, not written by a model.
    extractive: bool = False
    sections: tuple[Section, ...] = ()
    references: tuple[Reference, ...] = ()
    #: What could not be found or verified, in plain sentences; shown at the end.
    limits: tuple[str, ...] = ()


@dataclass(frozen=True)
class CheckedClaim:
    """A sentence, the quotation given for it, and where it was found; a row of `report_claims`."""

    claim_id: str
    sentence: str
    quote: str
    claimed_source_key: str | None
    #: None: in no source; such a claim is never published.
    source_key: str | None
    start_char: int | None
    end_char: int | None
    page_no: int | None
    status: Literal["verified", "misattributed", "fabricated"]
    #: Result of Round 3: whether sources of other domains agree.
    verification: Literal["confirmed", "contradicted", "not_found"] | None = None


def section_key(heading: str, taken: set[str]) -> str:
    """Return a unique key made from the heading's letters."""
    stem = hyphenated(heading) or "section"
    stem = stem if stem[0].isalpha() else f"s-{stem}"
    key = first_free(lambda number: f"{stem}-{number + 1}" if number else stem, taken)
    taken.add(key)
    return key


def first_free(name: Callable[[int], str], taken: Collection[str]) -> str:
    """Return the first of the names 0, 1, 2, … that is not taken, or a later free one if numbers are missing.

    Takes logarithmic time: a document may have thousands of sections with one heading.
    """
    last, free = -1, 0
    while name(free) in taken:
        last, free = free, 2 * free + 1
    while free - last > 1:
        middle = (last + free) // 2
        last, free = (middle, free) if name(middle) in taken else (last, middle)
    return name(free)


def hyphenated(text: str) -> str:
    """Return the first eight words of a text in a–z, digits and hyphens; may be empty."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return "-".join(re.findall(r"[a-z0-9]+", plain)[:8])
