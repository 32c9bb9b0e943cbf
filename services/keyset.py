"""Keyset pagination: page 1,000 costs as much as page 1, and rows are not counted."""

from __future__ import annotations

import base64
import binascii
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from sqlalchemy import Label, Select, tuple_
from sqlalchemy.orm import InstrumentedAttribute, Session

from core.errors import InvalidInputError
from services.messages.entries import Refused

Row = TypeVar("Row")


@dataclass(frozen=True)
class RowPage(Generic[Row]):
    """Rows of one page, with the cursors of the neighbouring pages."""

    rows: list[Row]
    #: Cursor of the page after this one; None on the last.
    next: str | None
    #: Cursor of the page before this one; None on the first.
    previous: str | None


@dataclass(frozen=True)
class Cursor:
    """A position between two rows, and the side of it on which the page lies."""

    #: Value of the column that the list is sorted by.
    sorted_by: datetime | str
    id: uuid.UUID
    backwards: bool

    def encode(self) -> str:
        value = self.sorted_by.isoformat() if isinstance(self.sorted_by, datetime) else self.sorted_by
        text = f"{'b' if self.backwards else 'f'}{value}|{self.id}"
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")

    @classmethod
    def decode(cls, text: str, kind: type[datetime] | type[str] = datetime) -> Cursor:
        """Return the cursor that `encode` wrote for a column of this kind.

        Raises InvalidInputError for any other text.
        """
        try:
            raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode()
            value, _, key = raw[1:].rpartition("|")
            if "\0" in value:
                raise ValueError("PostgreSQL stores no NUL")
            sorted_by = datetime.fromisoformat(value) if kind is datetime else value
            return cls(sorted_by, uuid.UUID(key), raw[:1] == "b")
        except (ValueError, binascii.Error) as exc:
            raise InvalidInputError(Refused.NO_SUCH_PAGE_OF_LIST) from exc


def fetch_page(
    session: Session,
    query: Select[*tuple[Any, ...]],
    column: InstrumentedAttribute[datetime] | InstrumentedAttribute[str] | Label[str],
    key: InstrumentedAttribute[uuid.UUID],
    cursor: str | None,
    limit: int,
    newest_first: bool = True,
) -> tuple[Sequence[Any], str | None, str | None]:
    """Return the rows of one page of `query` in the order (column, id), and its two neighbours' cursors.

    `newest_first` sorts in descending order. The rows have both columns under their own names.
    """
    place = Cursor.decode(cursor, column.type.python_type) if cursor else None
    backwards = place is not None and place.backwards
    descending = newest_first != backwards
    if place is not None:
        here = tuple_(column, key)
        there = tuple_(place.sorted_by, place.id)
        query = query.where(here < there if descending else here > there)
    order = [one.desc() if descending else one.asc() for one in (column, key)]
    found = session.execute(query.order_by(*order).limit(limit + 1)).all()
    return cut_page(found, column.key, place, limit)


def cut_page(
    found: Sequence[Any], column: str, place: Cursor | None, limit: int
) -> tuple[Sequence[Any], str | None, str | None]:
    """Return the rows of a page in the order of the list, and its two neighbours' cursors.

    `found`: the rows next to `place` on its side, nearest first, one more than `limit` where there are more. They
    have the `column` that the list is sorted by, and `id`.
    """
    backwards = place is not None and place.backwards
    more, rows = len(found) > limit, list(found[:limit])
    if backwards:
        rows.reverse()
    has_next, has_previous = (place is not None, more) if backwards else (more, place is not None)
    after = _edge(rows[-1:], column, False) if has_next else None
    return rows, after, _edge(rows[:1], column, True) if has_previous else None


def _edge(row: Sequence[Any], column: str, backwards: bool) -> str | None:
    """Return the cursor of the row at the edge of a page, None for an empty page."""
    return Cursor(getattr(row[0], column), row[0].id, backwards).encode() if row else None
