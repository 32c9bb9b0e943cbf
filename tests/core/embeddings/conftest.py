"""Here the bundled model computes its vectors."""

from __future__ import annotations

import pytest

from core.llm.embeddings import LocalEmbedder
from tests.support.vectors import computed


@pytest.fixture(autouse=True)
def computed_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LocalEmbedder, "_encoded", computed)
