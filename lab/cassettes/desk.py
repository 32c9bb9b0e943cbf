"""A database, a queue and the library of samples, with a played model."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import select

from commands.library import sample_files
from core.config import Settings, load_settings
from core.database import upgrade
from core.models import Profile, Report
from core.tracing.log import configure_logging
from lab.bench.office import servers
from research.document import ReportDocument
from services.accounts.people import create_user
from services.accounts.person import Role
from services.context import Context, open_context
from services.library.documents import add_document
from services.library.reading import read_library_document
from services.reports.request import ReportRequest, request_report
from services.reports.run import run_report
from services.reports.versions import report_document
from services.supervision.documents import upload_document
from services.supervision.recorded import Rows, recorded_rows
from services.supervision.request import start_supervision
from services.supervision.run import run_supervision
from services.uploads.submit import IncomingFile
from tests.support.servers.cassette_player import CassettePlayer

#: When the reports were asked for, so that prompts name the same year for ever.
_ASKED_AT = datetime(2026, 11, 23, 12, tzinfo=UTC)


def played_settings(player: CassettePlayer, folder: Path, **more: Any) -> Settings:
    """Settings of a process whose model is the player, without an embedder if `more` names none."""
    # What is near in meaning differs in its last digits from machine to machine, and with it what is asked.
    more = {"embeddings_provider": "none", **more}
    return load_settings(
        _env_file=None,
        var_dir=folder,
        secret_key="played",
        llm_base_url=player.openai_url,
        llm_api_key=player.key,
        llm_model="played",
        log_level="error",
        **more,
    )


@dataclass(frozen=True)
class Desk:
    """An office with a library, for reports."""

    context: Context
    person_id: uuid.UUID

    def report(self, request: ReportRequest) -> uuid.UUID:
        """Research a report; return its id."""
        report_id = request_report(self.context, self.person_id, request)
        with self.context.database.session() as session:
            session.get_one(Report, report_id).created_at = _ASKED_AT
        run_report(self.context, report_id)
        return report_id

    def supervised(self, path: Path) -> uuid.UUID:
        """Upload a report and supervise it to the end; return its id."""
        report_id = upload_document(self.context, self.person_id, path.name, path.read_bytes(), library_only=True)
        with self.context.database.session() as session:
            session.get_one(Report, report_id).created_at = _ASKED_AT
        supervision_id = start_supervision(self.context, self.person_id, report_id, mode="automatic", queue=False)
        run_supervision(self.context, supervision_id)
        return report_id

    def document(self, report_id: uuid.UUID) -> ReportDocument:
        """Return the last version of a report."""
        return report_document(self.context, report_id)

    def rows(self, report_id: uuid.UUID) -> Rows:
        """Return all that is known of a report, for another installation."""
        with self.context.database.session() as session:
            return recorded_rows(session, report_id, _ASKED_AT.isoformat())


@contextmanager
def open_desk(player: CassettePlayer, **more: Any) -> Iterator[Desk]:
    """An office of its own with these settings besides, gone afterwards."""
    with servers("played-") as (folder, dsn, redis_url):
        upgrade(dsn)
        parts = {"database_url": dsn, "redis_url": redis_url, "demo_accounts": False}
        settings = played_settings(player, folder, **parts, **more)
        configure_logging(settings)
        context = open_context(settings)
        try:
            _fill(context)
            yield Desk(context, _officer(context))
        finally:
            context.close()


def _fill(context: Context) -> None:
    most = context.settings.max_upload_bytes
    for path, shelf in sample_files():
        added = add_document(context, None, IncomingFile(path.name, path.read_bytes(most)), shelf, queue=False)
        read_library_document(context, added.document_id)


def _officer(context: Context) -> uuid.UUID:
    create_user(context, "officer@example.org", Role.OFFICER, "four quiet words here", "Officer")
    return context.database.one(select(Profile.id))
