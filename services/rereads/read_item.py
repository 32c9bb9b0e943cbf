"""Read one entry anew, without a change of it, and compare. Nothing is stored but the comparison."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.confined.child import within
from core.lease import Lease
from core.messages import Message
from core.models import Reread, RereadItem, RereadStatus, Run, Submission, SubmissionStatus, Upload
from pipeline.orchestrator.artifacts import artifact_dir_of
from pipeline.records.decided import decided_readings, with_decided
from pipeline.runner import process_submission
from pipeline.schema import Report, SubmissionRecord
from pipeline.supabase_db import get_record_by_id
from pipeline.together.change import Change, with_changes
from pipeline.validate import validate_record
from pipeline.validation.defaults import Defaults, with_defaults
from pipeline.validation.policy import Policy
from services.context import Context
from services.defaults.in_force import defaults_of_submission
from services.entries.edit_record import EDITABLE
from services.messages.conflict import Conflict
from services.replays.overlay_store import OverlayStore
from services.rereads.compare import compare
from services.runs.chunk_to_read import chunk_to_read
from services.seasons import forms_in_use, season_policy


@dataclass(frozen=True)
class _Wanted:
    """What is to be read, and what it is compared with."""

    submission: Submission
    key: str
    chunk: dict[str, Any]
    provider: str
    policy: Policy
    record: SubmissionRecord
    changes: list[Change]
    defaults: Defaults


def read_item(context: Context, lease: Lease[RereadItem]) -> None:
    """Read the entry and note what differs.

    Raises DocumentError, RecognitionError, StorageError, LeaseLostError.
    """
    wanted = _wanted(context, lease)
    if wanted is None:
        return
    with within(context.settings.parse_file_seconds):
        record, report = _read(context, wanted)
    decided = decided_readings(wanted.record)
    kept = [change for change in wanted.changes if change.field not in decided]
    taken = with_defaults(with_changes(with_decided(record, decided, wanted.record.waived), kept), wanted.defaults)
    taken, _ = validate_record(taken, wanted.policy)
    found = compare(wanted.record, taken, wanted.policy)
    with context.database.session() as session:
        item = lease.hold(session)
        if item.status != RereadStatus.WAITING:
            return
        item.version = wanted.submission.version
        item.changes = dict(found.changes)
        item.decided = sorted(decided)
        item.effect, item.missing = found.effect.value, found.missing
        item.waits = _is_settled(wanted.submission) and taken.needs_review
        item.status = (RereadStatus.DIFFERS if found.changes else RereadStatus.SAME).value
        item.reason, item.attempts = None, 0
        if found.changes:
            bare = with_decided(record, decided, wanted.record.waived)
            item.reading = {"record": bare.model_dump(mode="json"), "report": report}


def _wanted(context: Context, lease: Lease[RereadItem]) -> _Wanted | None:
    """Return what is to be read; None, and note why, for an entry that is being read or was rejected meanwhile."""
    with context.database.session() as session:
        item = lease.hold(session)
        submission = session.get_one(Submission, item.submission_id)
        if submission.status not in EDITABLE:
            item.status = RereadStatus.BLOCKED.value
            item.reason = Message.of(Conflict.ENTRY_NOT_WAITING, entry_status=submission.status)
            return None
        options = session.get_one(Reread, item.reread_id).options
        upload = session.get_one(Upload, submission.upload_id)
        run = session.get_one(Run, f"{submission.id}:{submission.run_no}")
        return _Wanted(
            submission=submission,
            key=upload.pdf_key or upload.storage_key,
            chunk=chunk_to_read(submission, options, forms_in_use(session, submission.season_id)),
            provider=str(options.get("ocr_provider") or context.settings.ocr_provider),
            policy=season_policy(session, submission.season_id, context.settings),
            record=get_record_by_id(session, submission.id),
            changes=[Change.model_validate(change) for change in run.together or ()],
            defaults=defaults_of_submission(session, submission.id),
        )


def _read(context: Context, wanted: _Wanted) -> tuple[SubmissionRecord, Report]:
    """Read the pages; what reading writes stays in memory."""
    submission = wanted.submission
    return process_submission(
        wanted.key,
        str(submission.id),
        artifact_dir_of(submission.id, submission.run_no + 1),
        wanted.provider,
        None,
        wanted.chunk,
        submission.doc_format,
        settings=context.settings,
        store=OverlayStore(context.store),
        policy=wanted.policy,
    )


def _is_settled(submission: Submission) -> bool:
    return submission.status in (SubmissionStatus.COMPLETED, SubmissionStatus.RESOLVED)
