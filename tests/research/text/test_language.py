from __future__ import annotations

import pytest

from research.text.language import detect_language, foreign_words


@pytest.mark.parametrize(
    "text",
    [
        "¿Qué hacen los padres?",
        "costo de programas",
        "Hola",
        "arrecifes coral",
        "Evaluación de impacto",
        "Las lluvias de noviembre retrasaron la cosecha y el precio del maíz subió en el mercado.",
    ],
)
def test_spanish(text: str) -> None:
    assert detect_language(text) == "es"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1234 %",
        "What do fathers do?",
        "Hello",
        "solar energy",
        "school attendance in Chile",
        "Rain in November delayed the harvest, and maize grew dearer in every market of the valley.",
    ],
)
def test_english(text: str) -> None:
    assert detect_language(text) == "en"


@pytest.mark.parametrize(
    ("text", "language", "foreign"),
    [
        ("Schools say that the programme pide a cada escuela una cuota al año", "en", "pide a cada escuela"),
        ('He called it "Papá es el que está" and left', "en", "Papá es el que está"),
        ("Los padres, the report says, come to school con sus hijos", "es", "the report says"),
        ("Papás en el Aula runs in 74 schools of Villa Encinas", "en", ""),
        ("Según Harbor Dads at School, vienen más padres", "es", ""),
        ("A quinceañera and a fiesta de barrio were held", "en", ""),
        ("El programa cuesta 300 dólares al año", "es", ""),
        ("", "en", ""),
    ],
)
def test_words_of_the_other_language_are_found_and_names_are_none(text: str, language: str, foreign: str) -> None:
    found = foreign_words(text, language)  # type: ignore[arg-type]
    assert (foreign in found) if foreign else not found


def test_the_title_of_a_source_may_be_named_in_its_own_language() -> None:
    sentence = "It is told in Papás en el aula: un oficio, una hora, una clase."
    assert foreign_words(sentence, "en")
    assert not foreign_words(sentence, "en", "Papás en el aula: un oficio, una hora, una clase")
