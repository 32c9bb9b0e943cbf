"""Rows, entries, headed parts and paragraphs of a page."""

from __future__ import annotations

import pytest

from research.readers.rules.blocks import entries_of, paragraphs_of
from research.readers.rules.names import is_named, lead_of, plain_name


def names(text: str) -> list[str]:
    return [entry.name for entry in entries_of(text, "en")]


def test_a_table_has_rows_with_labelled_cells() -> None:
    text = "| Kitchen | Rate |\n|---|---|\n| Old Dairy | £9 |\n| Mill Hall | £11 |\n"
    entries = entries_of(text, "en")
    assert [entry.name for entry in entries] == ["Old Dairy", "Mill Hall"]
    assert [(part.label, part.text) for part in entries[0].parts] == [("Rate", "£9")]
    assert entries[0].parts[0].quote in text


def test_lines_with_tabs_are_rows_below_the_first() -> None:
    text = "Where to cook\n\nKitchen\tRate\nOld Dairy\t£9\nMill Hall\t£11\n\nAsk first."
    entries = entries_of(text, "en")
    assert [entry.name for entry in entries] == ["Old Dairy", "Mill Hall"]
    assert [(part.label, part.text, part.quote) for part in entries[1].parts] == [
        ("Rate", "£11", "Mill Hall\t£11")
    ]


def test_a_numbered_line_above_bullets_is_a_heading() -> None:
    first, second = entries_of("1. Old Dairy, on Monday\n- Costs £9.\n\n2. Mill Hall, later\n- Free.\n", "en")[:2]
    assert (first.name, [part.text for part in first.parts]) == ("Old Dairy", ["Costs £9."])
    assert second.name == "Mill Hall"


@pytest.mark.parametrize("mark", ["-", "*", "•", "–", "1.", "4.1."])
def test_entries_of_lists_whatever_their_mark(mark: str) -> None:
    assert names(f"{mark} Old Dairy. Costs £9.\n{mark} Mill Hall (Fenn): £11 an hour\n") == [
        "Old Dairy",
        "Mill Hall",
    ]


def test_what_stands_below_a_heading_ends_with_the_next_of_its_level() -> None:
    text = "# List\n\n## Old Dairy\n\nCosts £9.\n\n### Hours\n\nMondays.\n\n## Mill Hall\n\nFree.\n"
    of_dairy = next(entry for entry in entries_of(text, "en") if entry.name == "Old Dairy")
    assert [(part.label, part.text) for part in of_dairy.parts] == [("", "Costs £9."), ("Hours", "Mondays.")]
    assert of_dairy.headings == ("List",)


def test_each_of_several_lines_that_begin_with_a_name_is_an_entry() -> None:
    assert names("Old Dairy – Mondays, £9\nMill Hall – Sundays, free\n") == ["Old Dairy", "Mill Hall"]


def test_lines_with_labels_belong_to_the_entry_above_them() -> None:
    first, *_ = entries_of("- Old Dairy\nCost: £9\nDay: Monday\n- Mill Hall\nCost: free\nDay: Sunday\n", "en")
    assert first.name == "Old Dairy"
    assert " ".join(part.quote for part in first.parts) == "Cost: £9\nDay: Monday"


def test_a_lone_carriage_return_ends_no_line() -> None:
    assert names("- Old Dairy: costs\r£9\r\n- Mill Hall: free\r") == ["Old Dairy", "Mill Hall"]


def test_quoted_blocks_are_not_read() -> None:
    assert paragraphs_of("> **Grand Hall**: free\n\nOne. Two.\n", "en") != []
    assert names("> **Grand Hall**: free\n") == []


@pytest.mark.parametrize("name", ["Old Dairy", "Library of Things", "NudgeNurse", "El Oído Viajero", "El Corral"])
def test_names(name: str) -> None:
    assert is_named(name)


@pytest.mark.parametrize("words", ["How we tried them", "What Surprised Us", "boxes", "Why?", "Two parks"])
def test_other_words(words: str) -> None:
    assert not is_named(words)


def test_numbers_of_headings_are_no_part_of_names() -> None:
    assert [plain_name(one) for one in ("2.1 Old Dairy", "3. Mill Hall", "1.2.3. Barn")] == [
        "Old Dairy",
        "Mill Hall",
        "Barn",
    ]


def test_prose_leads_with_no_name_unless_it_is_marked() -> None:
    assert lead_of("Old Dairy. It costs £9.", is_entry=False) is None
    assert lead_of("**Old Dairy.** It costs £9.", is_entry=False) == ("Old Dairy", 14)
