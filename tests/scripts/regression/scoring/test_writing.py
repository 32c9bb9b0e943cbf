"""How an entry was put on paper."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.regression.scoring.writing import Writing, writing_of


@pytest.mark.parametrize(
    ("kind", "truth", "expected"),
    [
        ("flattened_form_26", {"typed": True}, Writing.TYPED),
        ("vector_text_form_26", {"typed": False}, Writing.PRINTED),
        ("scan_single_25_hand", {"typed": False}, Writing.HANDWRITTEN),
        ("scan_form_26_hand_header_typed_essay", {"typed": False}, Writing.HANDWRITTEN),
        ("scan_batch_23_typed", {"typed": False}, Writing.PRINTED),
        ("scan_batch_23_typed", {"typed": False, "hazards": ["hand_header"]}, Writing.HANDWRITTEN),
        ("photo", {"typed": False, "handwriting_font": "a hand"}, Writing.HANDWRITTEN),
        ("photo", {"typed": False, "handwriting_font": None}, Writing.PRINTED),
    ],
)
def test_ways_of_writing(kind: str, truth: dict[str, Any], expected: Writing) -> None:
    assert writing_of(kind, truth) is expected
