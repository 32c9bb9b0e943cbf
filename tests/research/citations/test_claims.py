from __future__ import annotations

import pytest

from research.citations.claims import claims_something
from research.text.language import detect_language


@pytest.mark.parametrize(
    "sentence",
    [
        "Attendance rose by 12 %.",
        "Some forty schools joined.",
        "Participaron treinta y cinco padres.",
        "The visits began in March.",
        "Las visitas empezaron en marzo.",
        "The valley of Huasco is dry.",
        "Ortiz said so.",
        "María Pérez lo dijo.",
        "UNESCO agreed.",
        "Dr. Gil came.",
        "Chile pagó todo.",
        "UNESCO.",
    ],
)
def test_numbers_dates_and_names_claim_something(sentence: str) -> None:
    assert claims_something(sentence, detect_language(sentence))


@pytest.mark.parametrize(
    "sentence",
    [
        "Fathers read at home.",
        "Los padres leen en casa.",
        "It was clear: Most of them came.",
        "“The school” was closed.",
        "I think so, and one of them too.",
        "Did 40 schools join?",
        "There are two kinds: (a) and (2).".replace("two ", ""),
        "¿Quién vino?",
        "RESULTADOS",
        "IMPORTANT:",
        "Docentes y familias participan.",
        "Fathers' visits helped.",
        "Once the visits ended, fewer came.",
    ],
)
def test_others_do_not(sentence: str) -> None:
    assert not claims_something(sentence, detect_language(sentence))
