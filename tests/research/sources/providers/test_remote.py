"""Requests to a provider's API: its key stays in a header."""

from __future__ import annotations

from pathlib import Path

import pytest

from research.sources.base import SearchScope, SourceRefusedError
from tests.support.research.sources import opened
from tests.support.servers.openalex_server import openalex_server


def test_a_key_that_no_header_can_carry_is_refused_without_being_told(tmp_path: Path) -> None:
    with openalex_server() as server, pytest.raises(SourceRefusedError) as failed:
        source = opened(tmp_path, server, openalex_api_key="se\u00f1al\n7").by_name("openalex")
        source.search("works", 1, SearchScope("academic"))
    assert "7" not in str(failed.value)
    assert failed.value.__context__ is None
