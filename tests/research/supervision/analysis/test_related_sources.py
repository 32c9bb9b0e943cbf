"""What a document rests on: what it cites, and what the library holds on its subject and on no other."""

from __future__ import annotations

import pytest

from research.document import Reference, ReportDocument, Section
from research.sources.library import LibrarySource
from research.supervision.analysis import LibrarySearch, related_sources
from services.context import Context
from tests.support.research.library import add_and_read
from tests.support.research.source_texts import source_text

KNOTS = """---
title: Knots that sailors tie
author: Ada Quill
publisher: Harbour Press
---
Sailors tie a bowline where a loop must hold. Ropes of hemp hold knots better than ropes of nylon.
"""
ROPES = """---
title: How ropes and knots carry a load
author: Bo Lindgren
publisher: Rope Review
---
A rope carries its load through friction: sailors tie knots so that friction holds the loop. Nylon ropes slip.
"""
BREAD = """---
title: Bread in village ovens
author: Cleo Marsh
publisher: Crust Letters
---
Village ovens bake bread on two mornings a week, and neighbours carry their loaves home.
"""


def document() -> ReportDocument:
    return ReportDocument(
        title="Knots of sailors",
        sections=(
            Section(key="a", heading="Loops", body="Sailors tie a bowline for a loop [@quill]. " * 3),
            Section(key="b", heading="Ropes", body="Ropes of hemp hold knots; nylon ropes slip [@quill]. " * 3),
        ),
        references=(Reference(key="quill", title="Knots that sailors tie", authors=("Ada Quill",)),),
    )


@pytest.fixture
def search(context: Context) -> LibrarySearch:
    for text, kind in ((KNOTS, "book"), (ROPES, "academic"), (BREAD, "web")):
        add_and_read(context, text, kind=kind)
    return LibrarySearch(LibrarySource(context.database), document())


def test_the_librarys_own_text_of_a_reference(search: LibrarySearch) -> None:
    cited = search.works(document().references)
    assert "bowline" in cited["quill"].text


def test_a_work_whose_title_stands_nowhere_in_its_text(search: LibrarySearch) -> None:
    wanted = Reference(key="b", title="How Ropes & Knots Carry a Load")
    assert "friction" in search.works([wanted])["b"].text


def test_a_reference_that_the_library_does_not_hold(search: LibrarySearch) -> None:
    assert search.works([Reference(key="x", title="Knots that weavers tie at night")]) == {}


def test_cited_sources_and_what_is_on_the_subject(search: LibrarySearch) -> None:
    assert [source.reference.title for source in related_sources(search, {}).values()] == [
        "Knots that sailors tie",
        "How ropes and knots carry a load",
    ]


def test_what_the_library_says_never_overwrites_what_was_read(search: LibrarySearch) -> None:
    read = source_text("quill", "Sailors tie knots; this is the text that was read for the report.")
    assert related_sources(search, {"quill": read})["quill"] is read


def test_every_kind_is_searched_under_the_keys_of_the_document(search: LibrarySearch) -> None:
    assert {key for key, _ in search("knots of sailors")} == {"quill", "lindgren"}
