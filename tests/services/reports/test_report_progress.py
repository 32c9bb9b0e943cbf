from __future__ import annotations

import uuid

import pytest
from sqlalchemy import update

from core.errors import NotFoundError
from core.models import Report, ReportTask
from services.context import Context
from services.reports.progress import digits, report_progress


def test_a_report_under_way(context: Context, running: uuid.UUID) -> None:
    progress = report_progress(context, running)
    assert progress.working and progress.facts.stoppable
    assert (progress.tasks_done, progress.tasks_total) == (2, 4)
    assert (progress.sources_read, progress.sources_failed, progress.domains) == (2, 1, 2)
    assert progress.gaps_open == 1
    first, second = progress.rounds
    assert [task.status for task in first.tasks] == ["done", "failed"]
    assert (first.tasks[0].sources_read, first.tasks[0].sources_failed) == (2, 1)
    assert first.memo is not None and first.memo["themes_covered"] == ["attendance", "breakfasts"]
    assert second.memo is None and second.ended_at is None


def test_who_said_what_of_the_researchers_is_kept_apart(context: Context, running: uuid.UUID) -> None:
    facts = report_progress(context, running).facts
    assert (facts.allocation_user, facts.allocation_model, facts.allocation_effective) == ("210", None, "210")
    assert facts.allocation_approved is None


def test_what_the_budget_allows(context: Context, running: uuid.UUID) -> None:
    spent = {item.name: item for item in report_progress(context, running).facts.budget}
    assert spent["calls"].used_up and not spent["usd"].used_up
    assert spent["tokens"].limit is None and not spent["tokens"].used_up


def test_its_text_changes_with_what_is_shown(context: Context, running: uuid.UUID) -> None:
    before = repr(report_progress(context, running))
    assert repr(report_progress(context, running)) == before
    context.database.execute(update(ReportTask).where(ReportTask.task_id == "r2-1").values(status="nothing_found"))
    assert repr(report_progress(context, running)) != before


def test_what_ended_stands_still(context: Context, running: uuid.UUID) -> None:
    context.database.execute(update(Report).values(status="failed"))
    progress = report_progress(context, running)
    assert not progress.working and not progress.facts.stoppable


def test_a_source_that_closed_a_gap_is_known(context: Context, running: uuid.UUID) -> None:
    progress = report_progress(context, running)
    (closed,) = [gap for gap in progress.gaps if gap.state == "closed"]
    assert [progress.source_of(found) for found in closed.evidence] == ["okafor2019"]
    assert progress.source_of("c1") is None


def test_no_such_report(context: Context) -> None:
    with pytest.raises(NotFoundError):
        report_progress(context, uuid.uuid4())


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("210", "210"),
        ("2", "200"),
        (None, None),
        ({}, "000"),
        ({"web_count": 1, "academic_count": 0, "book_count": 2}, "102"),
    ],
)
def test_an_allocation_in_digits(given: object, shown: str | None) -> None:
    assert digits(given) == shown
