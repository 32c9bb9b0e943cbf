"""What somebody says of a batch as they hand it in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date


@dataclass(frozen=True)
class SaidOfBatch:
    """Values that stand where a page gives none, as typed, and the day on which the batch was received."""

    #: By the keys that `services.batches.given.checked_defaults` takes.
    defaults: Mapping[str, str] = field(default_factory=dict)
    received_on: date | None = None


NOTHING_SAID = SaidOfBatch()
