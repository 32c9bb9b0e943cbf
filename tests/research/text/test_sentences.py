from __future__ import annotations

import pytest

from research.text.language import split_sentences


def sentences(text: str, language: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text, language)]


@pytest.mark.parametrize(
    ("language", "wanted"),
    [
        (
            "en",
            ["Dr. Okoro came.", "It was 3.5 km, i.e. far.", "See p. 12 and Fig. 3.", "J. Smith et al. agreed."],
        ),
        ("en", ["The U.S. Department paid.", "Who asked?", "Nobody!", "🎉 It went on."]),
        (
            "es",
            [
                "El Sr. Gómez y la Dra. Ruiz vinieron.",
                "Véase la pág. 12.",
                "¿De verdad?",
                "¡Sí!",
                "Costó 3,5 mill. de pesos.",
            ],
        ),
    ],
)
def test_ends_of_sentences(language: str, wanted: list[str]) -> None:
    assert sentences(" ".join(wanted), language) == wanted


def test_a_full_line_goes_on_and_an_ended_line_does_not() -> None:
    full = "The programme paid each school for the visits that\nMaría Ortiz made in the year before."
    assert sentences(f"Costs\n{full}\n- Buses\n- Meals", "en") == ["Costs", full, "- Buses", "- Meals"]


def test_the_number_of_an_item_belongs_to_it() -> None:
    assert sentences("1. Fathers read. 2. Mothers too.", "en") == ["1. Fathers read.", "2. Mothers too."]


@pytest.mark.parametrize("text", ["", " \n\n\t"])
def test_nothing(text: str) -> None:
    assert split_sentences(text, "en") == []
