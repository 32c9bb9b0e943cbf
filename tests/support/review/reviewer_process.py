"""Processes that end as kill -9 ends them: in one a person decides, in the other a run is resumed."""

from __future__ import annotations

import os
import signal
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from core.config import Settings, load_settings
from jobs.run import do_work
from services.context import open_context
from services.recovery.kinds import RESUMES
from services.review.escalations import Action, resolve_escalation
from tests.support.boundaries import RESOLVE_BOUNDARIES, of_resume
from tests.support.moments import watch
from tests.support.office import environment
from tests.support.processes import PROCESSES


def decide_and_die(
    settings: Settings,
    kill_at: str,
    actor_id: uuid.UUID,
    escalation_id: uuid.UUID,
    version: int,
    action: Action,
    values: Mapping[str, str],
) -> bool:
    """Decide in a process of its own that ends at this boundary; whether it was visited."""
    return _die(_decide, settings, kill_at, actor_id, escalation_id, version, action, dict(values))


def resume_and_die(settings: Settings, kill_at: str, escalation_id: uuid.UUID) -> bool:
    """Do the job of a resume in a process of its own that ends at this boundary; whether it was visited."""
    return _die(_resume, settings, kill_at, str(escalation_id))


def _die(work: Callable[..., object], settings: Settings, kill_at: str, *given: Any) -> bool:
    process = PROCESSES.Process(target=_work, args=(work, environment(settings), kill_at, given))
    process.start()
    process.join(600)
    visited = process.exitcode == -signal.SIGKILL
    process.close()
    return visited


def _work(work: Callable[..., object], settings: dict[str, str], kill_at: str, given: tuple[Any, ...]) -> None:
    os.environ.update(settings)

    def boundary(name: str) -> None:
        if name == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    if work is _decide:
        watch(lambda name: boundary(RESOLVE_BOUNDARIES.get(name, "")))
    else:
        watch(of_resume(boundary))
    work(*given)


def _resume(key: str) -> None:
    do_work(RESUMES, key)


def _decide(*given: Any) -> None:
    resolve_escalation(open_context(load_settings()), *given)
