"""What a decision took."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Effort:
    """Values that a person changed, and for how long the item was open; None where it was not open by itself."""

    edits: int = 0
    seconds: int | None = None


NO_EFFORT = Effort()
