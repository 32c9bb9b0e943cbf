"""Reports of each state."""

from __future__ import annotations

import uuid

import pytest

from core.models import Profile
from services.context import Context
from tests.support.research.reports import make_finished_report, make_running_report, make_waiting_report


@pytest.fixture
def finished(context: Context) -> uuid.UUID:
    with context.database.session() as session:
        return make_finished_report(session).id


@pytest.fixture
def running(context: Context) -> uuid.UUID:
    with context.database.session() as session:
        return make_running_report(session).id


@pytest.fixture
def waiting(context: Context) -> uuid.UUID:
    with context.database.session() as session:
        return make_waiting_report(session).id


@pytest.fixture
def officer(people: dict[str, Profile]) -> Profile:
    return people["officer"]
