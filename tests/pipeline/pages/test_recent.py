"""Only the last few values are kept."""

from __future__ import annotations

from pipeline.pages.page_model import Recent, recalled


def test_the_longest_unasked_goes_first() -> None:
    recent: Recent[str, int] = Recent(2)
    recent.keep("a", 1)
    recent.keep("b", 2)
    assert recent.get("a") == 1
    recent.keep("c", 3)
    assert (recent.get("a"), recent.get("b"), recent.get("c")) == (1, None, 3)


def test_a_value_is_replaced() -> None:
    recent: Recent[str, int] = Recent(2)
    recent.keep("a", 1)
    recent.keep("a", 5)
    assert recent.get("a") == 5


def test_results_are_recalled_by_identity() -> None:
    asked: list[list[int]] = []

    @recalled
    def total(numbers: list[int]) -> int:
        asked.append(numbers)
        return sum(numbers)

    one, equal = [1, 2], [1, 2]
    assert [total(one), total(one), total(equal)] == [3, 3, 3]
    assert len(asked) == 2
