"""Try the database, and hold its migrations against this version's."""

from __future__ import annotations

import time
from collections.abc import Iterator

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from core.migrations import pending
from services.context import Context
from services.doctor.findings import DoctorCode, Finding, fine, wrong


def try_database(context: Context) -> Iterator[Finding]:
    """Yield whether the database answers and is at the newest migration."""
    began = time.monotonic()
    try:
        with context.database.session() as session:
            version = str(session.scalar(text("show server_version")))
            missing = pending(session)
    except SQLAlchemyError as error:
        yield wrong(DoctorCode.DATABASE_SILENT, time.monotonic() - began, technical=type(error).__name__)
        return
    yield fine(DoctorCode.DATABASE_ANSWERS, time.monotonic() - began, version=version)
    if missing:
        yield wrong(DoctorCode.MIGRATIONS_BEHIND, versions=missing)
    else:
        yield fine(DoctorCode.MIGRATIONS_CURRENT)
