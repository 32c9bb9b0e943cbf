"""Passages follow each other without a gap, at paragraphs and sentences."""

import random

import pytest

from research.sources.base import TARGET, clean_paragraphs, page_passages

SENTENCE = "Fathers read aloud to their children at the library every week. "


def check(paragraphs: list[tuple[str, int | None]]) -> str:
    """The whole text, its passages having been checked."""
    passages = page_passages(paragraphs)
    text = "".join(passage.text for passage in passages)
    end = 0
    for passage in passages:
        assert (passage.start_char, passage.end_char) == (end, end + len(passage.text))
        assert 0 < len(passage.text) <= TARGET * 5 // 4
        end = passage.end_char
    return text


def test_short_paragraphs_share_a_passage() -> None:
    assert [one.text for one in page_passages([("One.", None), ("  ", None), ("Two.", None)])] == ["One.\n\nTwo."]


def test_pages_do_not() -> None:
    passages = page_passages([("One.", 1), ("Two.", 2), ("Three.", 2)])
    assert [(one.text, one.page_no) for one in passages] == [("One.\n\n", 1), ("Two.\n\nThree.", 2)]


def test_a_long_paragraph_is_cut_behind_sentences() -> None:
    assert check([(SENTENCE * 60, None)]) == (SENTENCE * 60).strip()
    assert all(one.text.startswith("Fathers") for one in page_passages([(SENTENCE * 60, None)]))


@pytest.mark.parametrize("text", ["word " * 900, "x" * 3000, "¡Sí! ¿No? " * 300])
def test_what_has_no_sentences_is_cut_too(text: str) -> None:
    assert check([(text, None)]) == text.strip()


def test_any_paragraphs() -> None:
    chance = random.Random(5)
    for _ in range(200):
        sizes = [chance.choice((0, 3, 70, 790, 810, 1000, 1001, 4000)) for _ in range(chance.randint(0, 8))]
        paragraphs = [((SENTENCE * 70)[:size], chance.choice((None, 1, 2))) for size in sizes]
        whole = check(paragraphs)
        assert whole.split() == " ".join(text for text, _ in paragraphs if text.strip()).split()


def test_what_no_database_keeps_is_gone() -> None:
    assert clean_paragraphs("a\x00b\ud800c\x07  d \u200b\n\n\n e\u0301 ") == "a b c d\né"


def test_columns_of_adjacent_lines_stay_apart() -> None:
    assert clean_paragraphs("Kitchen    Rate\nMill Hall  £9 an hour") == "Kitchen\tRate\nMill Hall\t£9 an hour"
    assert clean_paragraphs("Kitchen\tRate\nMill Hall\t £9") == "Kitchen\tRate\nMill Hall\t£9"
    assert (
        clean_paragraphs("Said once.  Said again,\nand   then said no more.")
        == "Said once. Said again,\nand then said no more."
    )
