"""Asking for a change of many entries."""

from __future__ import annotations

from sqlalchemy import select

from core.models import BulkChange
from services.context import Context
from tests.support import factories
from tests.web.conftest import Signed

_TYPED = {
    "all": "yes",
    "kind": "rename",
    "field": "grade",
    "old_value": "4",
    "new_value": "",
    "note": "As the list says",
}


def test_a_request_that_is_refused_keeps_what_was_typed(signed_in: Signed) -> None:
    answer = signed_in("reviewer").post("/submissions/changes", data=_TYPED)
    assert answer.status_code == 400 and 'role="alert"' in answer.text
    setting, replacing = answer.text.split('id="set-value"')[1].split('id="rename-value"')
    assert '<option value="grade" selected>' in replacing and 'value="4"' in replacing
    assert 'value="As the list says"' in replacing
    assert "selected" not in setting and "As the list says" not in setting


def test_the_reason_given_is_no_filter(signed_in: Signed, context: Context) -> None:
    with context.database.session() as session:
        factories.make_submission(session, grade="4", status="completed")
    client = signed_in("reviewer")
    asked = {**_TYPED, "new_value": "5", "grade": "4"}
    preview = client.get(client.post("/submissions/changes", data=asked).location).text
    assert "As the list says" in preview
    with context.database.session() as session:
        bulk = session.scalars(select(BulkChange)).one()
        assert bulk.filter.get("reason") is None and bulk.reason == "As the list says"
