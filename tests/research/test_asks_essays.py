"""Only a question about essays looks into them."""

import pytest

from research.questions.asking import asked_of_essays, asks_essays


@pytest.mark.parametrize(
    ("query", "asks"),
    [
        ("What do this season's essays say fathers do for their children?", True),
        ("Which chores do the entries of grade 4 name?", True),
        ("¿Qué dicen los ensayos de esta temporada sobre los padres?", True),
        ("¿Qué cuentan las redacciones de los niños?", True),
        ("What do school programmes do that bring fathers in?", False),
        ("What do entry-level jobs pay?", False),
        ("¿Qué muestran los ensayos clínicos sobre el sueño?", False),
        ("¿Hay ensayos aleatorizados sobre la lectura?", False),
    ],
)
def test_essays(query: str, asks: bool) -> None:
    assert asks_essays(query) is asks


def test_where_to_look_is_not_what_is_asked() -> None:
    asked = asked_of_essays("What do this season's essays say fathers do for their children?")
    assert asked == "What do say fathers do for their children?"
