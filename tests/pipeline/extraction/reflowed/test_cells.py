from __future__ import annotations

from pipeline.extraction.reflowed_cells import begins_paragraph, cell_lines, cells_of, whole_words
from pipeline.extraction.tokens import all_tokens, token_text
from tests.support.reading.paper import Set, page


def cells(*texts: Set) -> list[str]:
    return [token_text(cell) for cell in cells_of(all_tokens(page(1, texts)))]


def test_a_wrap_stays_in_its_column() -> None:
    assert cells(
        (30, 100, "Name / Nombre Marisol"),
        (30, 112, "Vega Robles"),
        (250, 100, "School / Escuela Juniper"),
        (250, 112, "Hill School"),
    ) == ["Name / Nombre Marisol Vega Robles", "School / Escuela Juniper Hill School"]


def test_columns_whose_lines_are_one_run_of_the_stream_are_parted_at_the_left_edge_of_another_line() -> None:
    wide: list[Set] = [(30, 100, "Name Marisol  Juniper Hill"), (100, 112, "School")]
    assert cells(*wide) == ["Name Marisol", "Juniper Hill School"]


def test_a_value_in_another_type_behind_its_label_is_in_its_cell() -> None:
    assert cells((30, 100, "Grade"), (58, 100.5, "4th", 11), (30, 114, "next")) == ["Grade 4th next"]


def test_a_line_far_below_begins_another_cell() -> None:
    assert cells((30, 100, "Marisol"), (30, 140, "Vega")) == ["Marisol", "Vega"]


def test_a_line_that_had_room_on_the_one_before_is_a_paragraph_of_its_own() -> None:
    texts: list[Set] = [(30, 100, "Name Marisol Vega"), (30, 112, "Ernesto"), (30, 124, "Vega")]
    first, second, _ = cell_lines(cells_of(all_tokens(page(1, texts)))[0])
    assert not begins_paragraph(first, second, first[-1].box.x1 + 10)
    assert begins_paragraph(first, second, first[-1].box.x1 + 60)


def test_a_name_broken_at_its_hyphen_is_whole_again() -> None:
    texts: list[Set] = [(30, 100, "Ana Vega-"), (30, 112, "Robles Cruz")]
    assert token_text(whole_words(cell_lines(cells_of(all_tokens(page(1, texts)))[0]))) == "Ana Vega-Robles Cruz"
