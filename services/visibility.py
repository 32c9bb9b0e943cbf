"""Restrict entries and files to those that a person may see."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, true
from sqlalchemy.orm import InstrumentedAttribute

from services.accounts.person import Person


def visible_to(person: Person, owner: InstrumentedAttribute[Any]) -> ColumnElement[bool]:
    """Return a condition on the owner's column: uploaders see their own rows, all other roles every row."""
    return true() if person.role.sees_all else owner == person.id
