"""An upgrade in the middle of the work: migrations run twice at once, then everything is started anew."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from lab.faults.scene import Kind, Scene


@contextmanager
def _rolling(scene: Scene) -> Iterator[str]:
    """The old processes work until the database is upgraded, then end in order."""
    upgrades = [scene.installation.command("db-upgrade") for _ in range(2)]
    codes = [process.wait() for process in upgrades]
    scene.installation.stop_web()
    scene.installation.stop_workforce()
    yield f"flask db-upgrade twice at once while workers worked (ended with {codes}), then all stopped and started"


@contextmanager
def _stopped(scene: Scene) -> Iterator[str]:
    """Everything, the servers too, is stopped in order while jobs are under way, and upgraded before it starts."""
    scene.installation.stop()
    upgrades = [scene.installation.command("db-upgrade") for _ in range(2)]
    codes = [process.wait() for process in upgrades]
    yield f"all stopped with jobs under way, then flask db-upgrade twice at once (ended with {codes})"


UPGRADE = (
    Kind("upgrade_rolling", "the database upgraded under workers at work, then all processes replaced", _rolling),
    Kind("upgrade_stopped", "all stopped in the middle of jobs, upgraded twice at once, started", _stopped),
)
