"""Schemathesis sends what the OpenAPI document allows, and what it does not, to the real app with real entries."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.specs.openapi import checks

from core.models import Profile
from services.accounts.api_tokens import make_token
from services.context import Context
from tests.support.desk import make_escalated, make_proposal
from web.api.openapi import path_of
from web.api.operation import OPERATIONS, Operation

_SETTINGS = settings(
    max_examples=12,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
#: What the document allows, then what it does not.
_MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
#: Rules of the house are no part of the schema: a field that is not proposed, a cursor that no list gave.
_BLUNT = [checks.positive_data_acceptance]


def _fits_the_schema(context: Any, response: Any, case: Any) -> None:
    """What the document allows is refused by no schema."""
    if response.status_code == 422 and case.meta.generation.mode is GenerationMode.POSITIVE:
        assert response.json()["code"] != "invalid_request", response.json()


@pytest.fixture
def known(context: Context, people: dict[str, Profile]) -> dict[str, list[str]]:
    """Ids of entries that are there, by the path variable that they stand for."""
    owner = people["admin"]
    with context.database.session() as session:
        proposal, escalated = make_proposal(context, session, owner), make_escalated(context, session, owner)
        assert proposal.suggestion and escalated.escalation
        ids = {
            "batch_id": [proposal.upload.batch_id],
            "upload_id": [proposal.upload.id],
            "submission_id": [proposal.submission.id, escalated.submission.id],
            "suggestion_id": [proposal.suggestion.id],
            "escalation_id": [escalated.escalation.id],
            "page_no": [1],
        }
    return {name: [str(value) for value in values] for name, values in ids.items()}


@pytest.fixture
def described(app: Flask, context: Context, people: dict[str, Profile]) -> Any:
    """The document, and a token that opens everything."""
    # An error that nobody foresaw is answered, as it would be outside of tests: the check is for 5xx.
    app.config["PROPAGATE_EXCEPTIONS"] = False
    loaded = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)
    token = make_token(context, people["admin"].id, "schemathesis", 1)
    loaded.bearer = {"Authorization": f"Bearer {token}"}
    return loaded


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.id)
def test_the_app_does_what_the_document_says(
    described: Any, known: dict[str, list[str]], operation: Operation
) -> None:
    found = described[f"/api/v1{path_of(operation)}"][operation.method]

    def fits(case: Any, data: st.DataObject) -> None:
        for name in (case.path_parameters or {}).keys() & known.keys():
            case.path_parameters[name] = data.draw(st.sampled_from([*known[name], case.path_parameters[name]]))
        case.call_and_validate(
            headers=described.bearer, additional_checks=[_fits_the_schema], excluded_checks=_BLUNT
        )

    for mode in _MODES if operation.query or operation.body else _MODES[:1]:
        seed(20261121)(_SETTINGS(given(found.as_strategy(generation_mode=mode), st.data())(fits)))()
