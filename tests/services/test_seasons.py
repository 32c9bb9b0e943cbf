"""The first season of a new installation is made once."""

from __future__ import annotations

import threading

from sqlalchemy import select

from core.models import Season
from services.context import Context
from services.seasons import current_season


def test_two_processes_at_once_have_one_season(context: Context) -> None:
    found = []

    def other() -> None:
        with context.database.session() as session:
            found.append(current_season(session).id)

    with context.database.session() as session:
        assert session.scalars(select(Season)).all() == []
        first = current_season(session).id
        waiting = threading.Thread(target=other)
        waiting.start()
        # It waits for what is not committed yet.
        waiting.join(0.5)
        assert found == []
    waiting.join()
    assert found == [first]
