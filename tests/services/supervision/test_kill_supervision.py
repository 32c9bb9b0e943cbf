"""Kill -9 at every boundary and every checkpoint: the document is the same, and no model call is repeated."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text, update

from core.config import load_settings
from core.graphs import SCHEMA
from core.models import ReportCall, ReportRevision, ReportSupervision, ReportVersion
from services.context import Context
from services.supervision.documents import upload_document
from services.supervision.request import start_supervision
from services.supervision.revisions import decide_revision
from services.supervision.run import run_supervision
from tests.support.boundaries import DECIDE_BOUNDARIES, EXPANSION_BOUNDARIES, SUPERVISION_BOUNDARIES
from tests.support.long import some
from tests.support.research.research_library import put_papers
from tests.support.research.supervision_process import decide_and_die, run_and_die
from tests.support.research.theory_library import DOCUMENT, THEORY_PAPERS
from tests.support.servers.supervising_model import SupervisingModel
from tests.support.site import tidy_context

pytestmark = pytest.mark.slow


@pytest.fixture
def model() -> Iterator[SupervisingModel]:
    with SupervisingModel() as server:
        yield server


@pytest.fixture
def context(chosen: dict[str, Any], model: SupervisingModel) -> Iterator[Context]:
    settings = load_settings(**chosen, groq_api_key=model.key, groq_base_url=model.url)
    with tidy_context(settings) as opened:
        opened.redis.flushdb()
        put_papers(opened.database, THEORY_PAPERS)
        yield opened


@pytest.mark.long
def test_a_loop_that_was_killed_everywhere_ends_in_the_same_document(
    context: Context, model: SupervisingModel, officer: uuid.UUID, tmp_path: Path
) -> None:
    expected, calls = undisturbed(context, model, officer)
    supervision_id = begun(context, officer)
    deadly, died = some(SUPERVISION_BOUNDARIES, every=4), list[str]()
    spared = [name for name in SUPERVISION_BOUNDARIES if name not in deadly]
    while of(context, supervision_id).ended_because is None:
        at = run_and_die(context.settings, supervision_id, tmp_path, spare=[*spared, *died])
        if at is not None:
            died.append(at)
            end_lease(context, supervision_id)
        elif (revision := pending(context, supervision_id)) is not None:
            while (at := decide_and_die(context.settings, tmp_path, died, officer, revision)) is not None:
                died.append(at)
                if pending(context, supervision_id) is None:
                    break

    assert set(deadly) <= set(died), set(deadly) - set(died)
    assert set(EXPANSION_BOUNDARIES) <= set(died), died
    assert {*DECIDE_BOUNDARIES.values()} - {"decide:enqueued"} <= set(died)
    assert len([name for name in died if name.startswith("checkpoint:")]) >= 10
    assert written(context, supervision_id) == expected
    assert len(model.requests) == calls
    assert model.repeated == 0
    assert not model.faults


@pytest.mark.parametrize("place", ["integrate_content:done", "await_decision:start"])
def test_a_decision_may_come_before_the_loop_waits(
    context: Context, model: SupervisingModel, officer: uuid.UUID, tmp_path: Path, place: str
) -> None:
    expected, calls = undisturbed(context, model, officer)
    supervision_id = begun(context, officer)
    assert run_and_die(context.settings, supervision_id, tmp_path, only=place) == place
    end_lease(context, supervision_id)
    accept_all(context, officer, supervision_id)
    assert written(context, supervision_id) == expected
    assert len(model.requests) == calls


def test_without_checkpoints_the_rows_tell_how_it_goes_on(
    context: Context, model: SupervisingModel, officer: uuid.UUID
) -> None:
    expected, calls = undisturbed(context, model, officer)
    supervision_id = begun(context, officer)
    run_supervision(context, supervision_id)
    while (revision := pending(context, supervision_id)) is not None:
        forget_checkpoints(context)
        decide_revision(context, officer, revision, 1, "accepted")
        forget_checkpoints(context)
        assert run_supervision(context, supervision_id)
    assert written(context, supervision_id) == expected
    assert len(model.requests) == calls


def undisturbed(context: Context, model: SupervisingModel, officer: uuid.UUID) -> tuple[dict[str, Any], int]:
    supervision_id = begun(context, officer)
    run_supervision(context, supervision_id)
    accept_all(context, officer, supervision_id)
    expected, calls = written(context, supervision_id), len(model.requests)
    assert expected["ended"] == ("done", "max_iterations", 2, 2)
    assert calls > 0
    model.requests.clear()
    return expected, calls


def accept_all(context: Context, officer: uuid.UUID, supervision_id: uuid.UUID) -> None:
    while (revision := pending(context, supervision_id)) is not None:
        decide_revision(context, officer, revision, 1, "accepted")
        assert run_supervision(context, supervision_id)


def begun(context: Context, officer: uuid.UUID) -> uuid.UUID:
    report_id = upload_document(context, officer, "evenings.md", DOCUMENT.encode())
    return start_supervision(context, officer, report_id, "standard", "supervised")


def of(context: Context, supervision_id: uuid.UUID) -> ReportSupervision:
    return context.database.get_one(ReportSupervision, supervision_id)


def pending(context: Context, supervision_id: uuid.UUID) -> uuid.UUID | None:
    return context.database.scalar(
        select(ReportRevision.id).where(
            ReportRevision.supervision_id == supervision_id, ReportRevision.status == "pending"
        )
    )


def end_lease(context: Context, supervision_id: uuid.UUID) -> None:
    """What waiting would do."""
    context.database.execute(
        update(ReportSupervision).where(ReportSupervision.id == supervision_id).values(lease_until=None)
    )


def forget_checkpoints(context: Context) -> None:
    with context.database.session() as session:
        for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes"):
            session.execute(text(f"delete from {SCHEMA}.{table}"))


def written(context: Context, supervision_id: uuid.UUID) -> dict[str, Any]:
    """All that the loop left, without times and ids of rows."""
    with context.database.session() as session:
        loop = session.get_one(ReportSupervision, supervision_id)
        made = session.scalars(
            select(ReportRevision)
            .where(ReportRevision.supervision_id == supervision_id)
            .order_by(ReportRevision.iteration)
        )
        calls = session.execute(
            select(ReportCall.purpose, ReportCall.reply).where(ReportCall.report_id == loop.report_id)
        )
        versions = session.scalars(
            select(ReportVersion.document)
            .where(ReportVersion.report_id == loop.report_id)
            .order_by(ReportVersion.version_no)
        )
        return {
            "ended": (loop.status, loop.ended_because, loop.iterations, loop.integrations),
            "versions": list(versions),
            "revisions": [(one.issue, one.outcome, one.status, one.document, one.made_version) for one in made],
            "calls": sorted((purpose, str(reply)) for purpose, reply in calls),
        }
