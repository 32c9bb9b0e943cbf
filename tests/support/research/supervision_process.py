"""A worker in a process of its own that runs one loop, and is ended by -9 where a test wants it."""

from __future__ import annotations

import os
import signal
import uuid
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata

import services.supervision.run
from core.config import Settings, load_settings
from core.database import Database
from core.graphs import OnlyWriter, open_saver
from services.context import Context, open_context
from services.supervision.revisions import decide_revision
from services.supervision.run import run_supervision
from tests.support.boundaries import DECIDE_BOUNDARIES, of_supervision
from tests.support.moments import watch
from tests.support.office import environment
from tests.support.processes import PROCESSES


@dataclass(frozen=True)
class Deadly:
    """Where a process ends."""

    spare: frozenset[str]
    only: str | None

    def __contains__(self, name: str) -> bool:
        return name not in self.spare if self.only is None else name == self.only


def run_and_die(
    settings: Settings,
    supervision_id: uuid.UUID,
    folder: Path,
    *,
    spare: Collection[str] = (),
    only: str | None = None,
) -> str | None:
    """Run the loop in a process that ends at the first place not among `spare`, or at this `only` one.

    A place is a boundary or a checkpoint. The place where it ended, None where it did its work and left.
    """
    return _in_a_process(settings, folder, Deadly(frozenset(spare), only), _run, supervision_id)


def decide_and_die(
    settings: Settings, folder: Path, spare: Collection[str], actor_id: uuid.UUID, revision_id: uuid.UUID
) -> str | None:
    """Accept the revision in a process that ends at the first place not among `spare`."""
    return _in_a_process(settings, folder, Deadly(frozenset(spare), None), _accept, actor_id, revision_id)


def _in_a_process(
    settings: Settings, folder: Path, deadly: Deadly, work: Callable[..., None], *given: object
) -> str | None:
    note = folder / uuid.uuid4().hex
    process = PROCESSES.Process(target=_work, args=(environment(settings), note, deadly, work, given))
    process.start()
    process.join(600)
    code = process.exitcode
    process.close()
    if code == 0:
        return None
    assert code == -signal.SIGKILL, f"the process ended with {code}"
    return note.read_text(encoding="utf-8")


def _work(
    settings: dict[str, str], note: Path, deadly: Deadly, work: Callable[..., None], given: tuple[object, ...]
) -> None:
    os.environ.update(settings)

    def reached(name: str) -> None:
        if name in deadly:
            note.write_text(name, encoding="utf-8")
            os.kill(os.getpid(), signal.SIGKILL)

    if work is _accept:
        watch(lambda name: reached(DECIDE_BOUNDARIES[name]) if name in DECIDE_BOUNDARIES else None)
    else:
        watch(of_supervision(reached))
    _watch_checkpoints(reached)
    context = open_context(load_settings(_env_file=None))
    work(context, *given)
    context.close()


def _run(context: Context, supervision_id: uuid.UUID) -> None:
    # False where the process before had ended the loop, and died on its way out.
    run_supervision(context, supervision_id)


def _accept(context: Context, actor_id: uuid.UUID, revision_id: uuid.UUID) -> None:
    decide_revision(context, actor_id, revision_id, 1, "accepted")


def _watch_checkpoints(reached: Callable[[str], None]) -> None:
    def opened(database: Database) -> OnlyWriter:
        saver = open_saver(database)
        saver.__class__ = _Watched
        saver.reached = reached  # type: ignore[attr-defined]
        return saver

    services.supervision.run.open_saver = opened  # type: ignore[attr-defined]


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
        self.reached(f"checkpoint:{metadata.get('step')}")
        return done
