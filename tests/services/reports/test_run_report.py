"""A report from the request to its document, without a model and without a key."""

from __future__ import annotations

from sqlalchemy import select

from core.models import Report, ReportGap, ReportRound, ReportSource, ReportTask, ReportVersion
from research.document import ReportDocument
from services.context import Context
from services.reports.request import ReportRequest, request_report
from services.reports.run import run_report
from tests.support.office import make_person

QUESTION = "What do school programmes do that bring fathers in, and what do they cost?"


def test_a_question_becomes_a_report(context: Context) -> None:
    report_id = request_report(context, make_person(context, "officer"), ReportRequest(QUESTION))
    assert run_report(context, report_id)
    with context.database.session() as session:
        report = session.get_one(Report, report_id)
        rounds = session.scalars(select(ReportRound).order_by(ReportRound.round_index)).all()
        tasks = session.scalars(select(ReportTask)).all()
        sources = session.scalars(select(ReportSource)).all()
        gaps = session.scalars(select(ReportGap)).all()
        document = ReportDocument.model_validate(session.get_one(ReportVersion, (report_id, 1)).document)
    assert (report.status, report.phase, report.ended_because) == ("done", "done", "complete")
    assert [one.round_index for one in rounds] == [1, 2, 3]
    assert all(one.memo is not None for one in rounds)
    assert {task.status for task in tasks} <= {"done", "nothing_found"}
    assert len({source.domain for source in sources}) >= 8
    assert all("." not in source.key for source in sources)
    assert all(gap.state != "closed" or gap.evidence for gap in gaps)
    assert document.extractive
    assert document.references
