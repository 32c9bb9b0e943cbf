"""The preselected answer of a proposed field, which is also the answer in bulk decisions."""

from __future__ import annotations

from typing import Literal

from pipeline.schema import Preferred

Action = Literal["approve", "edit", "keep", "reject"]


def preselected(current: str | None, proposed: str | None, preferred: str) -> Action:
    """Return the answer that the scorers support for a proposed field.

    "approve" if the scorers prefer the proposed value, "keep" if they prefer the current one. "edit" if a value is
    missing, and "reject" if neither is preferred: both leave the field to a person.
    """
    if proposed is not None and preferred == Preferred.PROPOSED:
        return "approve"
    if current is None or proposed is None:
        return "edit"
    return "keep" if preferred == Preferred.AS_READ else "reject"
