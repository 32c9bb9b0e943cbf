"""Remove exports: one that is not wanted any more, old ones, and those of a season where an entry is erased."""

from __future__ import annotations

import uuid

from sqlalchemy import ColumnElement, delete, func
from sqlalchemy.orm import Session

from core.errors import NotFoundError
from core.file_store import FileStore
from core.models import Export
from core.queue import forget_jobs
from services.accounts.person import Person
from services.context import Context
from services.exports.list_exports import visible_exports
from services.exports.stored import KEPT, key_of
from services.recovery.kinds import EXPORTS


def remove_export(context: Context, person: Person, export_id: uuid.UUID) -> None:
    """Remove an export with its file; one that is being made is stopped. Raises NotFoundError, StorageError."""
    if not _remove(context, Export.id == export_id, visible_exports(person)):
        raise NotFoundError("no such export for this person")


def purge_exports(context: Context) -> int:
    """Remove the exports that are kept no longer; return how many there were."""
    return _remove(context, Export.created_at < func.now() - KEPT)


def forget_exports(session: Session, season_id: uuid.UUID) -> list[uuid.UUID]:
    """Delete the exports of a season in the caller's transaction and return their ids; see `delete_files`."""
    return list(session.scalars(delete(Export).where(Export.season_id == season_id).returning(Export.id)))


def delete_files(store: FileStore, ids: list[uuid.UUID]) -> None:
    """Delete the files of exports. Raises StorageError; deleting again does no harm."""
    for export_id in ids:
        store.delete(key_of(export_id))


def _remove(context: Context, *where: ColumnElement[bool]) -> int:
    """Delete rows, then files: a file whose deletion fails has no row any more, and is removed as a stray."""
    with context.database.session() as session:
        gone = list(session.scalars(delete(Export).where(*where).returning(Export.id)))
    forget_jobs(context.redis, [EXPORTS.job_id(export_id) for export_id in gone])
    delete_files(context.store, gone)
    return len(gone)
