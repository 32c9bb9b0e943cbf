"""Only the last few values are kept."""

from __future__ import annotations

from pipeline.recent import Recent


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
