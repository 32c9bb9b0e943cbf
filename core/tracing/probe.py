"""Ask the trace endpoint whether it takes our key and knows our project."""

from __future__ import annotations

from core.config import Settings
from core.errors import TracesAwayError
from core.tracing import langsmith_client


def knows_project(settings: Settings) -> bool:
    """Whether the endpoint has the project of LANGSMITH_PROJECT; it makes it with the first trace otherwise.

    Raises TracesAwayError where it does not answer, or does not take the key.
    """
    import httpx2
    from langsmith.utils import LangSmithError, LangSmithNotFoundError

    try:
        langsmith_client(settings).read_project(project_name=settings.langsmith_project)
    except LangSmithNotFoundError:
        return False
    except (LangSmithError, httpx2.HTTPError, ValueError) as exc:
        raise TracesAwayError(f"langsmith: {type(exc).__name__}") from exc
    return True
