"""Kill -9 at every boundary and checkpoint, each of another report: no call is repeated, nothing changes."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import select, update

from core.models import Report, ReportVersion
from core.models.leases import REPORT_LEASES
from lab.bench.measure import Measure, above, exactly, measured
from lab.bench.office import own_context
from services.accounts.people import create_user
from services.accounts.person import Role
from services.context import Context
from services.reports.request import KINDS, ReportRequest, request_report
from services.reports.run import run_report
from tests.support.boundaries import LOOP_BOUNDARIES, RESEARCHER_BOUNDARIES
from tests.support.research.report_process import places_passed, research_and_die
from tests.support.research.research_library import put_papers
from tests.support.servers.answering_model import AnsweringModel

_QUESTION = "What do school programmes do that bring fathers in, and what do they cost?"
BOUNDARIES = {*LOOP_BOUNDARIES, *(f"{kind}.{boundary}" for kind in KINDS for boundary in RESEARCHER_BOUNDARIES)}


@dataclass
class Tally:
    """What the kills did."""

    places: int = 0
    calls: int = 0
    repeated: int = 0
    changed: int = 0


def measure() -> list[Measure]:
    """A report undisturbed, then one for each place where a process can end."""
    with _desk() as (context, model, folder):
        places = places_passed(context.settings, _asked(context), folder)
        expected, calls = _undisturbed(context, model)
        tally = Tally(calls=calls)
        for place in places:
            _kill_at(place, context, model, folder, expected, tally)
    how = (
        f"{tally.places} reports, each killed once: at every boundary of the graph ({len(BOUNDARIES)}) and every "
        f"checkpoint of an undisturbed run; a model on this machine counts its prompts ({calls} a report)"
    )
    unseen = len(BOUNDARIES - set(places))
    return [
        measured("repeated_model_calls_after_kill", tally.repeated, "calls", exactly(0), how),
        measured(
            "reports_changed_by_a_kill", tally.changed, "reports", exactly(0), "the same; documents compared"
        ),
        measured("boundaries_not_visited", unseen, "boundaries", exactly(0), "of those that the code lists"),
        measured("model_calls_of_a_report", calls, "calls", above(0), "of the undisturbed report"),
    ]


def _undisturbed(context: Context, model: AnsweringModel) -> tuple[dict[str, Any], int]:
    model.requests.clear()
    report_id = _asked(context)
    run_report(context, report_id)
    return _document(context, report_id), len(model.requests)


def _kill_at(
    place: str, context: Context, model: AnsweringModel, folder: Path, expected: dict[str, Any], tally: Tally
) -> None:
    model.requests.clear()
    report_id = _asked(context)
    if research_and_die(context.settings, report_id, folder, only=place).at is None:
        raise RuntimeError(f"{place} was not visited")
    # What waiting for the lease to run out would do.
    context.database.execute(update(Report).where(Report.id == report_id).values(**REPORT_LEASES.ended))
    run_report(context, report_id)
    tally.places += 1
    # Calls that were answered before, and calls that only the kill brought about.
    tally.repeated += max(model.repeated, len(model.requests) - tally.calls)
    tally.changed += _document(context, report_id) != expected


def _asked(context: Context) -> uuid.UUID:
    person = context.database.scalar(select(Report.requested_by).limit(1))
    person = person or create_user(
        context, "officer@example.org", Role.OFFICER, "four quiet words here", "Officer"
    )
    return request_report(context, person, ReportRequest(_QUESTION, tier="quick"))


def _document(context: Context, report_id: uuid.UUID) -> dict[str, Any]:
    return context.database.get_one(ReportVersion, (report_id, 1)).document


@contextmanager
def _desk() -> Iterator[tuple[Context, AnsweringModel, Path]]:
    """A database, a queue, a small library and a model, all of the benchmark's own."""
    with (
        AnsweringModel() as model,
        own_context("resume", groq_api_key=model.key, groq_base_url=model.url) as context,
    ):
        put_papers(context.database)
        yield context, model, context.settings.var_dir
