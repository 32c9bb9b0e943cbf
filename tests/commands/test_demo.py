"""What `flask demo` sets up beside the sample entries."""

from __future__ import annotations

from sqlalchemy import select

from commands.demo import _add_report
from core.config import Settings
from core.models import Profile, Report
from services.accounts.demo_accounts import create_demo_accounts
from tests.support.site import tidy_context


def test_the_sample_report_is_the_officers_and_stands_once(settings: Settings) -> None:
    with tidy_context(settings.model_copy(update={"demo_accounts": True})) as context:
        create_demo_accounts(context)
        _add_report(context)
        _add_report(context)
        with context.database.session() as session:
            (report,) = session.scalars(select(Report))
            asked_by = session.get_one(Profile, report.requested_by)
    assert (asked_by.role, report.is_sample, report.status, report.current_version) == ("officer", True, "done", 1)
    assert report.query == "Fathers at school: what programmes do, and what explains it"
    assert report.providers == ["library"]
