"""Comparing texts without an embedder."""

from __future__ import annotations

from research.text.meaning import NoMeaning, Text, covering, near_duplicates, order_by_nearness, rank_texts

TEXTS = (
    Text("The library lends tools to its members for a yearly fee.", "en"),
    Text("Un taller de guitarra abre los martes en la escuela.", "es"),
    Text("Its yearly fee is nine pounds.", "en"),
)


def test_texts_that_share_no_word_with_the_question_score_nothing() -> None:
    scores = rank_texts("What is the yearly fee?", TEXTS, NoMeaning())
    assert scores[1] == 0 < min(scores[0], scores[2])


def test_texts_are_ordered_by_the_question() -> None:
    assert order_by_nearness("¿Qué taller abre los martes?", TEXTS, NoMeaning()) == [1, 0, 2]


def test_texts_of_the_same_words_are_near_duplicates() -> None:
    again = Text("For a yearly fee, the library lends its members tools.", "en")
    assert near_duplicates([*TEXTS, again], NoMeaning()) == [(0, 3)]


def test_an_aspect_that_no_text_names_is_not_covered() -> None:
    assert covering(["yearly fees", "opening hours", "guitarras"], TEXTS, NoMeaning()) == [[0, 2], [], [1]]


def test_nothing_is_near_nothing() -> None:
    assert rank_texts("", [], NoMeaning()) == near_duplicates([], NoMeaning()) == []
    assert covering(["costs"], [], NoMeaning()) == [[]]
