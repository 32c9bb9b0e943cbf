"""Words that persons or schools are called by, whatever their place."""

from __future__ import annotations

import pytest

from pipeline.extraction.labelling.header import is_known_given_name, is_of_kind
from pipeline.profiles import FieldKind


@pytest.mark.parametrize(
    ("text", "given"),
    [("Ana", True), ("ANA", True), ("Ana Ruiz", False), ("Xqyzt", False), ("May", False), ("Maestra", False)],
)
def test_a_given_name_is_one_word_of_the_list_that_says_nothing_else(text: str, given: bool) -> None:
    assert is_known_given_name(text) is given


@pytest.mark.parametrize(
    ("kind", "text", "known"),
    [
        (FieldKind.PERSON, "Ana Xqyzt", True),
        (FieldKind.PERSON, "Xqyzt", False),
        (FieldKind.SCHOOL, "Xqyzt School", True),
        (FieldKind.SCHOOL, "Oak Hills", True),
        (FieldKind.SCHOOL, "Saint Dad", False),
        (FieldKind.SCHOOL, "que me dijo", False),
        (FieldKind.GRADE, "5", True),
    ],
)
def test_a_value_is_told_for_its_kind_by_its_words(kind: FieldKind, text: str, known: bool) -> None:
    assert is_of_kind(kind, text) is known
