"""A budget refuses before it is overdrawn, and says what was lacking."""

import pytest

from research.config import BudgetSpentError
from research.storage import ResearchBudget


@pytest.mark.parametrize(
    ("limits", "spent", "lacking"),
    [
        ({"calls": 2}, (2, 0, 0, 0.0), "calls"),
        ({"tokens": 100}, (1, 60, 40, 0.0), "tokens"),
        ({"usd": 0.5}, (1, 1, 1, 0.5), "usd"),
        ({"calls": 2}, (1, 10**9, 0, 99.0), None),
        ({}, (10**6, 10**9, 10**9, 10**6), None),
    ],
)
def test_calls_are_refused(
    limits: dict[str, float], spent: tuple[int, int, int, float], lacking: str | None
) -> None:
    budget = ResearchBudget(limits)
    budget.count(*spent)
    if lacking is None:
        budget.allow_call()
    else:
        with pytest.raises(BudgetSpentError, match=lacking):
            budget.allow_call()
    assert budget.exhausted == lacking
    assert budget.allow_work() is (lacking is None)


def test_minutes_are_those_of_all_processes() -> None:
    now = [100.0]
    budget = ResearchBudget({"minutes": 2}, seconds_before=90, clock=lambda: now[0])
    assert budget.allow_work()
    now[0] += 29
    assert budget.allow_work()
    now[0] += 1
    assert not budget.allow_work()
    assert budget.exhausted == "minutes"
    assert budget.as_json()["minutes"] == 2


def test_exhausted_once_is_exhausted() -> None:
    budget = ResearchBudget({"calls": 100}, exhausted="calls")
    with pytest.raises(BudgetSpentError):
        budget.allow_call()
