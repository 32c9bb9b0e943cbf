"""The labeller compares each word with each other one, so that their number is bounded."""

from __future__ import annotations

from pipeline.extraction.labelling.labeller import MOST_WORDS, label_lines


def test_lines_beyond_the_most_words_are_left_out() -> None:
    labelled = label_lines(["Name: Ana Lee", "word " * MOST_WORDS, "Grade: 5"])
    assert [one.word.text for one in labelled] == ["Name", ":", "Ana", "Lee"]
    assert label_lines(["word " * 20_000]) == []
