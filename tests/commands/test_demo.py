"""What `flask demo` sets up beside the sample entries."""

from __future__ import annotations

from sqlalchemy import select

from commands.demo import _add_reports
from core.config import Settings
from core.models import Profile, Report, ReportRevision, ReportVersion
from services.accounts.people import create_demo_accounts
from tests.support.site import tidy_context


def test_the_samples_are_the_officers_and_stand_once(settings: Settings) -> None:
    with tidy_context(settings.model_copy(update={"demo_accounts": True})) as context:
        create_demo_accounts(context)
        _add_reports(context)
        _add_reports(context)
        with context.database.session() as session:
            reports = session.scalars(select(Report).order_by(Report.origin, Report.report_type)).all()
            asked_by = session.get_one(Profile, reports[0].requested_by)
            documents = [session.get_one(ReportVersion, (one.id, one.current_version)).document for one in reports]
            revised = session.scalars(select(ReportRevision.report_id)).all()
    assert asked_by.role == "officer"
    assert [(one.origin, one.report_type, one.is_sample, one.status) for one in reports] == [
        ("asked", "catalog", True, "done"),
        ("asked", "narrative", True, "done"),
        ("uploaded", "narrative", True, "done"),
    ]
    assert not any(document["extractive"] for document in documents)
    assert reports[2].id in revised and reports[2].providers == ["library"]
