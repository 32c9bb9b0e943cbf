"""Export the corrections of reviewers as labels for measuring and training."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.folders import create_file, file_names, opened, require_kept
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
from pipeline.mupdf.assembly import only_pages
from services.audit import record_event
from services.context import Context
from services.policy import policy_of
from services.seasons import season_called


@dataclass(frozen=True)
class Exported:
    """What was written, and entries left out because their pages are gone."""

    entries: int
    left_out: int


def export_labels(context: Context, season_name: str, folder: Path, actor_id: uuid.UUID | None = None) -> Exported:
    """Write one PDF an entry, `labels.json`, `policy.json` and a README into `folder`, which must be new or empty.

    An entry is exported if a person has settled it, or has audited it and could decide every field. The export is
    recorded. Raises NotFoundError for an unknown season. Raises OSError: FileExistsError for a folder that holds
    something, PermissionError if other accounts could replace it.
    """
    with context.database.session() as session:
        season = season_called(session, season_name)
        policy = policy_of(context.settings, season.policy)
        wanted = {**_resolved(session, season.id), **_audited(session, season.id)}
    with _empty(folder) as made:
        with context.database.session() as session:
            record_event(
                session,
                SecurityEventKind.EXPORTED,
                actor_id=actor_id,
                what="labels",
                rows=len(wanted),
                season=season.name,
            )
        labels = _write_submissions(context, wanted, made)
        _write(made, "labels.json", json.dumps(labels, ensure_ascii=False, indent=1).encode())
        _write(made, "policy.json", policy.model_dump_json(exclude={"known_schools", "taught_schools"}).encode())
        _write(made, "README.txt", readme(season_name, len(labels)).encode())
    return Exported(len(labels), len(wanted) - len(labels))


@contextmanager
def _empty(folder: Path) -> Iterator[int]:
    """Yield the descriptor of the folder, which is made if it is missing; nobody else can enter it.

    Raises OSError, also where it is a link, holds something, or belongs to another account.
    """
    require_kept(folder.parent, make=True)
    with suppress(FileExistsError):
        folder.mkdir(0o700)
    with opened(folder) as made:
        if os.fstat(made).st_uid != os.geteuid():
            raise PermissionError(errno.EPERM, "it belongs to another account", str(folder))
        if file_names(made):
            raise FileExistsError(errno.EEXIST, "it holds something already", str(folder))
        os.fchmod(made, 0o700)
        yield made


def _write_submissions(
    context: Context, wanted: dict[uuid.UUID, dict[str, str | None]], folder: int
) -> dict[str, dict[str, Any]]:
    """Write the entries' files; return their labels by digest, without those whose pages are gone."""
    labels: dict[str, dict[str, Any]] = {}
    for submission_id, changes in wanted.items():
        found = _entry(context, submission_id, changes)
        if found is None:
            continue
        name, data, label = found
        _write(folder, name, data)
        labels[hashlib.sha256(data).hexdigest()] = label
    return labels


def _resolved(session: Session, season_id: uuid.UUID) -> dict[uuid.UUID, dict[str, str | None]]:
    """Entries that a person has settled, whose values are used unchanged."""
    query = select(Submission.id).where(
        Submission.season_id == season_id, Submission.status == SubmissionStatus.RESOLVED.value
    )
    return {submission_id: {} for submission_id in session.scalars(query.order_by(Submission.created_at))}


def _audited(session: Session, season_id: uuid.UUID) -> dict[uuid.UUID, dict[str, str | None]]:
    """Audited entries that are still completed, with the values in which the machine was wrong."""
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
    undecided: set[uuid.UUID] = set()
    for submission_id, name, typed, finding in rows:
        changes = found.setdefault(submission_id, {})
        if finding == AuditFinding.AUDITOR:
            changes[name] = typed
        elif finding == AuditFinding.UNCLEAR:
            undecided.add(submission_id)
    return {submission_id: changes for submission_id, changes in found.items() if submission_id not in undecided}


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
    return (
        name,
        data,
        file_label(name, len(numbers), submission.doc_class, submission.doc_format, complete, values),
    )


def _values(session: Session, submission_id: uuid.UUID) -> Iterator[tuple[str, str | None]]:
    query = select(SubmissionField.name, SubmissionField.value)
    for row in session.execute(query.where(SubmissionField.submission_id == submission_id)):
        yield row.name, row.value


def _write(folder: int, name: str, data: bytes) -> None:
    with create_file(folder, name) as file:
        file.write(data)


# One entry in the format of the labels that `scripts/regression_check.py` reads. Pure.


#: Share by which a count of words may differ from a person's.
_WORDS_APART = 0.02


def file_label(
    file: str, pages: int, doc_class: str, doc_format: str, complete: bool, values: Mapping[str, str | None]
) -> dict[str, Any]:
    """Return the label of a file that holds one entry; fields that are not in `values` are not scored."""
    entry: dict[str, Any] = dict(values)
    counted = values.get("word_count")
    words = int(counted) if counted else None
    spread = 0 if words is None else max(3, round(words * _WORDS_APART))
    entry |= {
        "word_count": words,
        "word_count_range": [max(0, (words or 0) - spread), (words or 0) + spread],
        "page_start": 1,
        "page_end": pages,
        "doc_class": doc_class,
        "complete": complete,
        "typed": doc_format == "native_text",
        "accepted": {},
        "hazards": [],
        "boxes": {},
    }
    return {"file": file, "kind": "settled", "blank_pages": [], "entries": [entry]}


_TEXT = """\
ENTRIES OF CHILDREN, WITH THEIR NAMES

This folder holds {entries} entries of the season “{season}” as they came in, and what people found in them. It
is for the office's own machine: names, addresses, telephone numbers and essays of children are in it. Do not hand
it on, and delete it when it has been used. Entries that are erased later are still in this copy.

*.pdf         The pages of one entry each.
labels.json   The values of each entry, by the SHA-256 of its file.
policy.json   The rules of the season, without its schools.

    .venv/bin/python scripts/regression_check.py --pdf-dir THIS --output-dir build/labels
"""


def readme(season: str, entries: int) -> str:
    """Return the text for an export of so many entries."""
    return _TEXT.format(season=season, entries=entries)
