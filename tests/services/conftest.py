"""A context on the test's database, two reviewers, what waits for them, and two reports."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

import pytest

from services.context import Context
from tests.support.research.reports import make_finished_report, make_running_report
from tests.support.review import desk
from tests.support.site import person


@dataclass(frozen=True)
class Reviewers:
    """Two people who decide."""

    ana: uuid.UUID
    ben: uuid.UUID


@pytest.fixture
def reviewers(context: Context) -> Reviewers:
    ana = person(context, "reviewer", display_name="Ana Ruiz")
    return Reviewers(ana.id, person(context, "reviewer", display_name="Ben Okoro").id)


@pytest.fixture
def proposal(context: Context) -> desk.Entry:
    """A grade and another spelling of the school are proposed."""
    with context.database.session() as session:
        return desk.make_proposal(context, session)


@pytest.fixture
def escalated(context: Context) -> desk.Entry:
    """The grade is missing."""
    with context.database.session() as session:
        return desk.make_escalated(context, session)


@pytest.fixture
def finished(context: Context) -> uuid.UUID:
    """A finished report."""
    with context.database.session() as session:
        return make_finished_report(session).id


@pytest.fixture
def running(context: Context) -> uuid.UUID:
    """A report that is under way."""
    with context.database.session() as session:
        return make_running_report(session).id
