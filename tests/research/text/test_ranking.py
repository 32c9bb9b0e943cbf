from __future__ import annotations

from research.text.language import rank_sentences

SENTENCES = [
    "The programme costs forty dollars for each child.",
    "Geese fly south when the lakes freeze.",
    "A child reads at home.",
]


def test_what_answers_comes_first_and_what_does_not_gets_nothing() -> None:
    first, second, third = rank_sentences("What do programmes cost for a child?", SENTENCES, "en")
    assert 1 >= first > third > second == 0


def test_spanish() -> None:
    scores = rank_sentences(
        "¿Cuánto cuestan los programas?", ["El programa cuesta cien pesos.", "Llueve mucho."], "es"
    )
    assert scores[0] > scores[1] == 0


def test_a_question_without_words_ranks_nothing() -> None:
    assert rank_sentences("What is it?", SENTENCES, "en") == [0.0, 0.0, 0.0]
    assert rank_sentences("Costs?", [], "en") == []
