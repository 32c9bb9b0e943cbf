"""The progress of a change of many entries, noted now and then; that also says whether it was stopped."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from sqlalchemy import func, update

from core.lease import Lease
from core.models import BulkChange, BulkStatus
from services.context import Context

#: Seconds between two updates of the progress.
_NOTE_EVERY = 1.0


@dataclass
class Stage:
    """One stage of the work on a leased change."""

    context: Context
    lease: Lease[BulkChange]
    #: The status that the row has during the stage.
    status: BulkStatus
    #: Entries done.
    done: int = 0
    _noted: float = field(default_factory=time.monotonic)

    def goes_on(self, done: int = 1) -> bool:
        """Count entries as done; False if somebody has stopped the work. Raises LeaseLostError."""
        self.done += done
        if time.monotonic() - self._noted < _NOTE_EVERY:
            return True
        self._noted = time.monotonic()
        return self._update(items_done=self.done)

    def finish(self, status: BulkStatus, **values: object) -> bool:
        """Set the status that follows; False if somebody has stopped the work meanwhile. Raises LeaseLostError."""
        ended = {"status": status.value, "items_done": self.done, "finished_at": func.now(), "attempts": 0}
        return self._update(**ended, **values)

    def _update(self, **values: object) -> bool:
        with self.context.database.session() as session:
            status = self.lease.hold(session).status
            if status != self.status:
                return False
            session.execute(update(BulkChange).where(BulkChange.id == self.lease.key).values(**values))
            return True
