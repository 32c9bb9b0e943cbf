"""The client of a provider's API: its key stays in a header."""

from __future__ import annotations

import pytest
from pydantic import BaseModel

from core.retry import Attempts
from research.sources.base import SourceRefusedError
from research.sources.providers.service import Service
from research.sources.web.exchange import Bounds, Pace
from tests.support.servers.openalex_server import OpenAlexServer, openalex_server


def service(server: OpenAlexServer, key: str | None = None) -> Service:
    headers = {"Authorization": f"Bearer {key or server.key}"}
    return Service(
        "openalex", server.url, headers, Attempts(1, 5, [].append), Pace(1000, sleep=[].append), Bounds(5, 10**6)
    )


def test_a_key_that_no_header_can_carry_is_refused_without_being_told() -> None:
    with openalex_server() as server, pytest.raises(SourceRefusedError) as failed:
        service(server, key="se\u00f1al\n7").get(BaseModel, "/works/W7")
    assert "7" not in str(failed.value)
    assert failed.value.__context__ is None
