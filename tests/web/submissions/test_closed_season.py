"""In a closed season an uploader changes nothing any more, on whatever page; what came is finished."""

from __future__ import annotations

from typing import Any

from flask import Flask
from sqlalchemy import select, update

from core.clock import utcnow
from core.models import BatchDefault, Season, Submission, Upload, UploadBatch
from services.context import Context
from tests.support import factories
from web.access import rule_of

#: They finish, or end, what was begun while the season was open.
FINISH = {"submissions.retry", "submissions.retry_file", "submissions.defaults_stop"}
#: Something for each field of a form.
SENT = {
    "received_on": "2019-01-01",
    "expected_entries": "5",
    "default_grade": "5",
    "default_language": "es",
    "version": "1",
}


def test_no_change_of_an_uploader_reaches_a_closed_season(
    app: Flask, signed_in: Any, people: Any, context: Context
) -> None:
    with context.database.session() as session:
        batch = factories.make_batch(session, people["uploader"])
        upload = factories.make_upload(session, batch)
        entry = factories.make_submission(session, upload, status="escalated")
        given = factories.make_batch_default(session, batch, status="done")
        session.execute(update(Season).values(closed_at=utcnow()))
    client, ids = (
        signed_in("uploader"),
        {"batch_id": batch.id, "upload_id": upload.id, "submission_id": entry.id, "change_id": given.id},
    )
    before, tried = rows(context), set()
    for rule in app.url_map.iter_rules():
        if "POST" not in (rule.methods or ()) or rule_of(app.view_functions[rule.endpoint]) != "uploader":
            continue
        if rule.endpoint in FINISH or rule.endpoint.startswith("api.") or not rule.arguments <= ids.keys():
            continue
        with app.test_request_context():
            url = app.url_for(rule.endpoint, **{name: ids[name] for name in rule.arguments})
        answer = client.post(url, data={**SENT, "batch_id": str(batch.id)})
        assert 400 <= answer.status_code < 500, (url, answer.status_code)
        assert rows(context) == before, url
        tried.add(rule.endpoint)
    assert {"submissions.expect", "submissions.batch_received", "submissions.defaults_apply"} <= tried


def rows(context: Context) -> list[Any]:
    """Everything of the batch."""
    with context.database.session() as session:
        return [
            tuple(row)
            for table in (UploadBatch, Upload, Submission, BatchDefault)
            for row in session.execute(select(*table.__table__.columns).order_by(table.id))  # type: ignore[attr-defined]
        ]
