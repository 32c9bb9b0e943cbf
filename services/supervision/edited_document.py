"""Build a document from a person's edited text of a proposed revision and the revision's references."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Collection, Sequence
from itertools import accumulate
from typing import Literal

from core.confined.children import confined
from core.errors import InvalidInputError
from research.document import ReportDocument, Section, first_free
from research.exports import to_markdown
from research.exports.markdown_reading import from_markdown
from research.supervision.guard import cited_keys, problems_of
from services.library.errors import TooManyPartsError
from services.pages.drawn_page import one_of_few
from services.supervision.codes import SupervisionCode

LONGEST_EDIT = 1_000_000
#: Most sections, and most references, of a document that a person sends.
MOST_PARTS = 2000
#: Longest document, in characters, of which a page shows the whole text for editing.
LONGEST_SHOWN = 300_000


def may_edit_whole(document: ReportDocument) -> bool:
    """Whether a page can show the whole document for editing; of a longer one, the sections that changed."""
    return sum(len(one.heading) + len(one.body) + 50 for one in document.sections) <= LONGEST_SHOWN


def editable_markdown(document: ReportDocument) -> str:
    """Return the document as Markdown for editing, with source keys as markers and the references at the end."""
    return to_markdown(document, keyed=True)


def edited_document(
    before: ReportDocument, proposed: ReportDocument, markdown: str, new_keys: Collection[str]
) -> ReportDocument:
    """Return the document of this text.

    Raises InvalidInputError, which lists all objections of the guard; TooManyPartsError, TooCostlyError,
    BusyError.
    """
    if not markdown.strip():
        raise InvalidInputError(SupervisionCode.TEXT_EMPTY)
    if len(markdown) > LONGEST_EDIT:
        raise InvalidInputError(SupervisionCode.TEXT_TOO_LONG, length=len(markdown), most=LONGEST_EDIT)
    with one_of_few():
        return ReportDocument.model_validate_json(_read(before, proposed, markdown, frozenset(new_keys)))


def bounded_document(markdown: str, language: Literal["en", "es"]) -> ReportDocument:
    """Return the document of a Markdown text. For children, which have no room for the files of languages.

    Raises TooManyPartsError where each page that shows it would have too much to go through.
    """
    document = from_markdown(markdown, language)
    if max(len(document.sections), len(document.references)) > MOST_PARTS:
        raise TooManyPartsError(f"{len(document.sections)} sections, {len(document.references)} references")
    return document


@confined
def _read(before: ReportDocument, proposed: ReportDocument, markdown: str, new_keys: frozenset[str]) -> str:
    """Return the document as JSON: what a child answers is plain data."""
    parsed = bounded_document(markdown, proposed.language)
    document = proposed.model_copy(
        update={
            "title": parsed.title or proposed.title,
            "sections": _with_keys(parsed.sections, proposed.sections),
            "limits": parsed.limits,
        }
    )
    document = _without_uncited(document, before)
    if problems := problems_of(before, document, new_keys):
        raise InvalidInputError(SupervisionCode.TEXT_REFUSED, problems=problems)
    return document.model_dump_json()


def _without_uncited(document: ReportDocument, before: ReportDocument) -> ReportDocument:
    """Remove references to new sources that the edited text does not cite."""
    stay = cited_keys(document) | {reference.key for reference in before.references}
    listed = tuple(reference for reference in document.references if reference.key in stay)
    return document.model_copy(update={"references": listed})


def _with_keys(edited: Sequence[Section], known: Sequence[Section]) -> tuple[Section, ...]:
    """Give the edited sections their previous keys: by heading, or for renamed ones by position between these."""
    places = _places(edited, known)
    taken = {known[place].key for place in places if place is not None}
    found = []
    for section, place in zip(edited, places, strict=True):
        key = _free(section.key, taken) if place is None else known[place].key
        taken.add(key)
        required = section.required if place is None else known[place].required
        found.append(section.model_copy(update={"key": key, "required": required}))
    return tuple(found)


def _places(edited: Sequence[Section], known: Sequence[Section]) -> list[int | None]:
    """Return for each edited section the place of the known one that it was, None for a new one."""
    of_heading: dict[str, deque[int]] = {}
    for at, section in enumerate(known):
        of_heading.setdefault(_folded(section.heading), deque()).append(at)
    same = (of_heading.get(_folded(section.heading)) for section in edited)
    places = [queue.popleft() if queue else None for queue in same]
    return _renamed(places, len(known))


def _renamed(places: list[int | None], count: int) -> list[int | None]:
    """Give each section without a place the first free one of `count` between its neighbours' places."""
    # For each place of the list, the lowest place that any later section has.
    ahead = list(accumulate(reversed([count if one is None else one for one in places]), min, initial=count))
    left = sorted(set(range(count)) - set(places))
    low = -1
    for index, place in enumerate(places):
        if place is None:
            found = bisect_right(left, low)
            if found < len(left) and left[found] < ahead[len(places) - 1 - index]:
                places[index] = left.pop(found)
        low = max(low, -1 if (now := places[index]) is None else now)
    return places


def _folded(heading: str) -> str:
    return " ".join(heading.casefold().split())


def _free(key: str, taken: Collection[str]) -> str:
    return first_free(lambda number: f"{key}-{number + 1}" if number else key, taken)
