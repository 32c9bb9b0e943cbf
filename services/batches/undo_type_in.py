"""Take back an entry that was typed in: it is superseded, and its file has failed again."""

from __future__ import annotations

import uuid

from core.clock import utcnow
from core.errors import ConflictError
from core.models import Submission, SubmissionStatus, Upload, UploadStatus
from services.accounts.person import Person
from services.audit import event
from services.context import Context
from services.entries.decided_rows import latest_run, refuse_if_held, win_entry
from services.messages.batch import BatchRefused
from services.runs.pending_items import supersede_items


def undo_type_in(context: Context, person: Person, submission_id: uuid.UUID, version: int) -> uuid.UUID:
    """Take the entry back and return the id of its batch.

    Raises NotFoundError, and ConflictError if it has changed since `version`, was not typed in, or another person
    has it open.
    """
    with context.database.session() as session:
        submission: Submission = win_entry(session, submission_id, version)
        upload = session.get_one(Upload, submission.upload_id, with_for_update={"key_share": True})
        if upload.status != UploadStatus.TYPED or submission.status == SubmissionStatus.SUPERSEDED:
            raise ConflictError(BatchRefused.NOT_TYPED_IN)
        refuse_if_held(session, submission_id, person.id)
        supersede_items(session, submission_id, person.id)
        run, before = latest_run(session, submission), submission.status
        run.outcome = submission.status = SubmissionStatus.SUPERSEDED.value
        submission.needs_review = False
        submission.version += 1
        upload.status = (UploadStatus.FAILED if upload.error_code else UploadStatus.SUPERSEDED).value
        upload.updated_at = submission.updated_at = utcnow()
        session.add(event(submission, "undone", person.id, before=before, after=submission.status))
        return submission.batch_id
