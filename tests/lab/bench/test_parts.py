from __future__ import annotations

import importlib

import pytest

from lab.bench import research
from lab.bench_research import parts


@pytest.mark.parametrize("name", parts())
def test_each_part_can_be_measured(name: str) -> None:
    part = importlib.import_module(f"{research.__name__}.{name}")
    assert callable(getattr(part, "measure", None)), "it belongs into one of the folders beside the parts"
