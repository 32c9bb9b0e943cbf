"""What a person may see of the entries and files."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, true
from sqlalchemy.orm import InstrumentedAttribute

from services.accounts.person import Person


def visible_to(person: Person, owner: InstrumentedAttribute[Any]) -> ColumnElement[bool]:
    """The condition on the owner's column: uploaders see their own, everybody else sees all."""
    return true() if person.role.sees_all else owner == person.id
