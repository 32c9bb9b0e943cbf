"""An office with a small library about theories, for supervisions."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.config import load_settings
from services.context import Context
from services.supervision.documents import upload_document
from tests.support.office import make_person
from tests.support.research.research_library import put_papers
from tests.support.research.theory_library import DOCUMENT, THEORY_PAPERS
from tests.support.servers.supervising_model import SupervisingModel
from tests.support.site import tidy_context


@pytest.fixture
def chosen(tmp_path: Path, database_url: str, redis_url: str) -> dict[str, Any]:
    """The settings of a supervision's test."""
    return {
        "_env_file": None,
        "var_dir": tmp_path,
        "database_url": database_url,
        "redis_url": redis_url,
        "secret_key": "test",
        "lease_seconds": 30,
    }


@pytest.fixture
def context(chosen: dict[str, Any]) -> Iterator[Context]:
    """Opened parts with the library's papers and a model that supervises, no key of any provider."""
    with SupervisingModel() as model, tidy_context(load_settings(**chosen, **model.settings)) as opened:
        opened.redis.flushdb()
        put_papers(opened.database, THEORY_PAPERS)
        yield opened


@pytest.fixture
def officer(context: Context) -> uuid.UUID:
    return make_person(context, "officer")


@pytest.fixture
def report_id(context: Context, officer: uuid.UUID) -> uuid.UUID:
    """A document of a person's own that names no theory."""
    return upload_document(context, officer, "evenings.md", DOCUMENT.encode())
