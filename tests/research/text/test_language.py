from __future__ import annotations

import pytest

from research.text import detect_language


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
