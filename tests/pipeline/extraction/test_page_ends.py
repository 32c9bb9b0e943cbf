"""Where the text of a page ends, and pages that are two."""

from __future__ import annotations

import pytest

from pipeline.extraction.page_roles import role_of
from pipeline.pages.page_model import PageContent, Source, Word
from pipeline.splitting.outlines import is_double, is_full, runs_over
from tests.support.reading.paper import Set, page

HEAD: list[Set] = [(72, 72, "Marisol Vega"), (72, 92, "Juniper School"), (72, 112, "Grade 4")]
LINE = "He helps me with my work and sings old songs to us"
OTHER = "My uncle paints signs for all of the shops"


def _page(lines: int, last: str, source: Source = Source.TEXT_LAYER) -> PageContent:
    body: list[Set] = [(72, 140 + 15 * n, LINE) for n in range(lines)]
    return page(1, [*HEAD, *body, (72, 140 + 15 * lines, last)], source=source)


@pytest.mark.parametrize(
    ("last", "goes_on"), [(LINE, True), (LINE + ".", False), (LINE + '!"', False), ("the end of it", False)]
)
def test_a_sentence_that_is_not_ended_goes_on(last: str, goes_on: bool) -> None:
    assert runs_over(role_of(_page(10, last))) is goes_on
    assert not runs_over(role_of(_page(10, last, Source.OCR)))


def test_a_page_is_full_at_its_end() -> None:
    assert is_full(role_of(_page(37, LINE, Source.OCR)))
    assert not is_full(role_of(_page(20, LINE, Source.OCR)))


def _lying(halves: list[list[str]]) -> PageContent:
    content = PageContent(1, 792, 612, source=Source.TEXT_LAYER)
    for place, lines in enumerate(halves):
        for number, text in enumerate(lines):
            for word in page(1, [(40, 60 + 20 * number, text)]).words:
                x0, y0, x1, y1 = word.box
                shift = 396 * place
                box = word.box._replace(
                    x0=(x0 * 612 + shift) / 792, x1=(x1 * 612 + shift) / 792, y0=y0 * 792 / 612, y1=y1 * 792 / 612
                )
                content.words.append(
                    Word(word.text, box, word.confidence, word.source, 100 * place + number, word.size)
                )
    return content


def test_two_entries_side_by_side_without_a_form_are_seen() -> None:
    first = ["Marisol Vega", "Juniper School", "Grade 4", *[LINE] * 5]
    second = [
        "Tobias Lindholm",
        "Heron Pond School",
        "Grade 6",
        *["My uncle paints signs for all of the shops"] * 5,
    ]
    assert is_double(_lying([first, second]))
    assert not is_double(_lying([first, [OTHER] * 8]))
    assert not is_double(_lying([first, []]))


@pytest.mark.parametrize("heading", [[], [(180, 60, "The Best Essays of Our Class", 20)]])
@pytest.mark.parametrize("second", ["Tobias Lindholm", "He was there for us"])
def test_a_column_for_each_of_two_children_is_seen_on_a_standing_page(heading: list[Set], second: str) -> None:
    columns: list[Set] = []
    for x, head in ((50, ["Marisol Vega", "Juniper School", "Grade 4"]), (330, [second, "Oak School", "Grade 2"])):
        head = head if second[0] == "T" or x == 50 else [second, "when it rained", "and when it did not"]
        columns += [(x, 110 + 18 * n, line) for n, line in enumerate(head)]
        columns += [(x, 180 + 15 * n, "He helps me with my work and sings") for n in range(14)]
    assert is_double(page(1, [*heading, *columns])) is (second == "Tobias Lindholm")
