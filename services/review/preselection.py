"""What is marked on a proposed field before a person touches it, and what whole-item decisions take it for."""

from __future__ import annotations

from typing import Literal

from pipeline.schema import Preferred

Action = Literal["approve", "edit", "keep", "reject"]


def preselected(current: str | None, proposed: str | None, preferred: str) -> Action:
    """The answer to a field that no scorer's doubt speaks against.

    "approve" only where the proposal is held for the likelier value and is plausible; "keep" where the value as
    read is. Where nothing was read it is "edit" with an empty input, and where neither value is plausible
    "reject": both leave the field to a person.
    """
    if proposed is not None and preferred == Preferred.PROPOSED:
        return "approve"
    if current is None or proposed is None:
        return "edit"
    return "keep" if preferred == Preferred.AS_READ else "reject"
