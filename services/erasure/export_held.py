"""Export all that is held on one child as a ZIP file: rows as JSON, the readings, and the child's own pages."""

from __future__ import annotations

import io
import json
import uuid
import zipfile
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from core.errors import NotFoundError
from core.messages import Message
from core.models import (
    Audit,
    AuditField,
    Base,
    DuplicateKey,
    Escalation,
    EssayWord,
    FieldEvidence,
    LetterItem,
    LibraryDocument,
    LibraryPassage,
    ModelCallRow,
    OrchestratorLog,
    PageFingerprint,
    ReviewDecision,
    ReviewEvent,
    ReviewSuggestion,
    ReviewSuggestionField,
    Run,
    SetAside,
    Submission,
    SubmissionField,
    Upload,
)
from pipeline.mupdf.blanked import only_pages
from pipeline.orchestrator.artifacts import artifact_dir_of, first_key, reading_key, text_key
from services.context import Context
from services.erasure.covered_pages import pages_of
from services.erasure.export_readme import README
from services.erasure.scope import find_scope
from services.security_events import record_export

_OF_ENTRY: tuple[InstrumentedAttribute[Any], ...] = (
    Submission.id,
    SubmissionField.submission_id,
    Run.submission_id,
    OrchestratorLog.submission_id,
    ModelCallRow.submission_id,
    ReviewSuggestion.submission_id,
    Escalation.submission_id,
    ReviewDecision.submission_id,
    ReviewEvent.submission_id,
    Audit.submission_id,
    EssayWord.submission_id,
    DuplicateKey.submission_id,
    PageFingerprint.submission_id,
    LetterItem.submission_id,
    SetAside.submission_id,
    LibraryDocument.submission_id,
)
#: Rows of rows: the column that refers to the id of the other table.
_BELOW: tuple[tuple[InstrumentedAttribute[Any], type[Base]], ...] = (
    (FieldEvidence.field_id, SubmissionField),
    (ReviewSuggestionField.suggestion_id, ReviewSuggestion),
    (LibraryPassage.document_id, LibraryDocument),
    (AuditField.audit_id, Audit),
)
#: For searching only, and the name of a file that may hold others; a map of a page that is in the file as a whole.
_LEFT_OUT = ("search", "file_name", "ink")


def export_held(context: Context, submission_id: uuid.UUID, actor_id: uuid.UUID | None) -> bytes:
    """Return the ZIP file of one entry, with the replaced ones that show no page of anybody else.

    The export is recorded. Raises what `find_scope` raises.
    """
    with context.database.session() as session:
        scope = find_scope(session, [submission_id])
        entries = session.scalars(select(Submission).where(Submission.id.in_(scope.submissions))).all()
        own = [entry for entry in entries if scope.pages.issuperset(pages_of(entry))]
        held = _rows(session, [entry.id for entry in own])
        files = [*_readings(context, session, own), _pages(context, session, submission_id)]
    if actor_id is not None:
        record_export(context, actor_id, "entry", sum(map(len, held.values())))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", README)
        archive.writestr("held.json", json.dumps(held, ensure_ascii=False, indent=2))
        for name, data in files:
            archive.writestr(name, data)
    return buffer.getvalue()


def _rows(session: Session, submission_ids: Sequence[uuid.UUID]) -> dict[str, list[dict[str, Any]]]:
    """Return {table: rows} of these entries."""
    found: dict[str, list[Any]] = {}
    for column in _OF_ENTRY:
        table = column.class_
        found[table.__tablename__] = _in_order(session, table, column.in_(submission_ids))
    for column, above in _BELOW:
        keys = [row.id for row in found[above.__tablename__]]
        below = column.class_
        found[below.__tablename__] = _in_order(session, below, column.in_(keys))
    return {name: [_as_json(row) for row in rows] for name, rows in found.items()}


def _in_order(session: Session, table: Any, condition: ColumnElement[bool]) -> list[Any]:
    return list(session.scalars(select(table).where(condition).order_by(*table.__mapper__.primary_key)))


def _as_json(row: Base) -> dict[str, Any]:
    names = [attribute.key for attribute in row.__mapper__.column_attrs if attribute.key not in _LEFT_OUT]
    return {name: _plain(getattr(row, name)) for name in names}


def _plain(value: Any) -> Any:
    if isinstance(value, Message):
        return value.to_json()
    if value is None or isinstance(value, (bool, int, float, str, dict, list)):
        return value
    return str(value)


def _readings(context: Context, session: Session, entries: Sequence[Submission]) -> Iterator[tuple[str, bytes]]:
    """Yield (name, bytes) of what the machine has read, run by run."""
    runs = session.execute(
        select(Run.submission_id, Run.run_no).where(Run.submission_id.in_([entry.id for entry in entries]))
    )
    for run in runs.all():
        folder = artifact_dir_of(run.submission_id, run.run_no)
        for key in (text_key(folder), reading_key(folder), first_key(folder)):
            if context.store.exists(key):
                yield key.replace("artifacts", "readings", 1), context.store.get(key)


def _pages(context: Context, session: Session, submission_id: uuid.UUID) -> tuple[str, bytes]:
    entry = session.get_one(Submission, submission_id)
    key = session.get_one(Upload, entry.upload_id).pdf_key
    if key is None:
        raise NotFoundError("the pages are gone")
    return "pages.pdf", only_pages(context.store.get(key), range(entry.page_start, entry.page_end + 1))
