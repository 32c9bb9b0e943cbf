"""The library of samples, read by a real worker."""

from __future__ import annotations

from sqlalchemy import func, select

from commands.library import sample_files
from core.models import LibraryDocument
from services.context import Context
from services.library.documents import add_document
from services.uploads.submit import IncomingFile
from tests.support.office import wait_until


def fill_library(context: Context) -> None:
    """All samples, and wait until a worker has read them."""
    for path, shelf in sample_files():
        add_document(
            context, None, IncomingFile(path.name, path.read_bytes(context.settings.max_upload_bytes)), shelf
        )

    def read() -> bool:
        with context.database.session() as session:
            count = select(func.count()).select_from(LibraryDocument)
            return session.scalar(count.where(LibraryDocument.status == "ready")) == session.scalar(count)

    wait_until(read, "the library")
