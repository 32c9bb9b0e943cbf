"""Metrics of the database and of the file store."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

from core.migrations import pending
from services.context import Context
from services.metrics import names
from services.metrics.values import Value


def of_database(context: Context) -> Iterator[Value]:
    """Yield how many migrations are wanting. Raises SQLAlchemyError where the database does not answer."""
    with context.database.session() as session:
        yield Value(names.MIGRATIONS_BEHIND, len(pending(session)))


def of_store(context: Context) -> Iterator[Value]:
    """Yield the free space, where files lie on this machine."""
    folder = context.settings.var_dir
    if context.settings.supabase_url is None and folder.is_dir():
        yield Value(names.STORE_FREE_BYTES, shutil.disk_usage(folder).free)
