"""The steps of a run lead to their trace at LangSmith."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator

import pytest
from flask import Flask
from pydantic import SecretStr

from core.config import Settings
from services.context import Context
from tests.support import factories
from tests.support.review import desk
from tests.support.servers.langsmith_server import LangSmithServer

TRACE = "00000000-0000-4000-8000-0000000000cc"


@pytest.fixture
def langsmith() -> Iterator[LangSmithServer]:
    with LangSmithServer() as server:
        yield server


@pytest.fixture
def settings(settings: Settings, langsmith: LangSmithServer, request: pytest.FixtureRequest) -> Settings:
    """As elsewhere, with traces for the loopback server."""
    given = {
        "langsmith_tracing": True,
        "langsmith_api_key": SecretStr(langsmith.key),
        "langsmith_endpoint": langsmith.url,
        "langsmith_ui_url": "https://smith.example.org",
    }
    return settings.model_copy(update=given | getattr(request, "param", {}))


@pytest.fixture
def app(own_app: Flask) -> Flask:
    """With the settings of these tests."""
    return own_app


@pytest.fixture
def entry(context: Context) -> uuid.UUID:
    with context.database.session() as session:
        run = factories.make_run(session, desk.make_entry(context, session).submission, run_no=9)
        factories.make_log(session, run, trace_id=TRACE)
        return run.submission_id


def links(page: str) -> list[str]:
    return re.findall(r'href="(/admin/traces/[^"]+)"', page)


def test_a_step_leads_to_its_trace(signed_in, entry: uuid.UUID, langsmith: LangSmithServer) -> None:
    client = signed_in("auditor")
    [link] = links(client.get(f"/submissions/{entry}").text)
    answer = client.get(link)
    assert answer.status_code == 302
    assert answer.location == f"https://smith.example.org{langsmith.project_path}/r/{TRACE}?poll=true"
    assert langsmith.faults == []


def test_who_does_not_oversee_sees_no_trace(signed_in, entry: uuid.UUID) -> None:
    client = signed_in("reviewer")
    assert links(client.get(f"/submissions/{entry}").text) == []
    assert client.get(f"/admin/traces/{TRACE}").status_code == 403


@pytest.mark.parametrize("settings", [{"langsmith_tracing": False}], indirect=True)
def test_without_traces_there_is_no_link(signed_in, entry: uuid.UUID) -> None:
    client = signed_in("admin")
    assert links(client.get(f"/submissions/{entry}").text) == []
    assert client.get(f"/admin/traces/{TRACE}").status_code == 404


def test_the_trace_of_no_run_is_not_found(signed_in, langsmith: LangSmithServer) -> None:
    assert signed_in("admin").get(f"/admin/traces/{uuid.uuid4()}").status_code == 404
    assert langsmith.requests == []


@pytest.mark.parametrize(
    "settings",
    [
        {"langsmith_project": "unknown"},
        {"langsmith_api_key": SecretStr("wrong")},
        {"langsmith_endpoint": "http://127.0.0.1:9"},
    ],
    indirect=True,
)
def test_langsmith_does_not_say(signed_in, entry: uuid.UUID) -> None:
    answer = signed_in("admin").get(f"/admin/traces/{TRACE}")
    assert answer.status_code == 503 and "LANGSMITH_PROJECT" in answer.text
