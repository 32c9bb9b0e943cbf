"""The process context of a worker, opened once and inherited across RQ's fork."""

from __future__ import annotations

from functools import lru_cache

from core.config import get_settings
from services.context import Context, open_context
from services.forms.load_forms import load_forms


@lru_cache(maxsize=1)
def process_context() -> Context:
    """Return the context that the environment configures; a forked work-horse gets its parent's."""
    return open_context(get_settings())


def reading_context() -> Context:
    """Return the process context, with the forms that the database has in use: for jobs that read entries."""
    context = process_context()
    load_forms(context)
    return context
