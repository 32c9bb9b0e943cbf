"""Reason codes as people read them."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.reason_codes import ReasonCode


@dataclass(frozen=True)
class Reason:
    """A reason with its label and its advice for the reviewer."""

    key: str
    label: str
    advice: str
    blocks: bool


def reason_info(key: str) -> Reason:
    """The reason of a stored key; one that is younger or older than this code is shown by its key."""
    if key in ReasonCode.__members__:
        code = ReasonCode[key]
        return Reason(code.key, code.label, code.advice, code.blocks)
    return Reason(key, key.replace("_", " ").capitalize(), "", True)


def all_reasons() -> list[Reason]:
    """Every reason there is, for filters."""
    return [reason_info(code.key) for code in ReasonCode]
