"""Write the settled and audited entries of a season into a folder, with labels for the regression script."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.models import (
    Audit,
    AuditField,
    AuditFinding,
    AuditStatus,
    SecurityEventKind,
    Submission,
    SubmissionField,
    SubmissionStatus,
    Upload,
)
from pipeline.mupdf.blanked import only_pages
from pipeline.validation.season_policy import policy_of
from services.context import Context
from services.labels.label import label_of
from services.labels.readme import readme
from services.seasons import season_called
from services.security_events import record_event

#: Nobody else of the machine may read what is written.
_FOLDER_MODE, _FILE_MODE = 0o700, 0o600


@dataclass(frozen=True)
class Exported:
    """What was written, and entries left out because their pages are gone."""

    entries: int
    left_out: int


def export_labels(context: Context, season_name: str, folder: Path, actor_id: uuid.UUID | None = None) -> Exported:
    """Write one PDF an entry, `labels.json`, `policy.json` and a README into `folder`, which must be new or empty.

    An entry is exported if a person has settled it, or has audited it and everything could be told. The export is
    recorded. Raises NotFoundError for an unknown season, FileExistsError for a folder that holds something.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FileExistsError(f"{folder} holds something already")
    with context.database.session() as session:
        season = season_called(session, season_name)
        policy = policy_of(context.settings, season.policy)
        wanted = {**_resolved(session, season.id), **_audited(session, season.id)}
        record_event(
            session,
            SecurityEventKind.EXPORTED,
            actor_id=actor_id,
            what="labels",
            rows=len(wanted),
            season=season.name,
        )
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(_FOLDER_MODE)
    labels: dict[str, Any] = {}
    for submission_id, changes in wanted.items():
        found = _entry(context, submission_id, changes)
        if found is None:
            continue
        name, data, label = found
        _write(folder / name, data)
        labels[hashlib.sha256(data).hexdigest()] = label
    _write(folder / "labels.json", json.dumps(labels, ensure_ascii=False, indent=1).encode())
    _write(folder / "policy.json", policy.model_dump_json(exclude={"known_schools", "taught_schools"}).encode())
    _write(folder / "README.txt", readme(season_name, len(labels)).encode())
    return Exported(len(labels), len(wanted) - len(labels))


def _resolved(session: Session, season_id: uuid.UUID) -> dict[uuid.UUID, dict[str, str | None]]:
    """Entries that a person has settled: their values stand as they are."""
    query = select(Submission.id).where(
        Submission.season_id == season_id, Submission.status == SubmissionStatus.RESOLVED.value
    )
    return {submission_id: {} for submission_id in session.scalars(query.order_by(Submission.created_at))}


def _audited(session: Session, season_id: uuid.UUID) -> dict[uuid.UUID, dict[str, str | None]]:
    """Audited entries that still stand as completed, with the values in which the machine was wrong."""
    rows = session.execute(
        select(Submission.id, AuditField.name, AuditField.typed, AuditField.finding)
        .join(Audit, Audit.submission_id == Submission.id)
        .join(AuditField, AuditField.audit_id == Audit.id)
        .where(
            Audit.season_id == season_id,
            Audit.status == AuditStatus.SETTLED.value,
            Submission.status == SubmissionStatus.COMPLETED.value,
        )
        .order_by(Audit.settled_at)
    )
    found: dict[uuid.UUID, dict[str, str | None]] = {}
    untold: set[uuid.UUID] = set()
    for submission_id, name, typed, finding in rows:
        changes = found.setdefault(submission_id, {})
        if finding == AuditFinding.AUDITOR:
            changes[name] = typed
        elif finding == AuditFinding.UNCLEAR:
            untold.add(submission_id)
    return {submission_id: changes for submission_id, changes in found.items() if submission_id not in untold}


def _entry(
    context: Context, submission_id: uuid.UUID, changes: dict[str, str | None]
) -> tuple[str, bytes, dict[str, Any]] | None:
    """Name, bytes and label of an entry's file; None if its pages are gone."""
    with context.database.session() as session:
        submission = session.get(Submission, submission_id)
        upload = None if submission is None else session.get(Upload, submission.upload_id)
        if submission is None or upload is None or upload.pdf_key is None:
            return None
        values = {**dict(_values(session, submission_id)), **changes}
    if not context.store.exists(upload.pdf_key):
        return None
    numbers = range(submission.page_start, submission.page_end + 1)
    data = only_pages(context.store.get(upload.pdf_key), numbers)
    name = f"{submission_id}.pdf"
    complete = not submission.missing_fields
    return name, data, label_of(name, len(numbers), submission.doc_class, submission.doc_format, complete, values)


def _values(session: Session, submission_id: uuid.UUID) -> Iterator[tuple[str, str | None]]:
    query = select(SubmissionField.name, SubmissionField.value)
    for row in session.execute(query.where(SubmissionField.submission_id == submission_id)):
        yield row.name, row.value


def _write(path: Path, data: bytes) -> None:
    path.touch(mode=_FILE_MODE, exist_ok=False)
    path.write_bytes(data)
