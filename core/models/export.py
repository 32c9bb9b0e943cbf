"""Files made of entries and of versions of reports (migration 019)."""

from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import ForeignKey, text
from sqlalchemy.orm import Mapped, mapped_column

from core.labels import LabelledEnum
from core.models.base import Base, BigInt, CreatedAt, JsonObject, MayFail, TextList, UuidKey


class ExportKind(LabelledEnum, places=("export_kind",)):
    """What is made of the entries."""

    ENTRIES = "entries", "Entries"
    JUDGES = "judges", "Packet for judges"
    CERTIFICATES = "certificates", "Certificates"


#: The kind of an export that is made of a version of a report; its formats are `research.exports.EXPORT_FORMATS`.
OF_REPORT = "report"
#: That of the document that a person made of a report's passages; its `filter` is that document when asked for.
OWN_DOCUMENT = "own"


class ExportFormat(LabelledEnum):
    """Formats of files of entries."""

    CSV = "csv", "CSV"
    XLSX = "xlsx", "Excel"
    JSON_LINES = "jsonl", "JSON Lines"
    ZIP = "zip", "ZIP"


class ExportStatus(LabelledEnum, places=("export_status",)):
    """Statuses of an export."""

    QUEUED = "queued", "Waiting"
    RUNNING = "running", "Being prepared"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"


class Export(MayFail, Base):
    """One file that somebody asked for."""

    __tablename__ = "exports"

    id: Mapped[UuidKey]
    season_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("seasons.id", ondelete="CASCADE"))
    requested_by: Mapped[uuid.UUID] = mapped_column(ForeignKey("profiles.id"))
    kind: Mapped[str]
    format: Mapped[str]
    #: See `services.entries.submission_filter`.
    filter: Mapped[JsonObject]
    #: See `services.exports.columns`.
    columns: Mapped[TextList]
    #: Both None for an export of entries; the version is None for an own document.
    report_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("reports.id", ondelete="CASCADE"))
    version_no: Mapped[int | None]
    status: Mapped[str] = mapped_column(server_default=text("'queued'"))
    rows_total: Mapped[int | None]
    rows_done: Mapped[int] = mapped_column(server_default=text("0"))
    byte_size: Mapped[BigInt | None]
    attempts: Mapped[int] = mapped_column(server_default=text("0"))
    lease_owner: Mapped[str | None]
    lease_until: Mapped[datetime | None]
    enqueued_at: Mapped[datetime | None]
    created_at: Mapped[CreatedAt]
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]
