"""Keep what was said of a batch, as the next change of it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.errors import ConflictError
from core.models import BatchDefault, UploadBatch
from services.messages.batch import BatchConflict


def give_defaults(
    session: Session,
    batch: UploadBatch,
    person_id: uuid.UUID,
    given: Mapping[str, str],
    version: int = 0,
    undoes: uuid.UUID | None = None,
) -> BatchDefault:
    """Keep the values as the change that follows `version`; 0: the first one. The caller has checked them.

    Raises ConflictError if another change has followed it.
    """
    row: BatchDefault | None = session.scalar(
        insert(BatchDefault)
        .values(
            season_id=batch.season_id,
            batch_id=batch.id,
            version=version + 1,
            given_by=person_id,
            given=dict(given),
            undoes=undoes,
        )
        .on_conflict_do_nothing()
        .returning(BatchDefault)
    )
    if row is None:
        raise ConflictError(BatchConflict.DEFAULTS_CHANGED)
    return row
