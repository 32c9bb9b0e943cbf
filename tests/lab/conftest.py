"""What the corpus is drawn with."""

from __future__ import annotations

import pytest

from tests.support.parts import need


@pytest.fixture(scope="session")
def sample_fonts() -> None:
    """The fonts of the invented corpus are installed."""
    need("fonts")
