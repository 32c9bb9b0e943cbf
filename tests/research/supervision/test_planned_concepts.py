"""What a plan's questions say that a report should rest on."""

from __future__ import annotations

import pytest

from research.supervision.planned_concepts import planned_concepts


@pytest.mark.parametrize(
    ("language", "question", "named"),
    [
        ("en", "What does attachment theory say of fathers?", ["attachment theory"]),
        (
            "en",
            "How do self-determination theory and social learning theory explain reading?",
            ["self-determination theory", "social learning theory"],
        ),
        ("en", "Which theories are used, and what do they cost?", []),
        ("en", "Why do fathers come to school?", []),
        ("es", "¿Qué dice la teoría del apego sobre los padres?", ["teoría del apego"]),
        ("es", "¿Qué hacen los padres en la escuela?", []),
    ],
)
def test_theories_by_their_names(language: str, question: str, named: list[str]) -> None:
    assert planned_concepts([question, question], language) == named
