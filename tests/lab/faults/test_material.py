"""Files of just as many entries as were asked for, of all sorts, no two alike."""

from __future__ import annotations

import pytest

from lab.faults.material import draw


@pytest.mark.usefixtures("sample_fonts")
def test_a_few() -> None:
    files = draw(20, seed=3)
    assert sum(file.entries for file in files) == 20
    assert len({file.digest for file in files}) == len(files)
    assert {file.records for file in files} == {0, 1}
