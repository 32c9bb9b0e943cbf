"""What rules and labeller both read is sure; what one of them reads, or each differently, is not."""

from __future__ import annotations

import pytest

from pipeline.extraction.labelling.header import LabelledHeader, agreed
from pipeline.pages.page_model import Source
from pipeline.schema import FieldReading


def reading(value: str | None, confidence: float, method: str) -> FieldReading:
    return FieldReading(value=value, confidence=confidence, source=Source.TEXT_LAYER, evidence=[], method=method)


def test_the_same_letters_are_surer_than_either() -> None:
    rule, label = reading("Ana Ruiz", 0.8, "header line"), reading("ANA RUIZ", 0.96, "labelled")
    found = agreed({"student_name": rule}, LabelledHeader({"student_name": label}))["student_name"]
    assert found.confidence > 0.96 and found.disagrees_with is None


def test_two_who_are_not_sure_by_themselves_complete_no_entry() -> None:
    rule, label = reading("Ana Ruiz", 0.9, "header line"), reading("ANA RUIZ", 0.9, "labelled")
    found = agreed({"student_name": rule}, LabelledHeader({"student_name": label}))["student_name"]
    assert found.confidence < 0.8 and found.disagrees_with is None


def test_different_values_are_doubtful_and_say_so() -> None:
    rule, label = reading("Ana Ruiz", 1.0, "header line"), reading("Ana Ruiz Oakley", 0.99, "labelled")
    found = agreed({"student_name": rule}, LabelledHeader({"student_name": label}))["student_name"]
    assert (found.value, found.disagrees_with) == ("Ana Ruiz Oakley", "Ana Ruiz")
    assert found.confidence < 0.8


def test_an_unsure_labeller_does_not_replace_what_a_heading_names() -> None:
    rule, label = reading("Oakley School", 1.0, "heading"), reading("Ruiz", 0.4, "labelled")
    found = agreed({"school_name": rule}, LabelledHeader({"school_name": label}))["school_name"]
    assert (found.value, found.disagrees_with) == ("Oakley School", "Ruiz")
    assert found.confidence < 0.8


def test_a_rule_alone_is_believed_only_behind_a_heading() -> None:
    by_place, headed = reading("Ana Ruiz", 1.0, "header line"), reading("Oakley", 1.0, "heading")
    mail = reading("ana@example.org", 1.0, "header line")
    found = agreed({"student_name": by_place, "school_name": headed, "email": mail}, LabelledHeader({}))
    assert found == {"school_name": headed, "email": mail}


def test_the_labeller_alone_is_believed_where_it_is_sure() -> None:
    sure, unsure = reading("Oakley", 0.99, "labelled"), reading("Ana", 0.9, "labelled")
    found = agreed({}, LabelledHeader({"school_name": sure, "student_name": unsure}))
    assert found["school_name"] == sure
    assert found["student_name"].confidence < 0.8


@pytest.mark.parametrize("value", ["Saint Dad", "what he taught me"])
def test_the_labeller_alone_is_not_believed_that_words_of_other_kinds_are_a_school(value: str) -> None:
    found = agreed({}, LabelledHeader({"school_name": reading(value, 0.99, "labelled")}))
    assert (found["school_name"].value, found["school_name"].confidence < 0.8) == (value, True)


def test_a_room_that_rules_leave_at_a_school_is_no_other_school() -> None:
    rule, label = reading("Oakley/101", 0.4, "header line"), reading("Oakley", 0.99, "labelled")
    found = agreed({"school_name": rule}, LabelledHeader({"school_name": label}))["school_name"]
    assert (found.value, found.disagrees_with, found.confidence >= 0.99) == ("Oakley", None, True)


def test_an_unexplained_word_leaves_the_entry_to_a_person() -> None:
    rule, label = reading("Ana Ruiz", 0.9, "header line"), reading("Ana Ruiz", 0.99, "labelled")
    mail = reading("ana@example.org", 1.0, "header line")
    header = LabelledHeader({"student_name": label}, unexplained=True)
    found = agreed({"student_name": rule, "email": mail}, header)
    assert found["student_name"].unaccounted
    assert found["email"] == mail
