"""Essays in columns are read column by column; tables and headers in two parts are not taken for columns."""

from __future__ import annotations

import pytest

from pipeline.extract_ifi import read_entry
from pipeline.extraction.layouts.columns import column_tokens
from pipeline.pages.page_model import LETTER, PageContent, Source
from tests.support.reading.paper import FORM_2026, HEADER, Set, essay, moved, page

HEAD: list[Set] = [(60, 60, "Marisol Vega", 12), (60, 78, "Juniper School", 12), (60, 96, "Grade 4", 12)]
TITLE: Set = (190, 124, "The Man Who Mends the Clocks of Our Town", 14)
STORY = (
    "My father mends clocks in a small shop behind the market and he lets me wind the old ones when he is "
    "done with them. On Sundays we walk along the river and he tells me which birds come back first in "
    "spring. When I was afraid of the dark he drew a lamp on my wall with chalk and said that it would "
    "burn until I slept. He never laughs at a question. He says that asking is how a clock is opened and "
    "that a quiet person hears it tick. I want to listen like he does, and to mend what other people "
    "throw away because it is slow."
)


def columns(
    texts: str, edges: list[float], width: int, top: float = 150, *, size: float = 10, drop: float = 0
) -> list[Set]:
    """The words set in columns of so many letters, whose lines begin at these edges."""
    lines, line = [], ""
    for word in texts.split():
        if len(line) + len(word) >= width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    lines.append(line)
    rows = -(-len(lines) // len(edges))
    return [
        (edges[n // rows], top + 14 * (n % rows) + drop * (n // rows), text, size) for n, text in enumerate(lines)
    ]


def essay_of(*pages: PageContent) -> str:
    return " ".join((read_entry(pages)[0]["essay_text"].value or "").split())


@pytest.mark.parametrize(
    ("edges", "width"), [([60, 320], 46), ([60, 235, 410], 31), ([40, 180, 320, 460], 25), ([60, 302], 46)]
)
@pytest.mark.parametrize("source", [Source.TEXT_LAYER, Source.OCR])
def test_columns_are_read_one_after_the_other(edges: list[float], width: int, source: Source) -> None:
    read, _ = read_entry([page(1, [*HEAD, TITLE, *columns(STORY, edges, width)], source=source)])
    assert " ".join((read["essay_text"].value or "").split()) == STORY
    assert [read[name].value for name in ("student_name", "school_name", "grade")] == [
        "Marisol Vega",
        "Juniper School",
        "4",
    ]


@pytest.mark.parametrize("drop", [3.0, 7.0])
def test_the_lines_of_columns_need_not_be_level(drop: float) -> None:
    assert essay_of(page(1, [*HEAD, TITLE, *columns(STORY, [60, 320], 46, drop=drop)])) == STORY


def test_columns_on_the_second_page_only() -> None:
    first = page(1, [*HEAD, *essay(150, 20, 60)])
    assert essay_of(first, page(2, columns(STORY, [60, 320], 46, 80))).endswith(STORY)


def test_the_header_at_the_top_of_the_first_column_stays_in_front() -> None:
    words = columns(STORY, [60], 46)
    right = [(320.0, 60.0 + 14 * n, text[2], 10.0) for n, text in enumerate(words[-9:])]
    assert essay_of(page(1, [*HEAD, *words[:-9], *right])) == STORY


def test_a_header_at_the_right_stays_above_both_columns() -> None:
    head: list[Set] = [(400, y, text, size) for _, y, text, size in HEAD]  # type: ignore[misc]
    read, _ = read_entry([page(1, [*head, *columns(STORY, [60, 320], 46)])])
    assert read["student_name"].value == "Marisol Vega"
    assert " ".join((read["essay_text"].value or "").split()) == STORY


def test_a_last_column_of_one_line_goes_on_with_the_first() -> None:
    words = columns(STORY, [60], 46)
    last: Set = (320, words[0][1], words[-1][2], 10)
    assert essay_of(page(1, [*HEAD, TITLE, *words[:-1], last])) == STORY


def test_what_stands_across_parts_two_bands_of_columns() -> None:
    above, below = columns(STORY, [60, 320], 46), columns(STORY, [60, 320], 46, 340)
    across: Set = (120, 310, "And this is what he told me again when the winter had come", 10)
    read = essay_of(page(1, [*HEAD, TITLE, *above, across, *below]))
    assert read == f"{STORY} {across[2]} {STORY}"


def test_columns_in_the_place_of_a_forms_essay() -> None:
    read, _ = read_entry([page(1, [*FORM_2026, *HEADER, *columns(STORY, [36, 310], 46, 240)])])
    assert " ".join((read["essay_text"].value or "").split()) == STORY
    assert read["student_name"].value == "Marisol Vega"


def test_words_say_where_they_are_on_the_page() -> None:
    content = page(1, [*HEAD, TITLE, *columns(STORY, [60, 320], 46)])
    tokens = column_tokens(content)
    assert tokens is not None
    places = {(round(t.place.x0, 4), round(t.place.y0, 4)) for t in tokens}
    assert places == {(round(w.box.x0, 4), round(w.box.y0, 4)) for w in content.words}


@pytest.mark.parametrize(
    "texts",
    [
        [*essay(150, 20, 60)],
        [*FORM_2026, *HEADER, *essay()],
        [(60, 60 + 18 * n, f"Name {n} of the child", 11) for n in range(9)]
        + [(330, 60 + 18 * n, f"School {n} of this town", 11) for n in range(9)],
        [
            (60, 60, "Name: Marisol Vega", 11),
            (330, 60, "Grade: 4", 11),
            (60, 78, "School: Juniper", 11),
            (330, 78, "Room: 12", 11),
            *essay(120, 20, 60),
        ],
        [(60, 150 + 15 * n, "Why is he a hero?", 10) for n in range(12)]
        + [(330, 150 + 15 * n, "Because he listens.", 10) for n in range(12)],
    ],
)
def test_no_columns(texts: list[Set]) -> None:
    assert column_tokens(page(1, texts)) is None


def test_two_pages_beside_each_other_on_one_sheet_are_no_columns() -> None:
    sheet = page(1, columns(STORY, [60, 320], 46))
    sheet.width, sheet.height = LETTER[1], LETTER[0]
    assert column_tokens(sheet) is None


def test_a_skewed_scan() -> None:
    scan = page(1, [*HEAD, TITLE, *columns(STORY, [60, 330], 44)], source=Source.OCR, confidence=0.97)
    assert essay_of(moved(scan, 5, -4, 1.0, 0.008)) == STORY


def test_verses_beside_each_other_are_never_sure() -> None:
    verses: list[Set] = [
        (x, 150.0 + 15 * n, line, 10.0)
        for n in range(8)
        for x, line in ((60.0, "The clocks he mends are old"), (330.0, "And every one of them goes"))
    ]
    read, _ = read_entry([page(1, [*HEAD, *verses])])
    assert read["essay_text"].confidence < 0.8
    assert read_entry([page(1, [*HEAD, *essay(150, 20, 60)])])[0]["essay_text"].confidence == 1.0
