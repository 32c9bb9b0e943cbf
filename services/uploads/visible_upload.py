"""Check that a person may see a file, before any of it is sent."""

from __future__ import annotations

import uuid

from sqlalchemy import select

from core.errors import NotFoundError
from core.models import Upload
from services.accounts.person import Person
from services.context import Context
from services.visibility import visible_to


def require_visible_upload(context: Context, person: Person, upload_id: uuid.UUID) -> None:
    """Raise NotFoundError if the file does not exist or this person may not see it."""
    query = select(Upload.id).where(Upload.id == upload_id, visible_to(person, Upload.uploaded_by))
    with context.database.session() as session:
        if session.scalar(query) is None:
            raise NotFoundError("no such file for this person")
