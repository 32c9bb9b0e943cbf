"""A person's recent uploads."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from core.models import Upload, UploadBatch
from services.accounts.person import Person
from services.context import Context


@dataclass(frozen=True)
class BatchRow:
    """One line of the list."""

    id: uuid.UUID
    created_at: datetime
    file_count: int
    first_filename: str | None


def recent_batches(context: Context, person: Person, limit: int = 8) -> list[BatchRow]:
    """Return the person's own batches, newest first."""
    first = (
        select(Upload.original_filename)
        .where(Upload.batch_id == UploadBatch.id)
        .order_by(Upload.position)
        .limit(1)
        .scalar_subquery()
    )
    query = (
        select(UploadBatch.id, UploadBatch.created_at, UploadBatch.file_count, first.label("first_filename"))
        .where(UploadBatch.uploaded_by == person.id)
        .order_by(UploadBatch.created_at.desc(), UploadBatch.id.desc())
        .limit(limit)
    )
    with context.database.session() as session:
        return [BatchRow(**row._asdict()) for row in session.execute(query)]
