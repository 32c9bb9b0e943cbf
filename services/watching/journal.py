"""The journal of a watcher: what it is about to hand in, written before it does, kept until it is moved.

Whether a batch was recorded is asked of the database, by the id that the journal has for it. So a watcher that was
killed in between hands nothing in twice.
"""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from core.errors import InvalidInputError
from core.folders import replace, seen
from core.log import get_logger
from services.messages.watching import WatchRefused
from services.watching.folder import OWN, FoundFile, WatchedFolder, read_text

log = get_logger(__name__)
_NAME, _ASIDE = "journal.json", "journal.unreadable"


class Journal:
    """Batches with files that are still in the folder, by id."""

    def __init__(self, folder: WatchedFolder) -> None:
        """Read the journal; one that cannot be read, or names what is no file of the folder, is put aside.

        Raises InvalidInputError where that cannot be.
        """
        self._folder = folder
        self._batches: dict[uuid.UUID, list[FoundFile]] = {}
        with folder.place(OWN) as own:
            if seen(own, _NAME) is None:
                return
            try:
                kept = json.loads(read_text(own, _NAME))
                self._batches = {uuid.UUID(key): [_named(one) for one in files] for key, files in kept.items()}
            except (OSError, ValueError, TypeError, AttributeError, RecursionError):
                # Bytes that were handed in are known to the season: they become duplicates, which are not read.
                log.warning("journal_unreadable")
                _put_aside(own)

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
        with self._folder.place(OWN) as own:
            replace(own, _NAME, text)
        self._batches = batches


def _put_aside(own: int) -> None:
    try:
        os.rename(_NAME, _ASIDE, src_dir_fd=own, dst_dir_fd=own)
    except OSError as exc:
        # A folder of that name, for instance, or of the journal's.
        told = {"journal": f"{OWN}/{_NAME}", "aside": f"{OWN}/{_ASIDE}", "technical": exc.strerror or ""}
        raise InvalidInputError(WatchRefused.JOURNAL_STAYS, **told) from exc


def _named(kept: Mapping[str, Any]) -> FoundFile:
    """Return a file of the journal. Raises ValueError for a name that leads out of the folder, and TypeError."""
    found = FoundFile(**kept)
    if "/" in found.name or "\0" in found.name or found.name in ("", ".", ".."):
        raise ValueError("no name of a file")
    return found
