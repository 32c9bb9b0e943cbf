"""The file of an export, for its download."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Protocol

from core.errors import ConflictError
from core.models.export import ExportFormat, ExportStatus
from services.accounts.person import Person
from services.context import Context
from services.exports.kinds import CONTENT_TYPES
from services.exports.list_exports import ExportView, find_export
from services.exports.stored import key_of
from services.messages.export import ExportRefused


def ready_export(context: Context, person: Person, export_id: uuid.UUID) -> ExportView:
    """Return an export whose file is there. Raises NotFoundError, ConflictError if it is not done."""
    export = find_export(context, person, export_id)
    if export.status != ExportStatus.DONE:
        raise ConflictError(ExportRefused.NOT_READY)
    return export


class Made(Protocol):
    """An export of either kind."""

    @property
    def id(self) -> uuid.UUID: ...
    @property
    def filename(self) -> str: ...


def file_of(context: Context, export: Made) -> bytes | Path:
    """Return the path of the file where the store has one here, else its bytes.

    Raises NotFoundError, StorageError.
    """
    key = key_of(export.id)
    return context.store.local_path(key) or context.store.get(key)


def link_to(context: Context, export: Made) -> str | None:
    """Return an address that gives the file away for a short time; None where we send it ourselves."""
    seconds = context.settings.supabase_signed_seconds
    return context.store.link(key_of(export.id), seconds, export.filename) if seconds else None


def content_type_of(export: ExportView) -> str:
    """Return the content type of its file."""
    return CONTENT_TYPES[ExportFormat(export.format)]
