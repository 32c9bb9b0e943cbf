"""A figure is held against its target as it is shown."""

from __future__ import annotations

import pytest

from lab.bench.measure import Target, above, at_least, at_most, exactly, measured


@pytest.mark.parametrize(
    ("target", "well", "badly"),
    [(at_most(3), 3.0, 3.1), (at_least(0.9), 0.9, 0.89), (above(0.5), 0.51, 0.5), (exactly(0), 0, 1)],
)
def test_targets(target: Target, well: float, badly: float) -> None:
    assert measured("x", well, "", target, "").holds
    assert not measured("x", badly, "", target, "").holds


def test_without_a_target_a_figure_only_explains() -> None:
    found = measured("x", 12.34567, "ms", None, "somehow").as_json()
    assert found == {
        "measure": "x", "value": 12.3457, "unit": "ms", "target": "", "holds": True, "how": "somehow"
    }  # fmt: skip
