"""The form of a split correction: for each page of each file, its entry, position and rotation."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass

from werkzeug.datastructures import MultiDict

from core.errors import InvalidInputError
from services.messages.refused import Refused, SplitRefused
from services.uploads.split_plan import ROTATIONS, PlannedEntry, PlannedPage
from web.whole_number import whole_number

#: Limit of the numbers in the form; no file has more pages, and no plan more entries.
_MOST = 1_000_000


@dataclass(frozen=True)
class PlanForm:
    """The values of the form."""

    upload_ids: list[uuid.UUID]
    versions: dict[uuid.UUID, int]
    plan: list[PlannedEntry]


def plan_of(form: MultiDict[str, str]) -> PlanForm:
    """Read the form. Entries and the pages in them are ordered by their numbers. Raises InvalidInputError."""
    upload_ids = [_id(text) for text in form.getlist("file")]
    placed: dict[int, list[tuple[int, PlannedPage]]] = {}
    for file, number in _pages(form):
        if file >= len(upload_ids) or f"out-{file}-{number}" in form:
            continue
        turned = _number(form, f"turn-{file}-{number}", number)
        if turned not in ROTATIONS:
            raise InvalidInputError(SplitRefused.TURN_UNKNOWN, page=number)
        entry = _number(form, f"entry-{file}-{number}", number)
        order = _number(form, f"order-{file}-{number}", number)
        placed.setdefault(entry, []).append((order, PlannedPage(upload_ids[file], number, turned)))
    plan = [
        PlannedEntry(tuple(page for _order, page in sorted(pages, key=lambda one: one[0])))
        for _entry, pages in sorted(placed.items())
    ]
    return PlanForm(upload_ids, _versions(form), plan)


def _pages(form: MultiDict[str, str]) -> Iterator[tuple[int, int]]:
    for key in form:
        kind, _dash, rest = key.partition("-")
        file, _dash, number = rest.partition("-")
        if kind == "entry" and file.isdecimal() and number.isdecimal():
            yield whole_number(file), whole_number(number)


def _number(form: MultiDict[str, str], key: str, page: int) -> int:
    text = form.get(key, "").strip()
    if not text.isdecimal() or whole_number(text) > _MOST:
        raise InvalidInputError(SplitRefused.PLACE_UNKNOWN, page=page)
    return whole_number(text)


def _versions(form: MultiDict[str, str]) -> dict[uuid.UUID, int]:
    prefix = "version-"
    return {
        _id(key.removeprefix(prefix)): whole_number(text)
        for key, text in form.items()
        if key.startswith(prefix) and text.isdecimal()
    }


def _id(text: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError as exc:
        raise InvalidInputError(Refused.FORM_INCOMPLETE) from exc
