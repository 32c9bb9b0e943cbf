"""The typed error for a provider's refusal over HTTP."""

from __future__ import annotations

from core.http_retry import may_pass, seconds_to_wait
from research.sources.base import SourceError, SourceRefusedError, SourceUnavailableError


def refusal(name: str, status: int, retry_after: str | None) -> SourceError:
    """Return the error for a failure status; it contains nothing of the body."""
    detail = f"{name}: http_{status}"
    if may_pass(status):
        return SourceUnavailableError(detail, retry_after=seconds_to_wait(retry_after))
    return SourceRefusedError(detail)
