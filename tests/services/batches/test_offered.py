"""What an upload offers for the empty fields of one of its entries."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy.orm import Session

from core.models import Submission, Upload, UploadBatch
from pipeline.supabase_db import get_field_values
from services.context import Context
from services.seasons import give_defaults, offered_values
from tests.support import factories
from tests.support.review import desk


def offered(session: Session, entry: Submission) -> Mapping[str, str]:
    return offered_values(session, entry, get_field_values(session, entry.id))


def test_what_the_batch_and_the_other_entries_say(context: Context) -> None:
    """Only what all settled entries of the file have in common, and what is said of the batch goes before it."""
    with context.database.session() as session:
        entry = desk.make_escalated(context, session).submission
        upload = session.get_one(Upload, entry.upload_id)
        assert offered(session, entry) == {}
        for chunk, (school, grade) in enumerate([("Lakeview", "4"), ("Lakeview", "5")], start=1):
            other = factories.make_submission(session, upload, chunk_index=chunk, status="completed")
            values = {"school_name": school, "grade": grade, "teacher_name": "Ms. Abernathy"}
            factories.make_fields(session, other, [{"name": n, "value": v} for n, v in values.items()])
        waits = factories.make_submission(session, upload, chunk_index=3, status="escalated")
        factories.make_fields(session, waits, [{"name": "teacher_name", "value": "Mr. Wynn"}])
        assert offered(session, entry) == {"teacher_name": "Ms. Abernathy"}
        batch = session.get_one(UploadBatch, entry.batch_id)
        give_defaults(
            session, batch, entry.owner_user_id, {"grade": "6", "teacher_name": "Ms. Boone", "language": "es"}
        )
        assert offered(session, entry) == {"grade": "6", "teacher_name": "Ms. Boone"}
        assert offered(session, waits) == {"school_name": "Lakeview", "grade": "6"}
        factories.make_submission(session, upload, chunk_index=4, status="resolved")
        assert offered(session, waits) == {"grade": "6"}, "a settled entry lacks the school"
