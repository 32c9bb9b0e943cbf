"""An entry of a form of the database at the desk: its fields, their options, and what may be typed into them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import delete

from core.models import Submission, SubmissionField
from pipeline.supabase_db import get_field_values
from services.context import Context
from services.forms.versions import save_version
from tests.support import factories
from tests.support.review import desk
from tests.support.small_form import PADDLE_DAY, files_alone_afterwards


@pytest.fixture(autouse=True)
def no_forms_left() -> Iterator[None]:
    with files_alone_afterwards():
        yield


@pytest.fixture
def paddler(context: Context) -> desk.Entry:
    """What stands in a required field is not of its pattern."""
    save_version(context, None, PADDLE_DAY)
    lacks = {"missing_fields": ["locker_code"], "review_reason_codes": ["INVALID_VALUE"]}
    form = {"profile": "paddle_day", "profile_version": 1, "student_name": "Mina Brook"}
    values = {"paddler_name": "Mina Brook", "locker_code": "locker 9", "boat": "Kayak"}
    with context.database.session() as session:
        entry = desk.make_escalated(context, session, **form, **lacks)
        session.execute(delete(SubmissionField).where(SubmissionField.submission_id == entry.submission.id))
        read = {"page": 1, "source": "text_layer", "confidence": 0.9}
        factories.make_fields(
            session, entry.submission, [{"name": name, "value": value, **read} for name, value in values.items()]
        )
    return entry


def test_an_entry_of_an_own_form_is_settled_by_what_the_form_asks_for(
    context: Context, signed_in, paddler: desk.Entry
) -> None:
    client, submission_id = signed_in("reviewer"), paddler.submission.id
    assert paddler.escalation is not None
    page = client.get(f"/review/escalations/{paddler.escalation.id}/of/{submission_id}").text
    assert ">Locker" in page and ">Kayak" in page
    assert client.get(f"/submissions/{submission_id}", headers={"Accept-Language": "es"}).text.count("Casillero")
    assert client.get(f"/submissions/{submission_id}/essay").status_code == 404
    assert paddler.escalation is not None
    resolve = f"/review/escalations/{paddler.escalation.id}/of/{submission_id}"
    sent = {"version": "1", "decide": "settle"}
    refused = client.post(resolve, data={**sent, "value-locker_code": "AB 9"})
    assert refused.status_code == 400 and "not in the format this field requires" in refused.text
    assert client.post(resolve, data={**sent, "value-locker_code": "AB-901"}).status_code == 302
    with context.database.session() as session:
        assert get_field_values(session, submission_id, ["locker_code"]) == {"locker_code": "AB-901"}
        assert session.get_one(Submission, submission_id).status == "resolved"
