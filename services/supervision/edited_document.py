"""Build a document from a person's edited text of a proposed revision and the revision's references."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from core.errors import InvalidInputError
from research.document import ReportDocument, Section
from research.exports import to_markdown
from research.exports.markdown_reading import from_markdown
from research.supervision.guard import cited_keys, problems_of
from services.supervision.codes import SupervisionCode

LONGEST_EDIT = 1_000_000


def editable_markdown(document: ReportDocument) -> str:
    """Return the document as Markdown for editing, with source keys as markers and the references at the end."""
    return to_markdown(document, keyed=True)


def edited_document(
    before: ReportDocument, proposed: ReportDocument, markdown: str, new_keys: Collection[str]
) -> ReportDocument:
    """Return the document of this text. Raises InvalidInputError, which lists all objections of the guard."""
    if not markdown.strip():
        raise InvalidInputError(SupervisionCode.TEXT_EMPTY)
    if len(markdown) > LONGEST_EDIT:
        raise InvalidInputError(SupervisionCode.TEXT_TOO_LONG, length=len(markdown), most=LONGEST_EDIT)
    parsed = from_markdown(markdown)
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
    return document


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
    left = list(range(len(known)))
    places: list[int | None] = []
    for section in edited:
        place = next((at for at in left if _folded(known[at].heading) == _folded(section.heading)), None)
        places.append(place)
        if place is not None:
            left.remove(place)
    for index, place in enumerate(places):
        if place is None:
            low = max((one for one in places[:index] if one is not None), default=-1)
            high = min((one for one in places[index + 1 :] if one is not None), default=len(known))
            between = next((at for at in left if low < at < high), None)
            if between is not None:
                places[index] = between
                left.remove(between)
    return places


def _folded(heading: str) -> str:
    return " ".join(heading.casefold().split())


def _free(key: str, taken: Collection[str]) -> str:
    return next(name for name in (key, *(f"{key}-{number}" for number in range(2, 10_000))) if name not in taken)
