"""The context of a worker process, opened once and carried over RQ's fork."""

from __future__ import annotations

from functools import lru_cache

from core.config import get_settings
from services.context import Context, open_context


@lru_cache(maxsize=1)
def process_context() -> Context:
    """Open the parts that the environment names; a forked work-horse finds its parent's."""
    return open_context(get_settings())
