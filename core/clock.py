"""The one place that asks what time it is."""

from datetime import UTC, datetime


def utcnow() -> datetime:
    """Return the present moment as an aware datetime in UTC."""
    return datetime.now(UTC)
