"""Schemathesis sends what the OpenAPI document allows, and what it does not, to the real app with real entries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.specs.openapi import checks
from sqlalchemy import select

from core.config import load_settings
from core.models import Profile, ReportRevision
from flask_app import create_app
from services.accounts.api_tokens import make_token
from services.context import Context
from tests.support.research.reports import make_finished_report, make_running_report, make_waiting_report
from tests.support.research.supervisions import make_ended_supervision, make_waiting_supervision
from tests.support.review.desk import make_escalated, make_proposal
from tests.support.site import person, tidy_context
from web.api.openapi import path_of
from web.api.operation import OPERATIONS, Operation

_SETTINGS = settings(
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
#: What the document allows, then what it does not.
_MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
#: What is not allowed is slow to think up.
_EXAMPLES = {GenerationMode.POSITIVE: 8, GenerationMode.NEGATIVE: 3}
#: Rules of the house are no part of the schema: a field that is not proposed, a cursor that no list gave.
_BLUNT = [checks.positive_data_acceptance]


def _fits_the_schema(context: Any, response: Any, case: Any) -> None:
    """What the document allows is refused by no schema."""
    if response.status_code == 422 and case.meta.generation.mode is GenerationMode.POSITIVE:
        assert response.json()["code"] != "invalid_request", response.json()


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory, database_url: str, redis_url: str) -> Iterator[Context]:
    """One for all operations: what one of them changes, the next ones meet."""
    chosen = load_settings(
        _env_file=None,
        var_dir=tmp_path_factory.mktemp("api"),
        database_url=database_url,
        redis_url=redis_url,
        secret_key="test",
    )
    with tidy_context(chosen) as opened:
        yield opened


@pytest.fixture(scope="module")
def owner(context: Context) -> Profile:
    return person(context, "admin")


@pytest.fixture(scope="module")
def known(context: Context, owner: Profile) -> dict[str, list[str]]:
    """Ids of entries that are there, by the path variable that they stand for."""
    with context.database.session() as session:
        proposals = [make_proposal(context, session, owner) for _ in range(2)]
        escalated = [make_escalated(context, session, owner) for _ in range(2)]
        entries = proposals + escalated
        loops = [make_ended_supervision(session), *(make_waiting_supervision(session) for _ in range(3))]
        of_loops = select(ReportRevision).where(ReportRevision.supervision_id.in_([loop.id for loop in loops]))
        revisions = session.scalars(of_loops).all()
        ids = {
            "batch_id": [entry.upload.batch_id for entry in entries],
            "upload_id": [entry.upload.id for entry in entries],
            "submission_id": [entry.submission.id for entry in entries],
            "suggestion_id": [entry.suggestion.id for entry in proposals if entry.suggestion],
            "report_id": [
                make(session, owner).id
                for make in (make_finished_report, make_running_report, make_waiting_report)
            ],
            "supervision_id": [loop.id for loop in loops],
            "revision_id": [revision.id for revision in revisions],
            "escalation_id": [entry.escalation.id for entry in escalated if entry.escalation],
        }
    return {"page_no": ["1"], "version_no": ["1", "2"]} | {
        name: [str(value) for value in values] for name, values in ids.items()
    }


@pytest.fixture(scope="module")
def described(context: Context, owner: Profile) -> Any:
    """The document, and a token that opens everything."""
    app = create_app(context.settings, context)
    loaded = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)
    loaded.bearer = {"Authorization": f"Bearer {make_token(context, owner.id, 'schemathesis', 1)}"}
    return loaded


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.id)
def test_the_app_does_what_the_document_says(
    described: Any, known: dict[str, list[str]], operation: Operation
) -> None:
    found = described[f"/api/v1{path_of(operation)}"][operation.method]

    modes = _MODES if operation.query or operation.body else _MODES[:1]
    for mode in modes:
        _check(described, known, found, mode)


def _check(described: Any, known: dict[str, list[str]], found: Any, mode: GenerationMode) -> None:
    @seed(20261121)
    @settings(_SETTINGS, max_examples=_EXAMPLES[mode])
    @given(found.as_strategy(generation_mode=mode), st.data())
    def fits(case: Any, data: st.DataObject) -> None:
        wanted = (case.path_parameters or {}).keys() & known.keys() if mode is GenerationMode.POSITIVE else ()
        for name in sorted(wanted):
            case.path_parameters[name] = data.draw(st.sampled_from([*known[name], case.path_parameters[name]]))
        case.call_and_validate(
            headers=described.bearer, additional_checks=[_fits_the_schema], excluded_checks=_BLUNT
        )

    fits()
