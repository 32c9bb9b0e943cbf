"""Open Library: descriptions of every shape, merged and deleted works."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from research.sources.base import Hit, NoTextError, SearchScope, SourceProvider
from tests.support.research.sources import opened
from tests.support.servers.openlibrary_server import book, openlibrary_server

DESCRIPTION = "A handbook for fathers who read at school."


def find(source: SourceProvider, **scope: Any) -> list[Hit]:
    return list(source.search("handbook fathers", 10, SearchScope("book", **scope)))


@pytest.mark.parametrize(
    ("description", "work", "expected"),
    [
        (DESCRIPTION, {}, DESCRIPTION),
        ({"type": "/type/text", "value": DESCRIPTION}, {}, DESCRIPTION),
        ("**A** [handbook](x)\r\nfor fathers.", {}, "A handbook for fathers."),
        (None, {"first_sentence": {"type": "/type/text", "value": "Read."}}, "Read."),
        (
            None,
            {"excerpts": [{"excerpt": "An excerpt."}, {"excerpt": {"value": "Another."}}]},
            "An excerpt.\n\nAnother.",
        ),
        (None, {"table_of_contents": [{"title": "Evenings"}, {"title": None}, "Costs"]}, "Evenings\n\nCosts"),
        (DESCRIPTION, {"first_sentence": "Read."}, f"{DESCRIPTION}\n\nRead."),
    ],
)
def test_what_is_said_about_a_work(tmp_path: Path, description: object, work: Any, expected: str) -> None:
    with openlibrary_server([book(7, "Handbook of fathers", description, **work)]) as server:
        source = opened(tmp_path, server).by_name("openlibrary")
        text = source.fetch(find(source)[0])
    assert text.text == expected
    assert (text.url, text.year) == ("https://openlibrary.org/works/OL7W", 1997)


@pytest.mark.parametrize("work", [{}, {"description": ""}, {"type": {"key": "/type/delete"}, "description": "x"}])
def test_a_work_without_a_word(tmp_path: Path, work: Any) -> None:
    with openlibrary_server([book(7, "Handbook of fathers", **work)]) as server:
        source = opened(tmp_path, server).by_name("openlibrary")
        with pytest.raises(NoTextError):
            source.fetch(find(source)[0])


def test_a_merged_work_is_followed(tmp_path: Path) -> None:
    moved = {"type": {"key": "/type/redirect"}, "location": "/works/OL8W"}
    books = [book(7, "Handbook of fathers", **moved), book(8, "Other", DESCRIPTION)]
    with openlibrary_server(books) as server:
        source = opened(tmp_path, server).by_name("openlibrary")
        assert source.fetch(Hit("openlibrary", "book", "T", "/works/OL7W")).text == DESCRIPTION


@pytest.mark.parametrize("target", ["/works/OL7W", "//evil.example.net/x", "/authors/OL1A", "/works/../people/x"])
def test_a_merger_that_leads_nowhere(tmp_path: Path, target: str) -> None:
    moved = {"type": {"key": "/type/redirect"}, "location": target}
    with openlibrary_server([book(7, "Handbook", **moved)]) as server, pytest.raises(NoTextError):
        opened(tmp_path, server).by_name("openlibrary").fetch(Hit("openlibrary", "book", "T", "/works/OL7W"))


def test_what_may_be_missing_may_be_missing(tmp_path: Path) -> None:
    bare = book(7, "Handbook of fathers", DESCRIPTION, authors=None, year=None, isbn=(), publisher=None)
    with openlibrary_server([bare]) as server:
        (hit,) = find(opened(tmp_path, server).by_name("openlibrary"))
    assert (hit.authors, hit.year, hit.isbn, hit.publisher) == ((), None, None, None)


def test_what_is_told_of_a_book(tmp_path: Path) -> None:
    with openlibrary_server([book(7, "Handbook of fathers", DESCRIPTION)]) as server:
        (hit,) = find(opened(tmp_path, server).by_name("openlibrary"))
        agent = server.requests[0].headers["user-agent"]
        assert "isbn" in server.requests[0].path
    assert (hit.authors, hit.year, hit.isbn, hit.publisher) == (
        ("Ana Ortiz",),
        1997,
        "9780140328721",
        "Harbor Press",
    )
    assert server.contact in agent


def test_domains_hold_for_books_too(tmp_path: Path) -> None:
    with openlibrary_server([book(7, "Handbook of fathers", DESCRIPTION)]) as server:
        source = opened(tmp_path, server).by_name("openlibrary")
        assert find(source, domains_denied=("openlibrary.org",)) == []
        assert find(source, domains_allowed=("example.org",)) == []
        assert len(find(source, domains_allowed=("openlibrary.org",))) == 1
