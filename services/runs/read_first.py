"""The first reading of an entry: alone it is decided at once, in a file with others it waits for them.

Of a file whose pages are still being read, an entry that goes to a person is shown before the joint pass (ADR 26).
"""

from __future__ import annotations

import uuid
from collections.abc import Callable

from sqlalchemy import select

from core.lease import Lease
from core.models import Run, RunStatus, Submission, Upload
from core.models.leases import RUN_LEASES
from pipeline.orchestrator.context import read_submission_of
from pipeline.orchestrator_state import AgentState
from pipeline.runner import process_submission
from pipeline.schema import SubmissionRecord
from pipeline.validate import validate_record
from pipeline.validation.defaults import Defaults, with_defaults
from pipeline.validation.policy import Policy
from services.context import Context
from services.defaults.in_force import defaults_in_force
from services.recovery.kinds import UNSPLIT
from services.runs.members_together import changes_of, has_others


def is_read(context: Context, lease: Lease[Run]) -> bool:
    """Whether the entry was read and the run can go on: the joint pass has run, or it is shown before that."""
    with context.database.session() as session:
        run = session.get_one(Run, lease.key)
        return run.together is not None or run.shown_early


def read_first(
    context: Context,
    lease: Lease[Run],
    state: AgentState,
    policy: Policy,
    goes_to_a_person: Callable[[AgentState, SubmissionRecord, Policy], bool],
) -> bool:
    """Read the entry and store the reading; safe to repeat. Return whether the run can go on.

    An entry that came alone is decided at once. Another one waits as `read`. While pages of the file are unread,
    an entry of which `goes_to_a_person` says so does not wait.
    Raises DocumentError, RecognitionError, StorageError, LeaseLostError.
    """
    record, _ = read_submission_of(
        state, process_submission, settings=context.settings, store=context.store, policy=policy
    )
    upload, defaults = _file(context, uuid.UUID(state["submission_id"]))
    record, _ = validate_record(with_defaults(record, defaults), policy)
    is_split = upload.status not in UNSPLIT
    if is_split and (upload.entry_count or 1) == 1:
        changes = changes_of(context, upload.id, [lease.key])[lease.key]
        with context.database.session() as session:
            run = lease.hold(session)
            run.together = changes
            run.batch_due = has_others(session, upload.id, [run.run_id])
        return True
    if not is_split and goes_to_a_person(state, record, policy):
        with context.database.session() as session:
            lease.hold(session).shown_early = True
        return True
    with context.database.session() as session:
        run = lease.hold(session)
        run.status = RunStatus.READ.value
        RUN_LEASES.end(run)
    return False


def _file(context: Context, submission_id: uuid.UUID) -> tuple[Upload, Defaults]:
    """Return the entry's file, and the defaults of its batch."""
    with context.database.session() as session:
        of_entry = select(Upload).join(Submission, Submission.upload_id == Upload.id)
        upload = session.scalars(of_entry.where(Submission.id == submission_id)).one()
        return upload, defaults_in_force(session, upload.batch_id)
