"""How proposals are judged."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.regression.prediction import Offered, Prediction
from scripts.regression.scoring.proposals import cases, proposal_figures
from tests.scripts.regression.made import label, prediction, scores


def offered(name: str, read: str | None, proposed: str | None, preferred: str = "proposed") -> Prediction:
    """An entry for review, right but for one field, which something is proposed for."""
    found = {name: Offered(read, proposed, preferred)}
    weak = {"weak_fields": [name]} if read else {"missing_fields": [name]}
    return prediction(needs_review=True, offered=found, **{name: read}, **weak)


def figures(*pairs: tuple[dict[str, Any], Prediction]) -> dict[str, Any]:
    return proposal_figures(cases(entry for score in scores(*pairs) for entry in score.entries))


@pytest.mark.parametrize(
    ("found", "right", "harmful"),
    [
        (offered("grade", None, "3"), 1, 0),
        (offered("grade", None, "4"), 0, 0),
        (offered("grade", "3", "3"), 1, 0),
        (offered("grade", "3", "4"), 0, 1),
        (offered("grade", "8", "4"), 0, 0),
        (offered("grade", "8", "3"), 1, 0),
        (offered("school_name", "Cedar Bend", "Cedar  bend"), 1, 0),
    ],
)
def test_a_chosen_value_is_right_wrong_or_harmful(found: Prediction, right: int, harmful: int) -> None:
    said = figures((label(), found))
    assert (said["missing"], said["proposed"], said["right"], said["harmful"]) == (1, 1, right, harmful)


@pytest.mark.parametrize(("read", "right"), [("3", 1), ("4", 0)])
def test_keeping_the_value_that_was_read_is_a_proposal_too(read: str, right: int) -> None:
    said = figures((label(), offered("grade", read, "5", "as_read")))
    assert (said["proposed"], said["right"], said["harmful"], said["changed"]) == (1, right, 0, 0)


def test_a_value_that_is_shown_without_being_chosen_is_no_proposal() -> None:
    said = figures((label(), offered("grade", "3", "4", "neither")))
    assert (said["proposed"], said["harmful"], said["shown_only"], said["shown_only_right"]) == (0, 0, 1, 0)
    assert (said["rate"], said["precision"]) == (0.0, None)


def test_a_value_for_what_the_page_does_not_say_is_wrong_and_nothing_was_missing() -> None:
    said = figures((label(grade=None), offered("grade", None, "3")))
    assert (said["missing"], said["proposed"], said["right"]) == (0, 1, 0)


def test_a_missing_field_without_a_proposal_counts() -> None:
    escalated = prediction(needs_review=True, grade=None, missing_fields=["grade"])
    said = figures((label(), escalated), (label(), offered("grade", None, "3")))
    assert (said["missing"], said["rate"], said["precision"]) == (2, 0.5, 1.0)
    assert (said["empty"]["missing"], said["doubtful"]["missing"]) == (2, 0)
    assert said["by_field"]["grade"]["proposed"] == 1


def test_what_passed_needs_no_proposal() -> None:
    assert figures((label(), prediction(weak_fields=["grade"])))["missing"] == 0
