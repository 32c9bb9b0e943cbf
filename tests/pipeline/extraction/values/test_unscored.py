"""Values whose words have no score: weak, but not taken for misread."""

from __future__ import annotations

import pytest

from pipeline.extraction.tokens import Token
from pipeline.extraction.values.fields import UNREADABLE, reading_of
from pipeline.pages.page_model import UNSCORED, Box, Source
from pipeline.profiles import FieldKind

CASES = [(FieldKind.PERSON, "Mia"), (FieldKind.EMAIL, "mia.vega@inbox")]


def tokens(text: str, confidence: float) -> list[Token]:
    return [Token(text, Box(0, 0, 60, 12), confidence, Source.OCR, 1, 0)]


@pytest.mark.parametrize(("kind", "text"), CASES)
def test_what_has_no_score_is_kept_and_weak(kind: FieldKind, text: str) -> None:
    reading = reading_of(kind, tokens(text, UNSCORED), "label")
    assert reading is not None and reading.value == text
    assert reading.confidence < UNREADABLE


@pytest.mark.parametrize(("kind", "text"), CASES)
def test_what_was_scored_low_is_dropped(kind: FieldKind, text: str) -> None:
    reading = reading_of(kind, tokens(text, UNSCORED - 0.01), "label")
    assert reading is not None and reading.value is None
