"""The record of events as JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict

from services.event_log.list_events import EventRow


def json_lines(rows: Iterable[EventRow]) -> Iterator[str]:
    """Yield one JSON object a line; times in ISO 8601, ids as text."""
    for row in rows:
        yield json.dumps(asdict(row) | {"created_at": row.created_at.isoformat()}, default=str) + "\n"
