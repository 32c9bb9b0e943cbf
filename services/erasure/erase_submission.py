"""Erase everything that is held of entries: rows, files, caches, checkpoints, and what reports quote of them."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from core.errors import ConflictError
from core.graphs.remove_threads import remove_threads
from core.models import (
    BatchDefault,
    Erasure,
    ErasureReason,
    Escalation,
    SecurityEventKind,
    Submission,
    Upload,
    UploadBatch,
    UploadSplit,
)
from core.queue import forget_jobs
from pipeline.records.school_spellings import forget_spellings
from services.context import Context
from services.erasure.blank_file import NEUTRAL_NAME, blank_file
from services.erasure.by_name import forget_filters
from services.erasure.covered_pages import splits_around
from services.erasure.elsewhere import Elsewhere, delete_elsewhere, find_elsewhere, forget_elsewhere
from services.erasure.files import delete_files, files_of
from services.erasure.find_held import count_held
from services.erasure.scope import Scope, find_scope
from services.erasure.take_leases import leases_taken
from services.erasure.withdraw_quotations import withdraw_quotations
from services.exports.remove_exports import delete_files as delete_export_files
from services.exports.remove_exports import forget_exports
from services.form_studio.forget_samples import delete_samples, forget_samples
from services.letters.forget_letters import forget_letters
from services.messages.conflict import Conflict
from services.recovery.kinds import ALL, MAILS, RESTS, SAMPLES
from services.security_events import record_event
from services.uploads.entries_seen import lock_entries, require_free

#: Seconds that a worker is waited for which has something of the entry in hand.
PATIENCE = 20.0


def erase_submissions(
    context: Context,
    submission_ids: Sequence[uuid.UUID],
    actor_id: uuid.UUID | None,
    reason: ErasureReason,
    patience: float = PATIENCE,
) -> uuid.UUID:
    """Erase entries of one season, and every older entry of the same pages; return the id of the receipt.

    Other entries of the same files keep their pages. There is no way back. Raises NotFoundError, ConflictError if
    an entry was replaced or workers do not let go of it in time, HeldError if a person has one open. The rows go
    in one transaction, after the files: where that fails, nothing is receipted and erasing again is safe.
    """
    with context.database.session() as session:
        scope = find_scope(session, submission_ids)
        require_free(session, actor_id, scope.submissions)
    with leases_taken(context, scope, patience), context.database.session() as session:
        scope = _locked(session, scope)
        elsewhere = find_elsewhere(context, session, scope)
        receipt = _receipt(session, scope, elsewhere, actor_id, reason)
        files = files_of(session, scope)
        forget_jobs(context.redis, _jobs(session, scope))
        mails = forget_letters(session, scope.submissions)
        forget_jobs(context.redis, [MAILS.job_id(mail_id) for mail_id in mails])
        withdraw_quotations(session, scope)
        forget_filters(session, scope.submissions)
        remove_threads(session, scope.threads)
        _delete_rows(session, scope)
        # They may name the child, and are made again in a minute.
        exports = forget_exports(session, scope.season_id)
        samples = forget_samples(session)
        forget_jobs(context.redis, [SAMPLES.job_id(sample.sample_id) for sample in samples])
        forget_elsewhere(context, session, elsewhere)
        for upload_id, numbers in scope.blanked.items():
            blank_file(context, session, upload_id, numbers)
        delete_files(context.store, files)
        delete_export_files(context.store, exports)
        delete_samples(context.store, samples)
        delete_elsewhere(context.store, elsewhere)
    return receipt


def _locked(session: Session, scope: Scope) -> Scope:
    """Lock files and entries and return what they reach now.

    Raises ConflictError if something came to them while leases were waited for.
    """
    session.execute(select(Upload.id).where(Upload.id.in_(scope.uploads)).order_by(Upload.id).with_for_update())
    lock_entries(session, scope.submissions)
    now = find_scope(session, scope.asked)
    if now != scope:
        raise ConflictError(Conflict.BEING_WORKED_ON)
    return now


def _receipt(
    session: Session, scope: Scope, elsewhere: Elsewhere, actor_id: uuid.UUID | None, reason: ErasureReason
) -> uuid.UUID:
    counts = count_held(session, scope, elsewhere).counts
    receipt = Erasure(
        id=uuid.uuid4(),
        season_id=scope.season_id,
        actor_id=actor_id,
        reason=reason.value,
        submission_ids=scope.submissions,
        counts={kind.value: number for kind, number in counts.items()},
        not_reached=elsewhere.not_reached,
    )
    session.add(receipt)
    record_event(session, SecurityEventKind.ERASED, actor_id=actor_id, rows=len(scope.submissions))
    session.flush()
    return receipt.id


def _jobs(session: Session, scope: Scope) -> list[str]:
    """Return the ids that jobs on any of it have; a failed one keeps its traceback."""
    escalations = session.scalars(select(Escalation.id).where(Escalation.submission_id.in_(scope.submissions)))
    keys = [
        *scope.uploads,
        *scope.ranges,
        *scope.runs,
        *scope.batches,
        *scope.documents,
        *scope.reports,
        *scope.supervisions,
        *escalations,
    ]
    return [work.job_id(key) for work in (*ALL, RESTS) for key in keys]


def _delete_rows(session: Session, scope: Scope) -> None:
    """Delete what nothing needs any more; most tables follow their entry or their file."""
    doomed = _forget_splits(session, scope)
    session.execute(delete(Submission).where(Submission.id.in_(scope.submissions)))
    forget_spellings(session, scope.season_id)
    _leave_batches(session, scope)
    session.execute(delete(Upload).where(Upload.id.in_(scope.removed)))
    session.execute(delete(UploadSplit).where(UploadSplit.id.in_(doomed)))


def _forget_splits(session: Session, scope: Scope) -> list[uuid.UUID]:
    """Take the entries out of what corrections keep of them; return the corrections that can be deleted."""
    gone, removed = {str(found) for found in scope.submissions}, set(scope.removed)
    around = splits_around(session, scope.uploads)
    # Derived files are called after their sources.
    session.execute(
        update(Upload)
        .where(Upload.split_id.in_([split.id for split in around]))
        .values(original_filename=NEUTRAL_NAME)
    )
    doomed = []
    for split in around:
        split.superseded = [stood for stood in split.superseded if stood["submission_id"] not in gone]
        nothing_made = split.made_upload_id is None and removed.issuperset(split.upload_ids)
        if split.made_upload_id in removed or nothing_made:
            split.made_upload_id = None
            doomed.append(split.id)
    session.flush()
    return doomed


def _leave_batches(session: Session, scope: Scope) -> None:
    """Count the removed files out of their batches, so that nothing waits for them."""
    rows = session.execute(
        select(Upload.batch_id, func.count())
        .where(Upload.id.in_(scope.removed), Upload.split_id.is_(None))
        .group_by(Upload.batch_id)
    )
    for batch_id, number in rows.all():
        session.execute(
            update(UploadBatch)
            .where(UploadBatch.id == batch_id)
            .values(file_count=func.greatest(UploadBatch.file_count - number, 0))
        )
    # What was said of a batch without entries was said of the child alone, unless other files are in it.
    still = select(Submission.id).where(Submission.batch_id == BatchDefault.batch_id)
    others = select(Upload.id).where(Upload.batch_id == BatchDefault.batch_id, Upload.id.not_in(scope.uploads))
    session.execute(
        delete(BatchDefault).where(BatchDefault.batch_id.in_(scope.batches), ~still.exists(), ~others.exists())
    )
