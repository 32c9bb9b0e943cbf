"""How an entry was put on paper, as its label says."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any


class Writing(StrEnum):
    """What a reader has to cope with."""

    #: Native text: widgets, a text layer, Word.
    TYPED = "typed"
    #: Typed too, but it reaches the reader as a picture or as outlines.
    PRINTED = "printed"
    #: Name, school or grade by hand.
    HANDWRITTEN = "handwritten"


def writing_of(kind: str, truth: Mapping[str, Any]) -> Writing:
    """The label's own `writing` or `handwritten` if it has one; else told from its kind and hazards."""
    if truth.get("writing"):
        return Writing(truth["writing"])
    by_hand = truth.get("handwritten", _named_hand(kind) or "hand_header" in truth.get("hazards", ()))
    if by_hand:
        return Writing.HANDWRITTEN
    return Writing.TYPED if truth["typed"] else Writing.PRINTED


def _named_hand(kind: str) -> bool:
    return any(word.startswith("hand") for word in kind.split("_"))
