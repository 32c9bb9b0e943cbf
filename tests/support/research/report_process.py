"""A worker in a process of its own that researches one report, and is ended by -9 where a test wants it."""

from __future__ import annotations

import os
import signal
import threading
import uuid
from collections.abc import Callable, Collection
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata

import services.reports.run
from core.config import Settings, load_settings
from core.database import Database
from core.graphs import OnlyWriter, open_saver
from research.node_context import RecordingModel
from services.context import open_context
from services.reports.run import run_report
from tests.support.boundaries import named_by_round, of_report
from tests.support.moments import watch
from tests.support.office import environment
from tests.support.processes import PROCESSES


@dataclass(frozen=True)
class Died:
    """How a process ended."""

    #: None: it did its work and left.
    at: str | None


def research_and_die(
    settings: Settings, report_id: uuid.UUID, folder: Path, *, spare: Collection[str] = (), only: str | None = None
) -> Died:
    """Research the report in a process that ends at the first place not among `spare`, or at this `only` one.

    A place is a boundary or a checkpoint.
    """
    note = folder / uuid.uuid4().hex
    code = _in_a_process(settings, report_id, note, Deadly(frozenset(spare), only))
    if code == 0:
        return Died(None)
    assert code == -signal.SIGKILL, f"the process ended with {code}"
    return Died(note.read_text(encoding="utf-8"))


def places_passed(settings: Settings, report_id: uuid.UUID, folder: Path) -> list[str]:
    """Research the report in a process that lives: every boundary and checkpoint, by first visit."""
    note = folder / uuid.uuid4().hex
    code = _in_a_process(settings, report_id, note, None)
    assert code == 0, f"the process ended with {code}"
    return list(dict.fromkeys(note.read_text(encoding="utf-8").split()))


@dataclass(frozen=True)
class Deadly:
    """Where a process ends."""

    spare: frozenset[str]
    only: str | None

    def __contains__(self, name: str) -> bool:
        return name not in self.spare if self.only is None else name == self.only


def _in_a_process(settings: Settings, report_id: uuid.UUID, note: Path, deadly: Deadly | None) -> int | None:
    process = PROCESSES.Process(target=_work, args=(environment(settings), report_id, note, deadly))
    process.start()
    process.join(600)
    code = process.exitcode
    process.close()
    return code


def _work(settings: dict[str, str], report_id: uuid.UUID, note: Path, deadly: Deadly | None) -> None:
    os.environ.update(settings)
    locks = _watch_models()

    def reached(name: str) -> None:
        with ExitStack() as stack:
            # A reply that is under way in another thread could be had by nobody again.
            for lock in locks:
                stack.enter_context(lock)
            if deadly is None:
                with note.open("a", encoding="utf-8") as passed:
                    passed.write(f"{name}\n")
            elif name in deadly:
                note.write_text(name, encoding="utf-8")
                os.kill(os.getpid(), signal.SIGKILL)

    watch(of_report(reached), named_by_round)
    _watch_checkpoints(reached)
    context = open_context(load_settings(_env_file=None))
    assert run_report(context, report_id), "nobody may have the lease"
    context.close()


def _watch_models() -> list[threading.RLock]:
    """The locks of the models that are opened from now on."""
    locks = []

    def made(*given: Any, **more: Any) -> RecordingModel:
        model = RecordingModel(*given, **more)
        locks.append(model.lock)
        return model

    services.reports.run.RecordingModel = made  # type: ignore[attr-defined, assignment]
    return locks


def _watch_checkpoints(reached: Callable[[str], None]) -> None:
    """Tell of every checkpoint when it is written; before it comes the end of a step, a boundary."""

    def opened(database: Database) -> OnlyWriter:
        saver = open_saver(database)
        saver.__class__ = _Watched
        saver.reached = reached  # type: ignore[attr-defined]
        return saver

    services.reports.run.open_saver = opened  # type: ignore[attr-defined]


class _Watched(OnlyWriter):
    reached: Callable[[str], None]

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        done = super().put(config, checkpoint, metadata, new_versions)
        self.reached(f"checkpoint:{_place(config)}:{metadata.get('step')}")
        return done


def _place(config: RunnableConfig) -> str:
    """The graph that the checkpoint is of: the loop's own, or a researcher's, without the id of its task."""
    return str(config["configurable"].get("checkpoint_ns") or "loop").partition(":")[0]
