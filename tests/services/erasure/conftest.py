"""An office whose entries are completed where they can be, with nothing left of other tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import text

from core.config import Settings
from services.context import Context
from tests.support.site import tidy_context


@pytest.fixture
def context(settings: Settings) -> Iterator[Context]:
    with tidy_context(settings.model_copy(update={"audit_share": 0.0})) as opened:
        with opened.database.session() as session:
            session.execute(text("truncate langgraph.checkpoints, langgraph.checkpoint_blobs"))
            session.execute(text("truncate langgraph.checkpoint_writes"))
        yield opened
