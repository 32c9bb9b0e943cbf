"""Signs beside the options of a form whose circles a re-flow has lost."""

from __future__ import annotations

import pytest

from pipeline.extraction.page_reading import read_page
from pipeline.extraction.reflowed_values import marked_options
from pipeline.schema import FieldReading
from tests.pipeline.extraction.test_entry import REFLOWED
from tests.support.reading.paper import FORM_2026, HEADER, Set, essay, page

OPTIONS = ("Father / Padre", "Grandfather / Abuelo", "Stepdad / Padrasto", "Father-Figure / Figura Paterna")


def read(*second: Set) -> dict[str, FieldReading]:
    return marked_options([read_page(page(1, [*REFLOWED, *essay(290, 20)])), read_page(page(2, second))])


def options(*texts: str) -> list[Set]:
    rest: list[Set] = [
        (36, 50, "3000 Character Maximum / Máximo de Caracteres"),
        (36, 70, "Father/Grandfather/Step-Dad/Father-Figure reaction to this essay:"),
    ]
    return [*rest, *((36, 90 + 18 * number, text) for number, text in enumerate(texts))]


@pytest.mark.parametrize(
    "marked",
    [
        "X Stepdad / Padrasto",
        "Stepdad / Padrasto x",
        "(x) Stepdad / Padrasto",
        "✔ Stepdad / Padrasto",
        "☒Stepdad / Padrasto",
    ],
)
def test_the_option_with_a_sign(marked: str) -> None:
    found = read(*options(*OPTIONS[:2], marked, OPTIONS[3]))["writing_about"]
    assert (found.value, found.method) == ("Stepdad", "sign beside the option")
    (place,) = found.evidence
    assert place.page == 2 and place.box.cy == pytest.approx(126 / 792, abs=0.01)


@pytest.mark.parametrize(
    "texts",
    [
        OPTIONS,
        tuple(f"☐ {text}" for text in OPTIONS),
        ("x Father / Padre", "x Grandfather / Abuelo", *OPTIONS[2:]),
        ("Father / Padre             x", *OPTIONS[1:]),
    ],
)
def test_none_or_several_say_nothing(texts: tuple[str, ...]) -> None:
    assert read(*options(*texts)) == {}


def test_a_form_in_its_own_layout_is_read_by_its_circles() -> None:
    crossed: Set = (432, 183, "x")
    assert marked_options([read_page(page(1, [*FORM_2026, *HEADER, crossed, *essay()]))]) == {}
