"""Features of what pages name."""

from __future__ import annotations

import pytest

from research.material import SourceText
from research.readers.protocol import Asked
from research.readers.rules.named import Named, named_in
from research.readers.rules.signs import Pages, signs_among, signs_of
from research.report_type import ReportType
from tests.research.catalog_texts import by_key, source

ASKED = Asked("List 2 swimming clubs with costs", ReportType.CATALOG, "en", 2026, ("cost",), 2)


def opened(*sources: SourceText) -> tuple[Pages, list[Named]]:
    pages = Pages.of(ASKED, by_key(*sources))
    return pages, named_in(pages.sources, pages.entries)


def signs(
    name: str, text: str, title: str = "The Otter Hour and others", domain: str = "fenn.example"
) -> set[str]:
    pages, names = opened(source("fenn", title, text, domain=domain))
    return signs_of(next(one for one in names if name in one.names), pages, len(names))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We like it. A club called Otter Hour opened here.", {"before called", "after opened"}),
        ("Otter Hour, a swimming club, costs £3 a visit.", {"begins", "is a", "says a number", "fields 1"}),
        ("We saw the Otter Hour before it closed down.", {"says ended", "fields 0"}),
        ("It is run by Otter Hour.", {"agent"}),
        ("- Otter Hour: £3\n- Duck Pond: £4\n- Frog Lane: £5", {"entry", "tells 1", "of 3", "fields 1"}),
        ("We swam in the lake. Otter Hour is over there.", {"in title"}),
    ],
)
def test_what_stands_around_a_name_is_told(text: str, expected: set[str]) -> None:
    assert expected <= signs("Otter Hour", text)


def test_only_a_part_of_a_longer_name_is_told_as_such() -> None:
    text = "Families meet at the Otter Hour at Castle Mill every week."
    assert "goes on" in signs("Otter Hour", text)
    assert "goes before" in signs("Castle Mill", text)
    assert not {"goes on", "goes before"} & signs("Otter Hour at Castle Mill", text)


def test_a_page_at_the_address_of_a_name_is_its_own() -> None:
    text, title = "Otter Hour costs £3 a visit.", "Otter Hour: prices"
    assert "own page" in signs("Otter Hour", text, title, "otterhour.example")
    assert "own page" not in signs("Otter Hour", text, title)


def test_the_number_of_sources_is_a_feature() -> None:
    pages, names = opened(
        source("one", "Fenn", "We like the Otter Hour.", domain="one.example"),
        source("two", "Weir", "Go to the Otter Hour.", domain="two.example"),
    )
    otter = next(one for one in names if one.names[0] == "Otter Hour")
    assert {"sources 2", "named by 2 of 2"} <= signs_of(otter, pages, len(names))


def test_among_others_a_name_has_the_chances_of_its_neighbours() -> None:
    _, names = opened(
        source("one", "Fenn", "- Otter Hour: £3\n- Duck Pond: £4\n\nAsk Ana Ruiz.", domain="o.example")
    )
    chances = [{"Otter Hour": 0.9, "Duck Pond": 0.2}.get(one.names[0], 0.05) for one in names]
    found = dict(
        zip((one.names[0] for one in names), signs_among([set() for _ in names], names, chances), strict=True)
    )
    assert {"chance above 0.8", "beside above 0.15", "is beside"} <= found["Otter Hour"]
    assert {"chance above 0.15", "best beside above 0.8"} <= found["Duck Pond"]
    assert "is beside" not in found["Ana Ruiz"]


def test_among_others_a_name_has_the_chances_of_those_that_share_its_words() -> None:
    names = [Named((name,), (), ()) for name in ("Otter Hour at Castle Mill", "Otter Hour")]
    longer, shorter = signs_among([set(), set()], names, [0.3, 0.9])
    assert {"shorter above 0.8", "shorter is better True", "longer 0"} <= longer
    assert {"longer above 0.2", "longer is better False", "longer 1"} <= shorter
