"""A finished report and one that is under way."""

from __future__ import annotations

import uuid

import pytest

from services.context import Context
from tests.support.reports import make_finished_report, make_running_report


@pytest.fixture
def finished(context: Context) -> uuid.UUID:
    with context.database.session() as session:
        return make_finished_report(session).id


@pytest.fixture
def running(context: Context) -> uuid.UUID:
    with context.database.session() as session:
        return make_running_report(session).id
