import pytest

from pipeline.pages.layout import without_edges, without_margins
from pipeline.pages.page_model import Source, Word
from tests.support.reading.paper import Set, essay, page

HEAD: list[Set] = [(72, 80, "Marisol Vega", 12), (72, 98, "Juniper School", 12), (72, 116, "Grade 4", 12)]
BODY = essay(140, 38, 72)


def left(*extra: Set, body: list[Set] | None = None) -> list[str]:
    """What stays of the texts that stand beside the essay."""
    words = page(1, [*extra, *(HEAD + BODY if body is None else body)]).words
    kept = set(map(id, without_margins(words, 792.0)))
    by_line: dict[int, list[Word]] = {}
    for word in words:
        by_line.setdefault(word.line, []).append(word)
    return [extra[n][2] for n in range(len(extra)) if all(id(word) in kept for word in by_line[n])]


@pytest.mark.parametrize(
    "text",
    [
        "2",
        "- 2 -",
        "[2]",
        "Page 2",
        "page 2 of 3",
        "2/3",
        "Página 2 de 3",
        "p. 2",
        "Marisol Vega - 2",
        "Essay by Marisol Vega, page 2",
        "The Clocks | 2",
    ],
)
def test_page_numbers_at_the_foot(text: str) -> None:
    assert left((280, 762, text)) == []


@pytest.mark.parametrize(
    "text", ["Vega 2", "Vega 1", "Essay by Marisol Vega, page 1", "Page 1 of 2", "7", "My Clocks - 3"]
)
def test_page_numbers_at_the_top(text: str) -> None:
    assert left((430, 40, text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "Marisol Vega 4",
        "Grade 4",
        "Room 12",
        "Juniper School 4",
        "Marisol Vega",
        "Vega, grade 4 - 12",
        "(312) 555-0134",
        "He is 42.",
    ],
)
def test_what_may_be_a_value_stays(text: str) -> None:
    assert left((72, 45, text)) == [text]


def test_a_number_among_other_lines_at_the_top_may_be_the_grade() -> None:
    assert left((72, 30, "4"), (72, 44, "Marisol Vega")) == ["4", "Marisol Vega"]
    assert left((72, 30, "Marisol Vega"), (72, 44, "4")) == ["Marisol Vega", "4"]


def test_a_browsers_lines() -> None:
    rows: list[Set] = [
        (24, 14, "2/11/26, 3:14 PM", 8),
        (230, 14, "Contest entry - Submission #20417", 8),
        (24, 781, "https://forms.example.org/d/1x7/view", 8),
        (560, 781, "1/2", 8),
    ]
    assert left(*rows) == []
    spanish: list[Set] = [(24, 20, "11 de febrero de 2026, 15:14", 8), (24, 20, "11/2/2026 15:14", 8)]
    assert left(spanish[1]) == []


def test_a_date_without_the_time_of_day_is_the_writers() -> None:
    assert left((24, 30, "Marisol Vega March 3, 2026")) == ["Marisol Vega March 3, 2026"]


@pytest.mark.parametrize(("x", "step"), [(40.0, 1), (40.0, 5), (590.0, 1)])
def test_line_numbers(x: float, step: int) -> None:
    numbers: list[Set] = [(x, BODY[n - 1][1], str(n), 8) for n in range(step, 39, step)]
    assert left(*numbers, body=BODY) == []


@pytest.mark.parametrize("x", [50, 560])
def test_the_only_line_number_of_a_short_essay(x: float) -> None:
    body = HEAD + essay(140, 38, 72)
    fifth = body[7][1]
    assert left((x, fifth, "5", 9)) == []
    assert left((x, 116, "5", 9)) == ["5"], "a grade at the end of a header's line"
    assert left((x, fifth, "4", 9)) == ["4"]


def test_numbers_of_a_list_stay() -> None:
    steps: list[Set] = [(40, BODY[n][1], str(n + 1), 10) for n in (0, 4, 9)]
    assert left(*steps, body=BODY) == ["1", "5", "10"]


def test_pages_without_such_text_stay_as_they_are() -> None:
    words = page(1, [*HEAD, *BODY[:20]]).words
    assert without_margins(words, 792.0) is words


@pytest.mark.parametrize(
    ("line", "middle", "stays"),
    [
        ("MAR-02-2026 09:14  OFFICE  312 555 0150  P.02", 10, False),
        ("02-Mar-2026 09:14AM FROM 312-555-0150 TO 312-555-0151", 12, False),
        ("03/02/2026 9:14 School office 3125550150 001/003", 785, False),
        ("Mar 2 2026 14:05:33 via fax 312 555 0150", 20, False),
        ("Phone 312 555 0150", 20, True),
        ("MAR-02-2026 09:14 312 555 0150", 120, True),
    ],
)
def test_lines_of_fax_machines_along_the_edges_of_a_recognised_page(line: str, middle: float, stays: bool) -> None:
    words = page(1, [(60, middle, line), *HEAD, *BODY], source=Source.OCR).words
    kept = without_edges(words, 792.0)
    assert [word for word in words if word.line > 0] == [word for word in kept if word.line > 0]
    assert any(word.line == 0 for word in kept) is stays
