from __future__ import annotations

import pytest

from research.citations.references import CitationRegistry
from research.document import Reference
from research.sources.base import Hit


def hit(title: str, *, provider: str = "openalex", **fields: object) -> Hit:
    return Hit(provider=provider, kind="academic", title=title, locator=title, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("authors", "year", "publisher", "title", "key"),
    [
        (("Ana Ortiz",), 2019, None, "Visits", "ortiz2019"),
        (("Núñez, José",), 2019, None, "Visits", "nunez2019"),
        (("Sørensen, Åse",), None, None, "Visits", "sorensen"),
        (("John Smith Jr.",), 2001, None, "Visits", "smith2001"),
        (("World Bank",), 2020, None, "Visits", "worldbank2020"),
        ((), 2020, "The Lake Review", "Visits", "lakereview2020"),
        ((), None, None, "¿Qué leen los niños?", "leen"),
        (("王小明",), 2020, None, "2020", "source2020"),
    ],
)
def test_keys(authors: tuple[str, ...], year: int | None, publisher: str | None, title: str, key: str) -> None:
    assert CitationRegistry().add(hit(title, authors=authors, year=year, publisher=publisher)) == key


def test_the_next_of_a_name_and_year_gets_a_letter() -> None:
    registry = CitationRegistry()
    titles = ["Herons of the northern lakes", "Price of maize in the valley", "Night buses and their drivers"]
    keys = [registry.add(hit(title, authors=("Ana Ortiz",), year=2019)) for title in titles]
    assert keys == ["ortiz2019", "ortiz2019b", "ortiz2019c"]


def test_a_known_work_keeps_its_key_and_gains_what_it_lacked() -> None:
    registry = CitationRegistry()
    first = registry.add(hit("Herons of the northern lakes", doi="10.5555/herons"))
    url = "https://example.org/herons"
    other = hit("Herons", provider="tavily", doi="https://doi.org/10.5555/HERONS", url=url, year=2018)
    assert registry.add(other) == first
    assert (registry.reference(first).year, registry.reference(first).title) == (
        2018,
        "Herons of the northern lakes",
    )
    by_address = Reference(key="any", title="", url=f"{url}?utm_source=mail")
    assert registry.add(by_address) == first


def test_a_work_of_another_doi_is_not_taken_in_by_its_title() -> None:
    registry = CitationRegistry()
    title = "Herons of the northern lakes"
    keys = {
        registry.add(hit(title, doi="10.5555/a")),
        registry.add(hit(title)),
        registry.add(hit(title, doi="10.5555/b")),
    }
    assert len(keys) == 2


def test_it_begins_with_the_references_of_a_document() -> None:
    known = Reference(key="gil2020", kind="web", title="Night buses and their drivers")
    registry = CitationRegistry([known, Reference(key="ortiz2019", title="Price of maize in the valley")])
    assert registry.add(hit("Night buses and their drivers", year=2020)) == "gil2020"
    assert registry.reference("gil2020") == known.model_copy(update={"year": 2020})
    assert registry.add(hit("Herons of the northern lakes", authors=("Ortiz, B.",), year=2019)) == "ortiz2019b"
