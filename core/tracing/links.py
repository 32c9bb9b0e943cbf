"""Addresses of traces in LangSmith."""

from __future__ import annotations

import os
from functools import lru_cache

from core.config import Settings
from core.errors import TracesAwayError
from core.tracing import langsmith_client


def trace_url(settings: Settings, trace_id: str) -> str:
    """Return the address of a trace's page, as LangSmith's own client builds it.

    The project's address contains ids that only LangSmith knows; it is fetched once per process.
    Raises TracesAwayError.
    """
    return f"{_project_url(os.getpid(), settings)}/r/{trace_id}?poll=true"


@lru_cache(maxsize=4)
def _project_url(pid: int, settings: Settings) -> str:
    # The import takes a second, and every process imports this module.
    import httpx2
    from langsmith.utils import LangSmithError

    try:
        project = langsmith_client(settings).read_project(project_name=settings.langsmith_project)
    except (LangSmithError, httpx2.HTTPError, ValueError) as exc:
        raise TracesAwayError(f"langsmith: {type(exc).__name__}") from exc
    if project.url is None:
        raise TracesAwayError("langsmith: the project has no page")
    return str(project.url)
