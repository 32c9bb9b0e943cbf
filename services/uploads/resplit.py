"""Correct the split of a file, and undo that."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from sqlalchemy import and_, func, or_, select, update
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.config import Settings
from core.errors import ConflictError, InvalidInputError, NotFoundError, existing
from core.messages import Message
from core.models import (
    DuplicatePair,
    Escalation,
    EscalationStatus,
    PairDecision,
    Profile,
    Run,
    RunStatus,
    SplitStatus,
    Submission,
    SubmissionStatus,
    Upload,
    UploadSplit,
    UploadStatus,
)
from core.models.base import error_columns
from core.models.leases import UPLOAD_LEASES
from services.accounts.person import name_of
from services.batches.giving import brought_back
from services.context import Context
from services.items.holds import require_free
from services.messages.entries import Conflict, EventReason, SplitRefused
from services.recovery.kinds import RUNS, UPLOADS
from services.recovery.work import queue_rows
from services.runs.settle import end_run, restore_items, set_status, supersede_items
from services.uploads.contents import (
    ACTIVE_RUNS,
    changed_error,
    lock_entries,
    require_seen,
    require_standing,
    require_untouched,
)
from services.uploads.split import (
    Changes,
    LiveEntry,
    PlannedEntry,
    entries_from_json,
    entries_to_json,
    live_entries,
    placed_pages,
    require_sound,
    split_changes,
    standing_splits,
)

# A person corrects the split of files into entries. The correction's row is the outbox of its work.


_LONGEST_NAME = 255


@dataclass(frozen=True)
class Resplit:
    """Result of a split correction."""

    split_id: uuid.UUID
    #: Ids of the new entries, which exist once the background work is done.
    submission_ids: list[uuid.UUID]
    #: Ids of the superseded entries.
    superseded: list[uuid.UUID]


def resplit_upload(
    context: Context,
    actor_id: uuid.UUID,
    upload_ids: Sequence[uuid.UUID],
    versions: Mapping[uuid.UUID, int],
    plan: Sequence[PlannedEntry],
) -> Resplit:
    """Divide the files' pages into the planned entries.

    `versions` has the version seen of each entry of these files. An entry whose pages are planned unchanged is
    kept. The others are superseded, and new ones are made in the background from a derived file. Pages in no
    planned entry are left out. Raises ConflictError if an entry concerned has changed since its version, HeldError
    if another person holds it, InvalidInputError for a plan that is invalid or changes nothing, and NotFoundError.
    """
    with context.database.session() as session:
        uploads = _lock_uploads(session, upload_ids)
        if len({upload.batch_id for upload in uploads}) > 1:
            raise InvalidInputError(SplitRefused.NOT_ONE_UPLOAD)
        split = _divide(session, context.settings, actor_id, uploads, versions, plan, EventReason.SPLIT_CORRECTED)
    if split.made_upload_id is not None:
        queue_rows(context, UPLOADS, split.made_upload_id)
    ids = [key for key, _ in entries_from_json(split.plan)]
    return Resplit(split.id, ids, [uuid.UUID(stood["submission_id"]) for stood in split.superseded])


def join_submissions(
    session: Session,
    settings: Settings,
    actor_id: uuid.UUID,
    upload_ids: Sequence[uuid.UUID],
    ids: Sequence[uuid.UUID],
) -> uuid.UUID:
    """Replace entries of these files by one with all of their pages, in this order, in the caller's transaction.

    The other entries of the files stay. Returns the id of the derived file, which the caller queues. Raises what
    `resplit_upload` raises. If the files are of several batches, the new entry is in the first file's.
    """
    uploads = _lock_uploads(session, upload_ids)
    live = {entry.submission_id: entry for entry in live_entries(session, upload_ids)}
    entries = lock_entries(session, ids)
    require_standing(session, ids)
    joined = PlannedEntry(tuple(page for key in ids for page in live[key].as_planned.pages))
    plan = [joined, *(entry.as_planned for key, entry in live.items() if key not in ids)]
    versions = {key: entry.version for key, entry in entries.items()}
    split = _divide(session, settings, actor_id, uploads, versions, plan, EventReason.JOINED)
    assert split.made_upload_id is not None
    return split.made_upload_id


def _divide(
    session: Session,
    settings: Settings,
    actor_id: uuid.UUID,
    uploads: Sequence[Upload],
    versions: Mapping[uuid.UUID, int],
    plan: Sequence[PlannedEntry],
    why: EventReason,
) -> UploadSplit:
    """Supersede the entries that the plan changes in the locked files; write the correction and its file."""
    require_standing(session, versions)
    changes = _changes(session, settings, uploads, plan)
    locked = lock_entries(session, changes.superseded)
    entries = [locked[found] for found in changes.superseded]
    require_seen(session, entries, versions)
    require_free(session, actor_id, changes.superseded)
    split = UploadSplit(
        id=uuid.uuid4(),
        season_id=uploads[0].season_id,
        batch_id=uploads[0].batch_id,
        actor_id=actor_id,
        upload_ids=[upload.id for upload in uploads],
        plan=entries_to_json(changes.made, [uuid.uuid4() for _ in changes.made]),
        superseded=supersede(session, actor_id, entries, Message.of(why)),
        status=(SplitStatus.PENDING if changes.made else SplitStatus.DONE).value,
    )
    session.add(split)
    session.flush()
    if changes.made:
        made = _derived(split, uploads, changes)
        session.add(made)
        session.flush()
        split.made_upload_id = made.id
    return split


def _lock_uploads(session: Session, upload_ids: Sequence[uuid.UUID]) -> list[Upload]:
    """Lock the files, so that corrections of one file wait for each other; return them in the order given."""
    rows = session.scalars(
        select(Upload).where(Upload.id.in_(upload_ids)).order_by(Upload.id).with_for_update()
    ).all()
    found = {row.id: row for row in rows}
    if not upload_ids or len(found) != len(set(upload_ids)):
        raise NotFoundError("no such file")
    if any(row.status != UploadStatus.SPLIT.value for row in rows):
        raise InvalidInputError(SplitRefused.FILE_NOT_READ)
    return [found[upload_id] for upload_id in dict.fromkeys(upload_ids)]


def _changes(
    session: Session, settings: Settings, uploads: Sequence[Upload], plan: Sequence[PlannedEntry]
) -> Changes:
    ids = [upload.id for upload in uploads]
    taken = placed_pages(standing_splits(session, ids))
    require_sound(plan, {upload.id: upload.page_count or 0 for upload in uploads}, taken)
    changes = split_changes(live_entries(session, ids), plan)
    if not changes.any:
        raise InvalidInputError(SplitRefused.NOTHING_CHANGED)
    if sum(len(entry.pages) for entry in changes.made) > settings.max_pages:
        raise InvalidInputError(SplitRefused.TOO_MANY_PAGES_AT_ONCE, limit=settings.max_pages)
    return changes


def _derived(split: UploadSplit, uploads: Sequence[Upload], changes: Changes) -> Upload:
    """Return the row of the derived file; its bytes are written in the background."""
    used = {page.upload_id for entry in changes.made for page in entry.pages}
    sources = [upload for upload in uploads if upload.id in used]
    made_id = uuid.uuid4()
    return Upload(
        id=made_id,
        season_id=split.season_id,
        batch_id=split.batch_id,
        # The new entries keep their owner.
        uploaded_by=sources[0].uploaded_by,
        position=sources[0].position,
        original_filename=_name(sources),
        byte_size=0,
        sha256=hashlib.sha256(json.dumps(split.plan, sort_keys=True).encode()).hexdigest(),
        storage_key=f"derived/{split.season_id}/{made_id}.pdf",
        status=UploadStatus.STORED.value,
        split_id=split.id,
    )


def _name(sources: Sequence[Upload]) -> str:
    """Return a file name made of the sources' names and a mark that it is a correction."""
    mark = " (corrected)"
    stems = [PurePosixPath(upload.original_filename).stem.removesuffix(mark) for upload in sources]
    return " + ".join(dict.fromkeys(stems))[: _LONGEST_NAME - len(mark) - 4] + mark + ".pdf"


def undo_resplit(context: Context, actor_id: uuid.UUID, split_id: uuid.UUID) -> list[uuid.UUID]:
    """Undo a correction, whether or not its background work is done; return the ids of the restored entries.

    Raises NotFoundError, and ConflictError if it was undone before, a person has changed a new entry, an old entry
    has changed, or a page of an old entry is part of another entry since.
    """
    with context.database.session() as session:
        split = _win(session, actor_id, split_id)
        old = [uuid.UUID(stood["submission_id"]) for stood in split.superseded]
        new = _made(session, split)
        entries = lock_entries(session, [*old, *new])
        require_untouched(session, new)
        _require_unused(session, split, [entries[found] for found in old])
        reason = Message.of(EventReason.SPLIT_TAKEN_BACK)
        supersede(session, actor_id, [entries[found] for found in new], reason)
        runs = [
            run_id
            for found, stood in zip(old, split.superseded, strict=True)
            for run_id in bring_back(session, context.settings, actor_id, entries[found], stood, reason)
        ]
        _reopen_pairs(session, old)
    queue_rows(context, RUNS, *runs, replace=True)
    return old


def _reopen_pairs(session: Session, ids: list[uuid.UUID]) -> None:
    """Make the pairs pending again whose two entries had been joined."""
    session.execute(
        update(DuplicatePair)
        .where(
            DuplicatePair.decision == PairDecision.JOIN.value,
            DuplicatePair.first_id.in_(ids),
            DuplicatePair.second_id.in_(ids),
        )
        .values(decision=None, decided_by=None, decided_at=None, version=DuplicatePair.version + 1)
    )


def _win(session: Session, actor_id: uuid.UUID, split_id: uuid.UUID) -> UploadSplit:
    """Supersede the derived file, then mark the correction as undone: the order in which its worker locks them."""
    split = existing(session.get(UploadSplit, split_id), "no such correction")
    # Corrections of the same files and their undoing wait for each other on this lock.
    _require_whole(session, split)
    session.execute(
        update(Upload)
        .where(Upload.id == split.made_upload_id)
        .values(
            status=UploadStatus.SUPERSEDED.value, **error_columns(None), updated_at=utcnow(), **UPLOAD_LEASES.ended
        )
    )
    won = session.scalar(
        update(UploadSplit)
        .where(UploadSplit.id == split_id, UploadSplit.status != SplitStatus.UNDONE.value)
        .values(status=SplitStatus.UNDONE.value, undone_at=func.now(), undone_by=actor_id)
        .returning(UploadSplit.id)
    )
    if won is None:
        who = session.scalar(
            select(name_of(Profile))
            .join(UploadSplit, UploadSplit.undone_by == Profile.id)
            .where(UploadSplit.id == split_id)
        )
        raise ConflictError(Conflict.TAKEN_BACK, who=who)
    return split


def _require_whole(session: Session, split: UploadSplit) -> None:
    """Lock the files of the correction. Raises ConflictError if one was deleted, or a page of one was erased."""
    files = session.scalars(
        select(Upload)
        .where(or_(Upload.id.in_(split.upload_ids), Upload.id == split.made_upload_id))
        .order_by(Upload.id)
        .with_for_update()
    ).all()
    unerased = [upload.id for upload in files if upload.erased_at is None]
    if len(unerased) < len(files) or not set(split.upload_ids) <= set(unerased):
        raise ConflictError(SplitRefused.PAGES_ERASED)


def _made(session: Session, split: UploadSplit) -> list[uuid.UUID]:
    if split.made_upload_id is None:
        return []
    return list(session.scalars(select(Submission.id).where(Submission.upload_id == split.made_upload_id)))


def _require_unused(session: Session, split: UploadSplit, old: list[Submission]) -> None:
    """Raise ConflictError if a page of the old entries is part of another correction's entry since."""
    others = [other for other in standing_splits(session, split.upload_ids) if other.id != split.id]
    placed = placed_pages(others)
    for entry in old:
        live = LiveEntry(entry.id, entry.upload_id, entry.page_start, entry.page_end)
        for page in live.as_planned.pages:
            if page.key in placed:
                raise ConflictError(SplitRefused.PAGE_MOVED, page=page.page_no)


_READING = (SubmissionStatus.QUEUED.value, SubmissionStatus.PROCESSING.value)
#: Columns that are saved to restore an entry; its record is not changed.
_KEPT = ("status", "needs_review", "error_code", "error_params")


def supersede(
    session: Session, actor_id: uuid.UUID, entries: Sequence[Submission], reason: Message
) -> list[dict[str, Any]]:
    """Supersede entries locked by `lock_entries`; return the saved state of each, for `bring_back`."""
    return [_supersede(session, actor_id, entry, reason) for entry in entries]


def _supersede(session: Session, actor_id: uuid.UUID, entry: Submission, reason: Message) -> dict[str, Any]:
    saved = {name: getattr(entry, name) for name in _KEPT}
    runs = _take_runs(session, entry.id)
    items = supersede_items(session, entry.id, actor_id)
    entry.error = None
    set_status(session, entry, SubmissionStatus.SUPERSEDED, actor_id, message=reason)
    return {"submission_id": str(entry.id), "version": entry.version, **saved, "runs": runs, **items}


def _take_runs(session: Session, submission_id: uuid.UUID) -> list[dict[str, Any]]:
    """Supersede active runs and undecided interrupted ones, and return their state. Decided ones are resumed."""
    undecided = select(Escalation.run_id).where(
        Escalation.submission_id == submission_id, Escalation.status == EscalationStatus.PENDING.value
    )
    waits = and_(Run.status == RunStatus.INTERRUPTED.value, Run.run_id.in_(undecided))
    runs = session.scalars(
        select(Run)
        .where(Run.submission_id == submission_id, or_(Run.status.in_(ACTIVE_RUNS), waits))
        .with_for_update(key_share=True)
    ).all()
    states = [{"run_id": run.run_id, "status": run.status, "outcome": run.outcome} for run in runs]
    for run in runs:
        end_run(run, RunStatus.SUPERSEDED, SubmissionStatus.SUPERSEDED.value)
    return states


def bring_back(
    session: Session,
    settings: Settings,
    actor_id: uuid.UUID,
    entry: Submission,
    saved: Mapping[str, Any],
    reason: Message,
) -> list[str]:
    """Restore a superseded entry from its saved state; return the ids of the runs that the caller must queue.

    Raises ConflictError if the entry has changed since.
    """
    if entry.status != SubmissionStatus.SUPERSEDED or entry.version != saved["version"]:
        raise changed_error(session, entry)
    for name in _KEPT:
        setattr(entry, name, saved[name])
    if entry.status in _READING:
        # The worker has lost its lease, so that the run starts again.
        entry.status = SubmissionStatus.QUEUED.value
    entry.version += 1
    entry.updated_at = utcnow()
    _give_back(session, saved)
    brought_back(session, settings, entry, actor_id, SubmissionStatus.SUPERSEDED.value, reason)
    return [_restart(session, run) for run in saved["runs"] if run["status"] in ACTIVE_RUNS]


def _give_back(session: Session, saved: Mapping[str, Any]) -> None:
    for run in saved["runs"]:
        session.execute(
            update(Run)
            .where(Run.run_id == run["run_id"])
            .values(status=run["status"], outcome=run["outcome"], settled_at=None, pruned_at=None)
        )
    restore_items(session, saved)


def _restart(session: Session, saved: Mapping[str, Any]) -> str:
    session.execute(
        update(Run)
        .where(Run.run_id == saved["run_id"])
        .values(status=RunStatus.QUEUED.value, enqueued_at=None, attempts=0)
    )
    return str(saved["run_id"])
