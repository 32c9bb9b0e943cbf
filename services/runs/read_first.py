"""The first reading of an entry: alone it is decided at once, in a file with others it waits for them."""

from __future__ import annotations

import uuid

from sqlalchemy import select

from core.lease import Lease
from core.models import Run, RunStatus, Submission, Upload
from core.models.leases import RUN_LEASES
from pipeline.orchestrator.context import read_submission_of
from pipeline.orchestrator_state import AgentState
from pipeline.runner import process_submission
from pipeline.validation.policy import Policy
from services.context import Context
from services.recovery.kinds import TOGETHER, UNSPLIT
from services.recovery.work import enqueue
from services.runs.members_together import changes_of


def is_decided(context: Context, lease: Lease[Run]) -> bool:
    """Whether the entry was read and the joint pass has run, so that the run can go on."""
    with context.database.session() as session:
        return session.get_one(Run, lease.key).together is not None


def read_first(context: Context, lease: Lease[Run], state: AgentState, policy: Policy) -> bool:
    """Read the entry and store the reading; safe to repeat. Return whether the run can go on.

    An entry that came alone is decided at once. Another one waits as `read`; where it was the last of its file,
    the pass is queued. Raises DocumentError, RecognitionError, StorageError, LeaseLostError.
    """
    read_submission_of(state, process_submission, settings=context.settings, store=context.store, policy=policy)
    upload_id, came_alone = _file(context, uuid.UUID(state["submission_id"]))
    if came_alone:
        changes = changes_of(context, upload_id, [lease.key])[lease.key]
        with context.database.session() as session:
            lease.hold(session).together = changes
        return True
    with context.database.session() as session:
        run = lease.hold(session)
        run.status = RunStatus.READ.value
        RUN_LEASES.end(run)
    queue_if_last(context, lease.key)
    return False


def queue_if_last(context: Context, run_id: str) -> None:
    """Queue the joint pass of the run's file if each entry of it is read or has failed, and one waits for it."""
    with context.database.session() as session:
        upload_id = session.scalar(
            select(Upload.id)
            .join(Submission, Submission.upload_id == Upload.id)
            .join(Run, Run.submission_id == Submission.id)
            .where(Run.run_id == run_id, TOGETHER.due)
        )
    if upload_id is not None:
        enqueue(context, TOGETHER, upload_id)


def _file(context: Context, submission_id: uuid.UUID) -> tuple[uuid.UUID, bool]:
    """Return the entry's file, and whether the entry is the only one in it."""
    with context.database.session() as session:
        row = session.execute(
            select(Upload.id, Upload.status, Upload.entry_count)
            .join(Submission, Submission.upload_id == Upload.id)
            .where(Submission.id == submission_id)
        ).one()
        return row.id, row.status not in UNSPLIT and (row.entry_count or 1) == 1
