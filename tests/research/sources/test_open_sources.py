"""Which providers are on, who answers what, and what to do about the others."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from core.config import Settings
from core.errors import ConfigurationError
from core.messages import say
from research.sources.base import SearchScope, SourceKind, SourceRefusedError
from research.sources.library import LibrarySource
from research.sources.providers import ALL_SOURCES, REMOTE_SOURCES
from services.context import Context
from tests.support.research.library import add_and_read
from tests.support.research.sources import opened
from tests.support.servers.firecrawl_server import firecrawl_server
from tests.support.servers.openalex_server import openalex_server, work
from tests.support.servers.openlibrary_server import openlibrary_server
from tests.support.servers.tavily_server import tavily_server

KINDS: tuple[SourceKind, ...] = get_args(SourceKind)
EVENINGS = "Fathers came to 412 reading evenings in Cedar Falls, and every child took a book home."


def test_the_library_comes_last_and_names_are_their_own() -> None:
    assert ALL_SOURCES[-1] is LibrarySource
    assert len({source.name for source in ALL_SOURCES}) == len(ALL_SOURCES) == 5
    assert all(source.kinds <= set(KINDS) for source in ALL_SOURCES)


def test_without_settings_the_library_answers_everything(tmp_path: Path) -> None:
    sources = opened(tmp_path)
    assert [[source.name for source in sources.for_kind(kind)] for kind in KINDS] == [["library"]] * 4
    assert [name for name, _ in sources.off] == [source.name for source in REMOTE_SOURCES]


@pytest.mark.parametrize("source", REMOTE_SOURCES, ids=lambda source: str(source.name))
def test_who_is_off_says_what_to_set(source: type, tmp_path: Path) -> None:
    sentence = say(dict(opened(tmp_path).off)[source.name])
    named = [name for name in Settings.model_fields if name.upper() in sentence]
    assert len(named) == 1
    assert named[0].startswith(source.name)
    assert [on.name for on in opened(tmp_path, **{named[0]: "word@example.org"}).on] == [source.name, "library"]


def test_each_kind_has_its_providers_and_the_library(tmp_path: Path) -> None:
    with (
        openalex_server() as openalex,
        openlibrary_server() as openlibrary,
        tavily_server() as tavily,
        firecrawl_server() as firecrawl,
    ):
        sources = opened(tmp_path, firecrawl, tavily, openlibrary, openalex)
        names = {kind: [source.name for source in sources.for_kind(kind)] for kind in KINDS}
        assert sources.off == []
        assert not [server for server in (openalex, openlibrary, tavily, firecrawl) if server.requests]
    assert names == {
        "academic": ["openalex", "library"],
        "book": ["openlibrary", "library"],
        "web": ["tavily", "firecrawl", "library"],
        "essay": ["library"],
    }


def test_by_name(tmp_path: Path) -> None:
    sources = opened(tmp_path)
    assert sources.by_name("library").name == "library"
    for name in ("openalex", "nobody"):
        with pytest.raises(SourceRefusedError):
            sources.by_name(name)


def test_a_contact_that_no_header_can_carry_stops_the_start(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="OPENLIBRARY_CONTACT"):
        opened(tmp_path, openlibrary_contact="desk@example.org\r\nX: y")


def test_library_and_provider_side_by_side(tmp_path: Path, context: Context) -> None:
    add_and_read(context, EVENINGS, "evenings.txt", "academic")
    with openalex_server([work(7, "Reading evenings", EVENINGS)]) as server:
        sources = opened(tmp_path, server, database=context.database)
        for source in sources.for_kind("academic"):
            (hit,) = source.search("What do reading evenings bring?", 5, SearchScope("academic"))
            text = source.fetch(hit)
            assert EVENINGS in text.text
            assert sources.by_name(hit.provider) is source
            assert [one.text for one in text.passages] == [
                text.text[one.start_char : one.end_char] for one in text.passages
            ]
