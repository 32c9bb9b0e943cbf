"""Remove samples: old ones, and all where an entry is erased, as nobody knows whom an uploaded one shows."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, delete, func
from sqlalchemy.orm import Session

from core.errors import NotFoundError
from core.file_store import FileStore
from core.models import FormSample
from core.queue import forget_jobs
from services.context import Context
from services.form_studio.stored import KEPT, folder_of_sample
from services.recovery.kinds import SAMPLES


class SampleFiles(NamedTuple):
    """What the files of a sample are found by."""

    draft_id: uuid.UUID
    sample_id: uuid.UUID


def remove_sample(context: Context, draft_id: uuid.UUID, sample_id: uuid.UUID) -> None:
    """Remove a sample with its files; one that is being read is stopped. Raises NotFoundError, StorageError."""
    if not _remove(context, FormSample.id == sample_id, FormSample.draft_id == draft_id):
        raise NotFoundError("no such sample")


def purge_samples(context: Context) -> int:
    """Remove the samples that are kept no longer; return how many there were."""
    return _remove(context, FormSample.created_at < func.now() - KEPT)


def forget_samples(session: Session) -> list[SampleFiles]:
    """Delete every sample in the caller's transaction and return what was deleted; see `delete_samples`."""
    return _gone(session)


def delete_samples(store: FileStore, samples: Sequence[SampleFiles]) -> None:
    """Delete the files of samples. Raises StorageError; deleting again does no harm."""
    for sample in samples:
        store.delete_prefix(folder_of_sample(*sample))


def _remove(context: Context, *where: ColumnElement[bool]) -> int:
    """Delete rows, then files: a file whose deletion fails has no row any more, and is removed as a stray."""
    with context.database.session() as session:
        gone = _gone(session, *where)
    forget_jobs(context.redis, [SAMPLES.job_id(sample.sample_id) for sample in gone])
    delete_samples(context.store, gone)
    return len(gone)


def _gone(session: Session, *where: ColumnElement[bool]) -> list[SampleFiles]:
    rows = session.execute(delete(FormSample).where(*where).returning(FormSample.draft_id, FormSample.id))
    return [SampleFiles(row.draft_id, row.id) for row in rows]
