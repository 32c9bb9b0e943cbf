"""How an entry was put on paper, as its label says."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any


class Writing(StrEnum):
    """Kinds of writing, by difficulty of reading."""

    #: Native text: widgets, a text layer, Word.
    TYPED = "typed"
    #: Typed too, but it reaches the reader as a picture or as outlines.
    PRINTED = "printed"
    #: Something in its header is written by hand.
    HANDWRITTEN = "handwritten"


def writing_of(kind: str, truth: Mapping[str, Any]) -> Writing:
    """Return the kind of writing by the label's handwriting font, else by the file's kind and hazards."""
    if truth["typed"]:
        return Writing.TYPED
    by_hand = truth["handwriting_font"] if "handwriting_font" in truth else _named_hand(kind, truth)
    return Writing.HANDWRITTEN if by_hand else Writing.PRINTED


def _named_hand(kind: str, truth: Mapping[str, Any]) -> bool:
    return "hand" in kind.split("_") or "hand_header" in truth.get("hazards", ())
