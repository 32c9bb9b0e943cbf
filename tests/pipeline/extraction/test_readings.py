"""Several readings of one field become one."""

import pytest

from pipeline.extraction.readings import combined
from pipeline.pages.page_model import Source
from pipeline.profiles import FieldKind
from pipeline.schema import FieldReading


def name(first: str, other: str, confidence: float = 1.0) -> FieldReading:
    pages = [(first, 1.0), (other, confidence)]
    given = [FieldReading(value=value, confidence=sure, source=Source.TEXT_LAYER) for value, sure in pages]
    read = combined(FieldKind.PERSON, given)
    assert read is not None
    return read


def test_of_two_pages_that_spell_a_name_differently_neither_is_taken_unseen() -> None:
    read = name("Marisol Vega", "Marisol Vegas")
    assert (read.value, read.confidence, read.disagrees_with) == ("Marisol Vega", 0.5, "Marisol Vegas")


@pytest.mark.parametrize("other", ["MARISOL VEGA", "Marisol A. Vega", "Marisol Vega Robles"])
def test_a_fuller_or_shorter_name_is_the_same(other: str) -> None:
    assert name("Marisol Vega", other).disagrees_with is None


def test_a_surer_spelling_counts() -> None:
    assert name("Marisol Vega", "Marisol Vegas", 0.9).disagrees_with is None
