"""Keyset pagination: page 1,000 costs as much as page 1, and rows are not counted."""

from __future__ import annotations

import base64
import binascii
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar

from sqlalchemy import Select, tuple_
from sqlalchemy.orm import InstrumentedAttribute, Session

from core.errors import InvalidInputError
from services.messages.refused import Refused


class Keyed(Protocol):
    """Protocol of a row whose key a cursor can hold."""

    @property
    def id(self) -> uuid.UUID: ...

    @property
    def created_at(self) -> datetime: ...


Row = TypeVar("Row")


@dataclass(frozen=True)
class Page(Generic[Row]):
    """Rows of one page, with the cursors of the neighbouring pages."""

    rows: list[Row]
    #: Cursor of the page after this one; None on the last.
    next: str | None
    #: Cursor of the page before this one; None on the first.
    previous: str | None


@dataclass(frozen=True)
class Cursor:
    """A position between two rows, and the side of it on which the page lies."""

    created_at: datetime
    id: uuid.UUID
    backwards: bool

    def encode(self) -> str:
        text = f"{'b' if self.backwards else 'f'}{self.created_at.isoformat()}|{self.id}"
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")

    @classmethod
    def decode(cls, text: str) -> Cursor:
        """Return the cursor that `encode` wrote. Raises InvalidInputError for any other text."""
        try:
            raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode()
            moment, _, key = raw[1:].partition("|")
            return cls(datetime.fromisoformat(moment), uuid.UUID(key), raw[:1] == "b")
        except (ValueError, binascii.Error) as exc:
            raise InvalidInputError(Refused.NO_SUCH_PAGE_OF_LIST) from exc


def fetch_page(
    session: Session,
    query: Select[*tuple[Any, ...]],
    created_at: InstrumentedAttribute[datetime],
    key: InstrumentedAttribute[uuid.UUID],
    cursor: str | None,
    limit: int,
    newest_first: bool = True,
) -> tuple[Sequence[Any], str | None, str | None]:
    """Return the rows of one page of `query` in the order (created_at, id), and its two neighbours' cursors."""
    place = Cursor.decode(cursor) if cursor else None
    backwards = place is not None and place.backwards
    descending = newest_first != backwards
    if place is not None:
        here = tuple_(created_at, key)
        there = tuple_(place.created_at, place.id)
        query = query.where(here < there if descending else here > there)
    order = [column.desc() if descending else column.asc() for column in (created_at, key)]
    rows = list(session.execute(query.order_by(*order).limit(limit + 1)))
    more = len(rows) > limit
    rows = rows[:limit]
    if backwards:
        rows.reverse()
    has_next, has_previous = (place is not None, more) if backwards else (more, place is not None)
    return rows, _edge(rows, -1, False, has_next), _edge(rows, 0, True, has_previous)


def _edge(rows: Sequence[Keyed], index: int, backwards: bool, exists: bool) -> str | None:
    if not exists or not rows:
        return None
    return Cursor(rows[index].created_at, rows[index].id, backwards).encode()
