"""No server of a configured address can have the product ask another: what it redirects to is never asked."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable
from contextlib import suppress

import numpy as np
import pytest
from pydantic import BaseModel

from core.auth.provider import open_auth
from core.config import Settings, load_settings
from core.errors import AppError, StorageError
from core.file_store import open_file_store
from core.llm.embeddings import EndpointEmbedder
from core.llm.providers import open_deep_model, open_model, open_vision_model
from core.tracing.traces import knows_project
from pipeline.ocr_providers.base import Pixels
from pipeline.ocr_providers.google import GoogleVision
from tests.research.sources.providers.test_contract import CASES
from tests.support.servers.loopback import LoopbackServer, Request, Response


class Empty(BaseModel):
    pass


class Redirecting(LoopbackServer):
    """Sends every request on to another address, method and body with it."""

    def __init__(self, status: int, target: str) -> None:
        super().__init__()
        self.status, self.target = status, target

    def respond(self, request: Request) -> Response:
        return Response(self.status, b"", {"Location": f"{self.target}{request.path}"})


class Inner(LoopbackServer):
    """What must not be reached, such as the address of a cloud's keys."""

    def respond(self, request: Request) -> Response:
        return Response(200, b"{}", {"Content-Type": "application/json"})


def settings(**given: object) -> Settings:
    return load_settings(_env_file=None, **given)


def _model(**given: object) -> None:
    model = open_model(settings(llm_max_attempts=1, **given))
    assert model is not None
    model.ask("?", "?", Empty, purpose="test")


def _deep(url: str) -> None:
    model = open_deep_model(settings(llm_max_attempts=1, anthropic_api_key="k", anthropic_base_url=url))
    assert model is not None
    model.ask("?", "?", Empty, purpose="test")


def _vision(url: str) -> None:
    model = open_vision_model(settings(llm_max_attempts=1, vision_model="m", vision_base_url=url))
    assert model is not None
    model.ask("?", "?", Empty, purpose="test")


def _auth(url: str) -> None:
    given = {"supabase_url": url, "supabase_service_role_key": "k", "supabase_publishable_key": "k"}
    provider = open_auth(settings(auth_provider="supabase", demo_accounts=False, **given))
    assert provider is not None
    with suppress(AppError):
        provider.people.mail_link("ana@example.org", "http://localhost/")
    provider.admin.tell(uuid.UUID(int=1), "reviewer", True)


def _line() -> Pixels:
    return np.full((20, 60, 3), 255, np.uint8)


#: How each address of the settings is asked, with something to send.
ASKED: dict[str, Callable[[str], object]] = {
    "anthropic_base_url": _deep,
    "embeddings_base_url": lambda url: EndpointEmbedder(url, "m", 3, "k", 5.0, 1).texts(["x"]),
    "google_vision_base_url": lambda url: GoogleVision(
        settings(google_vision_api_key="k", google_vision_base_url=url, ocr_max_attempts=1)
    ).recognise(_line()),
    "groq_base_url": lambda url: _model(groq_api_key="k", groq_base_url=url),
    "langsmith_endpoint": lambda url: knows_project(
        settings(langsmith_tracing=True, langsmith_api_key="k", langsmith_endpoint=url)
    ),
    "llm_base_url": lambda url: _model(llm_base_url=url, llm_model="m", llm_api_key="k"),
    "supabase_url": _auth,
    "vision_base_url": _vision,
}
#: Those of sources, `research/sources/providers/test_contract.py` tries; these are asked for nothing.
OTHERS = {"database_url", "redis_url", "public_url", "langsmith_ui_url"}


def test_each_address_is_tried() -> None:
    named = {name for name in Settings.model_fields if name.endswith(("_url", "_endpoint"))}
    assert named == {*ASKED, *OTHERS, *(f"{case.name}_base_url" for case in CASES)}


@pytest.mark.parametrize("status", [302, 307])
@pytest.mark.parametrize("name", list(ASKED))
def test_what_it_redirects_to_is_not_asked(name: str, status: int) -> None:
    with Inner() as inner, Redirecting(status, inner.url) as server:
        with pytest.raises(AppError):
            ASKED[name](server.url)
        assert server.requests and not inner.requests


def test_nor_by_a_thread_that_asks_before_its_client_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    start = threading.Thread.start

    def start_and_let_it_run(thread: threading.Thread) -> None:
        start(thread)
        time.sleep(0.3)

    with Inner() as inner, Redirecting(307, inner.url) as server:
        with monkeypatch.context() as at_once, pytest.raises(AppError):
            at_once.setattr(threading.Thread, "start", start_and_let_it_run)
            ASKED["langsmith_endpoint"](server.url)
        assert {request.path for request in server.requests} >= {"/info"} and not inner.requests


def test_nor_by_the_file_store() -> None:
    with Inner() as inner, Redirecting(307, inner.url) as server:
        store = open_file_store(settings(supabase_url=server.url, supabase_service_role_key="k"))
        for use in (lambda: store.put("a/x", b"x"), lambda: store.get("a/x"), lambda: store.delete("a/x")):
            with pytest.raises(StorageError):
                use()
        assert len(server.requests) == 3 and not inner.requests
