"""A loop from its beginning to its end, with a model that is played."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from sqlalchemy import select

from core.models import (
    Report,
    ReportClaim,
    ReportPassage,
    ReportRevision,
    ReportSource,
    ReportSupervision,
    ReportTask,
    ReportVersion,
)
from research.document import ReportDocument
from research.supervision.loop.routing import cited_keys
from services.context import Context
from services.recovery.research_kinds import SUPERVISIONS
from services.recovery.work import take_lease
from services.supervision.request import start_supervision
from services.supervision.run import run_supervision


def of(context: Context, supervision_id: uuid.UUID) -> ReportSupervision:
    return context.database.get_one(ReportSupervision, supervision_id)


def revisions(context: Context, supervision_id: uuid.UUID) -> Sequence[ReportRevision]:
    return context.database.scalars(
        select(ReportRevision)
        .where(ReportRevision.supervision_id == supervision_id)
        .order_by(ReportRevision.iteration)
    )


def document(context: Context, report_id: uuid.UUID, version_no: int | None = None) -> ReportDocument:
    with context.database.session() as session:
        number = version_no or session.get_one(Report, report_id).current_version
        return ReportDocument.model_validate(session.get_one(ReportVersion, (report_id, number)).document)


def test_a_document_is_deepened_by_itself(context: Context, officer: uuid.UUID, report_id: uuid.UUID) -> None:
    supervision_id = start_supervision(context, officer, report_id, "standard", "automatic")
    assert run_supervision(context, supervision_id)
    row = of(context, supervision_id)
    assert (row.status, row.ended_because, row.phase) == ("done", "max_iterations", "")
    assert (row.iterations, row.integrations, row.first_version, row.last_version) == (2, 2, 1, 3)
    made = revisions(context, supervision_id)
    assert [one.issue["topic"] for one in made if one.issue] == ["attachment theory", "scaffolding"]
    assert [(one.status, one.made_version) for one in made] == [("applied", 2), ("applied", 3)]
    after = document(context, report_id)
    bodies = " ".join(section.body for section in after.sections)
    assert "attachment theory" in bodies and "scaffolding" in bodies.casefold()
    assert cited_keys(after) == {reference.key for reference in after.references}
    assert document(context, report_id, 1).sections[1:] == after.sections[1:]


def test_every_quotation_stands_in_a_stored_source(
    context: Context, officer: uuid.UUID, report_id: uuid.UUID
) -> None:
    supervision_id = start_supervision(context, officer, report_id, "standard", "automatic")
    run_supervision(context, supervision_id)
    with context.database.session() as session:
        claims = session.scalars(select(ReportClaim).where(ReportClaim.report_id == report_id)).all()
        texts = {
            key: "".join(
                session.scalars(
                    select(ReportPassage.text)
                    .where(ReportPassage.report_id == report_id, ReportPassage.source_key == key)
                    .order_by(ReportPassage.position)
                )
            )
            for key in session.scalars(select(ReportSource.key).where(ReportSource.report_id == report_id))
        }
    assert len(claims) >= 2
    for claim in claims:
        assert claim.status == "verified" and claim.source_key is not None
        assert texts[claim.source_key][claim.start_char : claim.end_char] == claim.quote


def test_a_work_that_the_document_cites_keeps_its_key(
    context: Context, officer: uuid.UUID, report_id: uuid.UUID
) -> None:
    run_supervision(context, start_supervision(context, officer, report_id, "quick", "automatic"))
    with context.database.session() as session:
        titles = dict(session.execute(select(ReportSource.key, ReportSource.title)).all())  # type: ignore[arg-type]
    assert titles["abara2018"] == "Fathers who read with their children"
    assert all("." not in key for key in titles)


def test_who_has_a_lease_is_left_alone(context: Context, officer: uuid.UUID, report_id: uuid.UUID) -> None:
    supervision_id = start_supervision(context, officer, report_id, "quick", "automatic")
    assert take_lease(context, SUPERVISIONS, supervision_id) is not None
    assert not run_supervision(context, supervision_id)


def test_the_next_loop_builds_on_the_last(context: Context, officer: uuid.UUID, report_id: uuid.UUID) -> None:
    first = start_supervision(context, officer, report_id, "quick", "automatic")
    run_supervision(context, first)
    second = start_supervision(context, officer, report_id, "quick", "automatic")
    run_supervision(context, second)
    assert [of(context, one).first_version for one in (first, second)] == [1, 2]
    after = document(context, report_id)
    keys = [reference.key for reference in after.references]
    assert len(keys) == len(set(keys)) == len({reference.title for reference in after.references})


def test_a_deeper_tier_sends_more_researchers(context: Context, officer: uuid.UUID, report_id: uuid.UUID) -> None:
    run_supervision(context, start_supervision(context, officer, report_id, "high_quality", "automatic"))
    with context.database.session() as session:
        rows = session.execute(select(ReportTask.task_id, ReportTask.kind, ReportTask.round_index)).all()
    assert {row.kind for row in rows if "_1_" in row.task_id} == {"academic", "book", "web"}
    assert {row.round_index for row in rows} == {4}
