"""The journal of a watcher: what it is about to hand in, written before it does, kept until it is moved.

Whether a batch was recorded is asked of the database, by the id that the journal has for it. So a watcher that was
killed in between hands nothing in twice.
"""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from core.log import get_logger
from services.watching.folder import FoundFile

log = get_logger(__name__)


class Journal:
    """Batches with files that are still in the folder, by id."""

    def __init__(self, path: Path) -> None:
        """Read the journal; one that cannot be read is put aside."""
        self._path = path
        self._batches: dict[uuid.UUID, list[FoundFile]] = {}
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
            self._batches = {uuid.UUID(key): [FoundFile(**one) for one in files] for key, files in kept.items()}
        except FileNotFoundError:
            pass
        except (ValueError, TypeError, AttributeError):
            # Bytes that were handed in are known to the season: they become duplicates, which are not read.
            log.warning("journal_unreadable")
            path.rename(path.with_suffix(".unreadable"))

    @property
    def batches(self) -> dict[uuid.UUID, list[FoundFile]]:
        """What may have been handed in and is not moved yet."""
        return {key: list(files) for key, files in self._batches.items()}

    def intend(self, batch_id: uuid.UUID, files: Sequence[FoundFile]) -> None:
        """Note a batch that is about to be handed in. Raises OSError; then it must not be."""
        self._write({**self._batches, batch_id: list(files)})

    def keep(self, batch_id: uuid.UUID, files: Sequence[FoundFile]) -> None:
        """Note which files of a batch are still to be moved; none: it is done with. Raises OSError."""
        others = {key: kept for key, kept in self._batches.items() if key != batch_id}
        self._write({**others, batch_id: list(files)} if files else others)

    def _write(self, batches: dict[uuid.UUID, list[FoundFile]]) -> None:
        text = json.dumps({str(key): [asdict(one) for one in files] for key, files in batches.items()})
        aside = self._path.with_suffix(".new")
        with aside.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(self._path)
        self._batches = batches
