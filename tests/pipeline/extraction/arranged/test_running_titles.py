from pipeline.extract_ifi import read_entry
from tests.support.reading.paper import Set, essay, page

HEAD: list[Set] = [(72, 80, "Marisol Vega", 12), (72, 98, "Juniper School", 12), (72, 116, "Grade 4", 12)]


def words(title: str, y: float, other: str | None = None) -> str | None:
    pages = [
        page(1, [*HEAD, *essay(140, 38, 72), (200, y, title)]),
        page(2, [*essay(80, 20, 72), (200, y, other or title)]),
    ]
    return read_entry(pages)[0]["word_count"].value


def test_what_stands_at_the_edge_of_two_pages_is_no_essay() -> None:
    assert words("Our hero of every day", 770) == "580"
    assert words("Essays of the year 2026 - 1", 40, "Essays of the year 2026 - 2") == "580"


def test_two_different_lines_are_the_essay() -> None:
    assert words("He is my hero.", 770, "I love him.") == "587"
