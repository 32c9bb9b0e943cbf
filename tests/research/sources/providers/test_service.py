"""A provider's address: nothing else is ever asked, and its key stays in a header."""

from __future__ import annotations

import pytest

from core.retry import Attempts
from research.sources.base import SourceRefusedError
from research.sources.providers.sdk_session import session_of
from research.sources.providers.service import Service
from research.sources.web.exchange import Bounds
from research.sources.web.pace import Pace
from tests.support.servers.openalex_server import OpenAlexServer, openalex_server, work


def service(server: OpenAlexServer, key: str | None = None) -> Service:
    headers = {"Authorization": f"Bearer {key or server.key}"}
    return Service(
        "openalex", server.url, headers, Attempts(1, 5, [].append), Pace(1000, sleep=[].append), Bounds(5, 10**6)
    )


def test_only_its_own_address_is_asked() -> None:
    with openalex_server([work(7, "Reading")]) as server, openalex_server() as other:
        ours = service(server)
        strangers = [f"{other.url}/works/W7", f"{server.url}.example.net/works/W7", f"{server.url}@example.net/"]
        for url in strangers:
            with pytest.raises(SourceRefusedError):
                ours.ask("GET", url)
        with pytest.raises(SourceRefusedError):
            session_of(ours).get(strangers[0])
        assert other.requests == server.requests == []
        assert ours.get("/works/W7")["title"] == "Reading"


def test_a_packages_own_headers_and_time_outs_do_not_count() -> None:
    with openalex_server([work(7, "Reading")]) as server:
        session = session_of(service(server))
        answer = session.get(f"{server.url}/works/W7", headers={"Authorization": "Bearer other"}, timeout=1e-9)
        assert answer.json()["title"] == "Reading"
        assert server.refused == []


def test_a_key_that_no_header_can_carry_is_refused_without_being_told() -> None:
    with openalex_server() as server, pytest.raises(SourceRefusedError) as failed:
        service(server, key="se\u00f1al\n7").ask("GET", f"{server.url}/works/W7")
    assert "7" not in str(failed.value)
    assert failed.value.__context__ is None
