"""The workers of a machine: which queues each of them serves."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest

from commands import workforce
from core.config import Settings
from core.queue import RESEARCH_QUEUE_NAME
from tests.support.site import tidy_context


@pytest.mark.parametrize(("workers", "leaves"), [(1, [False]), (3, [True, False, False])])
def test_the_first_of_several_leaves_reports_to_the_others(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, workers: int, leaves: list[bool]
) -> None:
    started = []

    def start(command: list[str], **_: Any) -> None:
        started.append(RESEARCH_QUEUE_NAME in command)

    monkeypatch.setattr(subprocess, "Popen", start)
    with tidy_context(settings.model_copy(update={"workers": workers})) as context:
        crew = workforce.Workforce(context.settings, context)
        monkeypatch.setattr(crew, "watch", lambda: None)
        crew.start()
    assert started == leaves
