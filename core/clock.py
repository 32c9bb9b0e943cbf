"""The only module that reads the system clock for dates."""

from datetime import UTC, datetime


def utcnow() -> datetime:
    """Return the present moment as an aware datetime in UTC."""
    return datetime.now(UTC)
