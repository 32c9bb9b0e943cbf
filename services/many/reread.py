"""Read entries anew and compare with what is recorded."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, case, func, select

from core.confined.children import within
from core.errors import AppError, ConflictError
from core.lease import Lease
from core.messages import Message
from core.models import COMPLETE_STATUSES, BulkEffect, Reread, RereadItem, RereadStatus, Run, Submission, Upload
from pipeline.joint_pass.votes import Respelling, with_changes
from pipeline.orchestrator.artifacts import artifact_dir_of, decided_readings, with_decided
from pipeline.profiles import derived_fields
from pipeline.runner import process_submission
from pipeline.schema import FIELD_NAMES, Report, SubmissionRecord
from pipeline.supabase_db import get_record_by_id
from pipeline.validate import Defaults, can_approve_record, validate_record, with_defaults
from pipeline.validation.policy import Policy
from services.accounts.person import Person
from services.context import Context
from services.entries.change import EDITABLE
from services.entries.listing import SubmissionFilter
from services.many.operation import effect_on_completeness
from services.many.reread_items import REREAD, take_item, undo_item
from services.messages.entries import Conflict
from services.messages.office import ListRefused
from services.recovery.kinds import REREADS
from services.recovery.work import queue_rows, run_step, update_and_queue, write_failure
from services.replays.stand_ins import OverlayStore
from services.review.escalations import next_run_options
from services.runs.settle import chunk_to_read
from services.seasons import defaults_of_submission, forms_in_use, season_policy


def start_reread(
    context: Context,
    person: Person,
    ids: Collection[uuid.UUID] = (),
    wanted: SubmissionFilter | None = None,
    options: Mapping[str, Any] | None = None,
) -> uuid.UUID:
    """Record it, have each entry read, and return its id: the entries with these ids, else those of the filter.

    Only entries that are settled or wait for a person are read anew. `options`: `ocr_provider`, `profile`.
    Raises InvalidInputError for an option that is not available, and for no entry or too many of them.
    """
    given = next_run_options(context.settings, "read_again", options)
    wanted = wanted or SubmissionFilter()
    with context.database.session() as session:
        reread = REREAD.create(session, person, ids, wanted, Submission.status.in_(EDITABLE), options=given)
        reread_id: uuid.UUID = reread.id
        keys = session.scalars(select(RereadItem.id).where(RereadItem.reread_id == reread_id)).all()
    queue_rows(context, REREADS, *keys)
    return reread_id


def take_items(context: Context, person: Person, reread_id: uuid.UUID, ids: Collection[uuid.UUID] | None) -> int:
    """Have what differs taken of these items, of all for None; return how many.

    Raises NotFoundError, ConflictError if nothing of them waits for that.
    """
    here = [] if ids is None else [RereadItem.id.in_(ids)]
    values = {"decided_by": person.id, "decided_at": func.now()}
    taken = _turn(context, reread_id, RereadStatus.DIFFERS, RereadStatus.TAKING, *here, **values)
    if not taken:
        raise ConflictError(ListRefused.NOTHING_DIFFERS)
    return taken


def leave_items(context: Context, person: Person, reread_id: uuid.UUID) -> int:
    """Leave the rest as it was, and forget what was read anew; return how many. Raises NotFoundError."""
    values = {"decided_by": person.id, "decided_at": func.now(), "reading": None}
    return _turn(context, reread_id, RereadStatus.DIFFERS, RereadStatus.LEFT, **values)


def take_back_items(context: Context, person: Person, reread_id: uuid.UUID) -> int:
    """Have all that was taken taken back; return how many. Raises NotFoundError, ConflictError for nothing."""
    values = {"undone_by": person.id, "undone_at": func.now()}
    undone = _turn(context, reread_id, RereadStatus.TAKEN, RereadStatus.UNDOING, **values)
    if not undone:
        raise ConflictError(ListRefused.NOT_UNDOABLE)
    return undone


def stop_reread(context: Context, reread_id: uuid.UUID) -> None:
    """Leave out what is not read yet; what is not taken, or taken back, yet stays so. Raises NotFoundError."""
    _turn(context, reread_id, RereadStatus.WAITING, RereadStatus.LEFT)
    _turn(context, reread_id, RereadStatus.TAKING, RereadStatus.DIFFERS)
    _turn(context, reread_id, RereadStatus.UNDOING, RereadStatus.TAKEN)


def _turn(
    context: Context,
    reread_id: uuid.UUID,
    known: RereadStatus,
    to: RereadStatus,
    *where: ColumnElement[bool],
    **values: object,
) -> int:
    REREAD.require(context, reread_id)
    known_ones = (RereadItem.reread_id == reread_id, RereadItem.status == known.value, *where)
    return update_and_queue(context, REREADS, known_ones, {"status": to.value, "reason": None, **values})


@dataclass(frozen=True)
class _Wanted:
    """What is to be read, and what it is compared with."""

    submission: Submission
    key: str
    chunk: dict[str, Any]
    provider: str
    policy: Policy
    record: SubmissionRecord
    changes: list[Respelling]
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
        item.waits = wanted.submission.status in COMPLETE_STATUSES and taken.needs_review
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
            changes=[Respelling.model_validate(change) for change in run.together or ()],
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


_STEPS: Mapping[str, Callable[[Context, Lease[RereadItem]], None]] = {
    RereadStatus.WAITING.value: read_item,
    RereadStatus.TAKING.value: take_item,
    RereadStatus.UNDOING.value: undo_item,
}


def work_item(context: Context, item_id: uuid.UUID) -> bool:
    """Read, take or take back; return False if there was nothing to do. Raises what reading an entry raises."""
    return run_step(context, REREADS, item_id, _STEPS)


def fail_item(context: Context, item_id: uuid.UUID, error: AppError) -> None:
    """Note that it could not be done, and why; the entry stands as it did."""
    before = case(
        (RereadItem.status == RereadStatus.TAKING.value, RereadStatus.DIFFERS.value),
        (RereadItem.status == RereadStatus.UNDOING.value, RereadStatus.TAKEN.value),
        else_=RereadStatus.FAILED.value,
    )
    write_failure(context, REREADS, item_id, {"status": before, "reason": error.told})


@dataclass(frozen=True)
class Comparison:
    """What differs, and what would become of the entry."""

    #: {field: [value that it has, value read anew]}
    changes: dict[str, list[str | None]]
    effect: BulkEffect
    missing: list[str]


def compare(before: SubmissionRecord, after: SubmissionRecord, policy: Policy) -> Comparison:
    """Compare the record of an entry with the one that it would have."""
    changes = {
        name: [before.value_of(name), after.value_of(name)]
        for name in FIELD_NAMES
        if name not in derived_fields() and (before.value_of(name) or None) != (after.value_of(name) or None)
    }
    _, missing_before = can_approve_record(before, policy)
    _, missing = can_approve_record(after, policy)
    return Comparison(changes, effect_on_completeness(missing_before, missing), missing)
