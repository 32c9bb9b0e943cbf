"""The files of an erasure in the file store."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.file_store import FileStore
from core.models import LibraryDocument, Upload
from services.erasure.scope import Scope

#: Recognitions are kept by what was seen, not by whose it is: they go for everybody, and are made again.
_RECOGNITIONS = "cache/ocr"


@dataclass(frozen=True)
class Files:
    """What is deleted."""

    keys: list[str]
    #: Folders.
    prefixes: list[str]


def files_of(session: Session, scope: Scope) -> Files:
    """Return the files of all that goes: originals, PDFs, readings, essays, and pictures and words of pages."""
    originals = session.execute(
        select(Upload.storage_key, Upload.pdf_key).where(Upload.id.in_(scope.removed))
    ).all()
    essays = session.scalars(
        select(LibraryDocument.storage_key).where(LibraryDocument.id.in_(scope.documents))
    ).all()
    return Files(
        keys=[key for row in originals for key in row if key is not None] + list(essays),
        prefixes=[
            *(f"artifacts/{submission_id}" for submission_id in scope.submissions),
            *(f"cache/pages/{upload_id}" for upload_id in scope.uploads),
            *(f"cache/words/{upload_id}" for upload_id in scope.uploads),
            *(f"cache/library/{document_id}" for document_id in scope.documents),
            _RECOGNITIONS,
        ],
    )


def delete_files(store: FileStore, files: Files) -> None:
    """Delete them. Raises StorageError; deleting again does no harm."""
    for key in dict.fromkeys(files.keys):
        store.delete(key)
    for prefix in files.prefixes:
        store.delete_prefix(prefix)
