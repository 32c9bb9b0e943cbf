"""Interpret HTTP error responses: whether to retry, and after how many seconds."""

from __future__ import annotations

from datetime import UTC
from email.utils import parsedate_to_datetime

from core.clock import utcnow

#: Statuses worth a retry, besides every status from 500 up.
_PASSING_STATUSES = frozenset({408, 409, 425, 429})


def may_pass(status: int) -> bool:
    """Whether a request that got this status is worth a retry."""
    return status in _PASSING_STATUSES or status >= 500


def seconds_to_wait(header: str | None) -> float | None:
    """Read a Retry-After header (RFC 9110, 10.2.3): seconds, or the date to wait for. None if neither."""
    if header is None:
        return None
    text = header.strip()
    try:
        seconds = float(text)
    except ValueError:
        return _seconds_until(text)
    return seconds if 0 <= seconds < float("inf") else None


def _seconds_until(http_date: str) -> float | None:
    try:
        moment = parsedate_to_datetime(http_date)
    except ValueError:
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (aware - utcnow()).total_seconds())
