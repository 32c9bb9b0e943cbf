from __future__ import annotations

import pytest

from research.readers.findings import is_statement


@pytest.mark.parametrize(
    "text",
    [
        "Reading at home raises test scores in the first two years.",
        "En 2019, el 40 % de los padres leía cada noche con sus hijos.",
        "“Nobody had asked us before,” one of the teachers said that day.",
    ],
)
def test_statements(text: str) -> None:
    assert is_statement(text)


@pytest.mark.parametrize(
    "text",
    [
        "Effects of reading at home on scores in primary schools",
        "Did you know that reading at home raises test scores?",
        "Click here to read more about reading at home with children.",
        "Ortiz, M. (2019). Reading at home and what it does for children. Press.",
        "Table 3. Scores of children who were read to at home.",
        "| Reading at home | 3 | 4 | raises scores of children.",
        "Scores rose, as others have found [12], in the first two years.",
        "Todos los derechos reservados por la asociación de padres de familia.",
        "READING AT HOME RAISES SCORES OF MANY CHILDREN.",
        "Write to office@school.example.org about reading at home with children.",
        "and so the scores of children rose in the first two years.",
    ],
)
def test_rubble(text: str) -> None:
    assert not is_statement(text)
