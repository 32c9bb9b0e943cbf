"""Traces to LangSmith: off unless LANGSMITH_TRACING, content with LANGSMITH_SEND_CONTENT alone, pictures never."""

from __future__ import annotations

import contextvars
import os
import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import httpx2
import requests
from langsmith import Client, configure, utils
from langsmith._internal import _background_thread
from langsmith.anonymizer import create_anonymizer
from langsmith.utils import LangSmithError, LangSmithNotFoundError

from core.config import Settings, drop_environment
from core.errors import TracesAwayError

if TYPE_CHECKING:
    from langchain_core.callbacks import BaseCallbackHandler


# Addresses of traces in LangSmith.


def trace_url(settings: Settings, trace_id: str) -> str:
    """Return the address of a trace's page, as LangSmith's own client builds it.

    The project's address contains ids that only LangSmith knows; it is fetched once per process.
    Raises TracesAwayError.
    """
    return f"{_project_url(os.getpid(), settings)}/r/{trace_id}?poll=true"


@lru_cache(maxsize=4)
def _project_url(pid: int, settings: Settings) -> str:
    try:
        project = langsmith_client(settings).read_project(project_name=settings.langsmith_project)
    except (LangSmithError, httpx2.HTTPError, ValueError) as exc:
        raise TracesAwayError(f"langsmith: {type(exc).__name__}") from exc
    if project.url is None:
        raise TracesAwayError("langsmith: the project has no page")
    return str(project.url)


# Ask the trace endpoint whether it takes our key and knows our project.


def knows_project(settings: Settings) -> bool:
    """Whether the endpoint has the project of LANGSMITH_PROJECT; it makes it with the first trace otherwise.

    Raises TracesAwayError where it does not answer, or does not take the key.
    """
    try:
        langsmith_client(settings).read_project(project_name=settings.langsmith_project)
    except LangSmithNotFoundError:
        return False
    except (LangSmithError, httpx2.HTTPError, ValueError) as exc:
        raise TracesAwayError(f"langsmith: {type(exc).__name__}") from exc
    return True


# LangChain and LangSmith read the environment themselves and would start an unmasked trace.
# So tracing is switched off for the whole process, and a run is traced only where it carries our own tracer.


LANGSMITH_URL = "https://api.smith.langchain.com"

#: Keys of a run that hold no content: its ids, its place in the tree, its times.
STRUCTURE = frozenset(
    {
        "dotted_order",
        "end_time",
        "id",
        "name",
        "parent_run_id",
        "project_name",
        "run_type",
        "session_id",
        "session_name",
        "start_time",
        "trace_id",
    }
)

#: Metadata that holds ids, our own names and counts. A value that is not a plain identifier is still left out.
METADATA = frozenset(
    {
        "langgraph_node",
        "langgraph_step",
        "llm_attempt",
        "llm_provider",
        "llm_purpose",
        "ls_model_name",
        "ls_model_type",
        "ls_provider",
        "run_id",
        "run_no",
        "submission_id",
        "thread_id",
    }
)
_IDENTIFIER = re.compile(r"[A-Za-z0-9][\w.:/-]{0,99}", re.ASCII)
#: A picture in base64, wherever it stands: no word, name or id is as long.
_PICTURE = re.compile(r"[A-Za-z0-9+/]{100,}={0,2}")
_ERROR_CLASS = re.compile(r"[A-Za-z_][\w.]*(?=\()", re.ASCII)


def forbid_ambient_tracing() -> None:
    """Disable tracing by environment variables in this process. Cheap and idempotent."""
    drop_environment("LANGCHAIN_", "LANGSMITH_")
    utils.get_env_var.cache_clear()  # type: ignore[attr-defined]  # an lru_cache behind overloads
    utils.get_tracer_project.cache_clear()
    # In a context of its own: `configure` also sets a context variable that would silence our tracer.
    contextvars.copy_context().run(configure, enabled=False)


def trace_callbacks(settings: Settings) -> list[BaseCallbackHandler]:
    """Return the callbacks that trace one run, for `config["callbacks"]` of the outermost graph or chain.

    Empty when tracing is off. The trace's id is the run's `config["run_id"]`.
    """
    forbid_ambient_tracing()
    if not settings.langsmith_tracing:
        return []
    from langchain_core.tracers.langchain import LangChainTracer

    return [LangChainTracer(project_name=settings.langsmith_project, client=langsmith_client(settings))]


def flush_traces(settings: Settings, timeout: float = 10.0) -> None:
    """Send pending traces. A job calls it at its end: a forked work-horse exits without running exit handlers."""
    if settings.langsmith_tracing:
        langsmith_client(settings).flush(timeout)


def langsmith_client(settings: Settings) -> Client:
    """Return this process's client; it masks content unless LANGSMITH_SEND_CONTENT is set."""
    return _client(os.getpid(), settings)


def _threads_of_a_child() -> None:
    """Replace LangSmith's thread pool in a forked child, which would wait for threads that it does not have."""
    threads = max(_background_thread.LANGSMITH_CLIENT_THREAD_POOL._max_workers, 1)
    _background_thread.LANGSMITH_CLIENT_THREAD_POOL = ThreadPoolExecutor(max_workers=threads)


os.register_at_fork(after_in_child=_threads_of_a_child)


@lru_cache(maxsize=4)
def _client(pid: int, settings: Settings) -> Client:
    """Return the process's client; cached by process id because its sending threads do not survive a fork."""
    key = settings.langsmith_api_key
    kind = Client if settings.langsmith_send_content else MaskingClient
    hidden = not settings.langsmith_send_content
    # Redirects are not followed: traces and key would go along. The session is given before the client's thread
    # asks its first question.
    session = requests.Session()
    session.max_redirects = 0
    return kind(
        session=session,
        api_url=settings.langsmith_endpoint or LANGSMITH_URL,
        api_key=key.get_secret_value() if key else "",
        web_url=settings.langsmith_ui_url,
        hide_inputs=hidden,
        hide_outputs=hidden,
        hide_metadata=False,
        # Pictures stay here even if content is sent.
        anonymizer=create_anonymizer([{"pattern": _PICTURE, "replace": "(a picture)"}], max_depth=100),
        # Otherwise the client would send the names of environment variables.
        omit_traced_runtime_info=True,
        disable_prompt_cache=True,
    )


class MaskingClient(Client):
    """Sends the structure of a run without its content.

    LangSmith's own switches hide inputs and outputs but leave errors with their tracebacks, tags, events,
    invocation parameters and the serialised model. This client removes everything that is not on a list.
    """

    def create_run(self, name: str, inputs: dict[str, Any], run_type: Any, **run: Any) -> None:
        super().create_run(name, {}, run_type, **without_content(run))

    def update_run(self, run_id: Any, **run: Any) -> None:
        super().update_run(run_id, **without_content(run))


def without_content(run: Mapping[str, Any]) -> dict[str, Any]:
    """Return the structure of a run, its plain metadata and the class of its error."""
    masked = {key: value for key, value in run.items() if key in STRUCTURE}
    masked["extra"] = {"metadata": _plain_metadata((run.get("extra") or {}).get("metadata") or {})}
    if error := run.get("error"):
        named = _ERROR_CLASS.match(str(error))
        masked["error"] = named[0] if named else "Error"
    return masked


def _plain_metadata(metadata: Mapping[str, Any]) -> dict[str, Any]:
    plain = {key: value for key, value in metadata.items() if key in METADATA and _is_plain(value)}
    counts = metadata.get("usage_metadata")
    if isinstance(counts, Mapping):
        plain["usage_metadata"] = {key: value for key, value in counts.items() if isinstance(value, int)}
    return plain


def _is_plain(value: object) -> bool:
    return isinstance(value, int | float) or (isinstance(value, str) and _IDENTIFIER.fullmatch(value) is not None)
