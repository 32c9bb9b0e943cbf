"""The library as a source: it finds by natural questions, keeps to its kinds and rules, and gives whole texts."""

from __future__ import annotations

import uuid

import pytest

from core.database import Database
from research.sources.base import Hit, NoTextError, SearchScope, SourceRefusedError, SourceUnavailableError
from research.sources.library import LibrarySource
from services.context import Context
from services.library.documents import remove_document
from tests.support.research.library import add_and_read, text_of

BOATS = """---
title: Boat Building for Fathers
publisher: Tidewater Guild
url: https://guild.example.org/boats
---
Fathers and their children build a rowing boat on twelve Saturdays. The fee is $140 for a family.
"""
GARDEN = """---
title: School Gardens and Attendance
publisher: Loam Review
---
Gardens at nine schools were tended by pupils. Attendance rose in seven of the schools, and fell in two.
"""
BARCAS = """---
title: Barcas con los padres
publisher: Tidewater Guild
---
Los padres y sus hijos construyen una barca durante doce sábados. La participación cuesta 140 dólares por familia.
"""


@pytest.fixture
def source(context: Context) -> LibrarySource:
    add_and_read(context, BOATS, "boats.md")
    add_and_read(context, GARDEN, "garden.md")
    add_and_read(context, BARCAS, "barcas.md")
    add_and_read(context, BOATS.replace("Boat Building", "A Book of Boat Building"), "book.md", "book")
    return LibrarySource(context.database)


def titles(source: LibrarySource, question: str, k: int = 8, **scope: object) -> list[str]:
    return [hit.title for hit in source.search(question, k, SearchScope(**{"kind": "web", **scope}))]


def test_a_question_in_plain_words_finds_what_answers_it(source: LibrarySource) -> None:
    assert titles(source, "What does it cost to build boats with fathers?")[0] == "Boat Building for Fathers"
    assert titles(source, "Does a school garden help attendance?") == ["School Gardens and Attendance"]
    assert titles(source, "What do zebras eat?") == []


def test_each_kind_is_answered_with_its_own(source: LibrarySource) -> None:
    assert titles(source, "boats", kind="book") == ["A Book of Boat Building for Fathers"]
    assert titles(source, "boats", kind="academic") == []


def test_the_language_asked_in_comes_first(source: LibrarySource) -> None:
    assert titles(source, "¿Cuánto cuesta construir una barca con los padres?", language="es") == [
        "Barcas con los padres"
    ]
    assert titles(source, "participacion de los padres", language="es") == ["Barcas con los padres"]
    both = titles(source, "Tidewater Guild 140", language="es")
    assert both == ["Barcas con los padres", "Boat Building for Fathers"]
    assert titles(source, "Tidewater Guild 140") == both[::-1]


@pytest.mark.parametrize("name", ["tidewater guild", "guild.example.org", "example.org", "www.tidewater guild."])
def test_rules_about_domains_hold_for_publisher_and_host(source: LibrarySource, name: str) -> None:
    assert "Boat Building for Fathers" not in titles(source, "fathers boats", domains_denied=(name,))
    assert titles(source, "fathers boats", domains_allowed=(name,))[0] == "Boat Building for Fathers"
    assert titles(source, "school gardens", domains_allowed=(name,)) == []


@pytest.mark.parametrize(
    "query", ["", "   ", "the of and", "'; drop table", 'a "b', "\\", "(((", "!!! & |", "\x00x", "-"]
)
def test_no_query_breaks_the_search(source: LibrarySource, query: str) -> None:
    assert list(source.search(query, 5, SearchScope("web"))) == []


def test_other_spellings_and_words_of_the_same_meaning_find_it(source: LibrarySource, context: Context) -> None:
    text = (
        "---\ntitle: Organised labour\n---\nThe programme of the centre was organised by neighbours of the prison."
    )
    add_and_read(context, text, "labour.md")
    for question in ("organized labor", "centers programs", "neighbors of the jail", "organisation of programmes"):
        assert titles(source, question)[0] == "Organised labour", question
    assert titles(source, "what do kids and dads build")[0] == "Boat Building for Fathers"


def test_excluded_words_exclude(source: LibrarySource) -> None:
    assert titles(source, "fathers children -boat") == []


def test_no_more_hits_than_asked_for_and_always_the_same(source: LibrarySource) -> None:
    assert titles(source, "schools fathers children", k=0) == []
    assert len(titles(source, "schools fathers children", k=1)) == 1
    assert titles(source, "schools fathers children") == titles(source, "schools fathers children")


def test_what_a_hit_tells(source: LibrarySource) -> None:
    hit = source.search("What is the fee for a family?", 1, SearchScope("web"))[0]
    assert (hit.provider, hit.kind, hit.publisher, hit.url) == (
        "library",
        "web",
        "Tidewater Guild",
        "https://guild.example.org/boats",
    )
    assert hit.score > 0


def test_the_text_is_whole(source: LibrarySource, context: Context) -> None:
    hit = source.search("boats", 1, SearchScope("web"))[0]
    fetched = source.fetch(hit)
    assert fetched.text == text_of(context, uuid.UUID(hit.locator))
    for passage in fetched.passages:
        assert fetched.text[passage.start_char : passage.end_char] == passage.text


def test_what_is_gone_cannot_be_fetched(source: LibrarySource, context: Context) -> None:
    hit = source.search("boats", 1, SearchScope("web"))[0]
    remove_document(context, uuid.UUID(hit.locator))
    assert "Boat Building for Fathers" not in titles(source, "boats")
    with pytest.raises(SourceRefusedError):
        source.fetch(hit)
    failed = add_and_read(context, b"", "empty.txt")
    with pytest.raises(NoTextError):
        source.fetch(Hit("library", "web", "x", str(failed)))


def test_a_database_that_is_away_is_an_error_of_the_source() -> None:
    away = LibrarySource(Database("postgresql://nobody@127.0.0.1:1/none"))
    with pytest.raises(SourceUnavailableError):
        away.search("boats", 3, SearchScope("web"))
