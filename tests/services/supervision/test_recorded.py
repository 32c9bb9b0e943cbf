"""Recorded reports: the same rows in another installation, for its own person, once."""

from __future__ import annotations

import json
import uuid

from sqlalchemy import delete

from core.models import Report, ReportVersion
from services.context import Context
from services.supervision.recorded import add_recorded, is_recorded, recorded_rows
from tests.support.research.reports import make_finished_report
from tests.support.site import person

MOMENT = "2026-11-23T12:00:00+00:00"


def test_a_recorded_report_is_added_once_with_all_its_rows(context: Context) -> None:
    with context.database.session() as session:
        report_id = make_finished_report(session).id
    with context.database.session() as session:
        rows = recorded_rows(session, report_id, MOMENT)
        assert rows["report_claims"] and rows["report_passages"] and "@" not in json.dumps(rows["reports"])
        session.execute(delete(Report).where(Report.id == report_id))
    officer = person(context, "officer").id
    assert add_recorded(context, officer, rows) and not add_recorded(context, officer, rows)
    with context.database.session() as session:
        assert recorded_rows(session, report_id, MOMENT) == {
            **rows,
            "reports": [{**rows["reports"][0], "is_sample": True}],
        }
        assert session.get_one(Report, report_id).requested_by == officer
        assert session.get_one(ReportVersion, (report_id, 1)).document
    assert is_recorded(context, report_id, None) and not is_recorded(context, uuid.uuid4(), None)
