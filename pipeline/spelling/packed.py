"""Lattices as short texts, to be stored beside a value: some ten bytes a letter of the line.

A step is written as the level of its blank followed by its letters, each with its level: "ZeAcK". A level is a
capital, which no letter is as it is compared: the negative logarithm of a probability in steps of a quarter, from
"A" for 1 to "Y"; "Z" stands for 0.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from pipeline.spelling.alphabet import folded
from pipeline.spelling.lattice import Lattice

_BASE, _LAST = ord("A"), ord("Z")
#: Levels within one unit of the natural logarithm.
_SCALE = 4
#: Letters less probable than this are left out.
_LEAST = 0.004
#: Letters that are kept of one step.
_MOST = 5
_STEP = re.compile(r"[A-Z](?:[^A-Z][A-Z])*")


def packed(lattice: Lattice) -> str:
    """Return a lattice as a text.

    Of equal steps without doubt in succession one is kept, which spells the same.
    """
    steps: list[str] = []
    for shares in lattice.steps:
        step = "".join(_parts(shares))
        if not (steps and steps[-1] == step and len(step) in (1, 3) and "A" in step):
            steps.append(step)
    return "".join(steps)


def unpacked(text: str) -> Lattice:
    """Return the lattice of a packed text."""
    return Lattice(tuple(_shares(step) for step in _STEP.findall(text)))


def _parts(shares: dict[str, float]) -> Iterator[str]:
    alike: dict[str, float] = {}
    for char, share in shares.items():
        if not char or folded(char):
            key = folded(char) if char else ""
            alike[key] = alike.get(key, 0.0) + share
    yield _level(alike.pop("", 0.0))
    for char in sorted(alike, key=lambda char: (-alike[char], char))[:_MOST]:
        if alike[char] >= _LEAST:
            yield char + _level(alike[char])


def _level(share: float) -> str:
    return chr(min(_BASE + round(-_SCALE * math.log(share)), _LAST)) if share > 0 else chr(_LAST)


def _shares(step: str) -> dict[str, float]:
    found = {"": _share(step[0])}
    return found | {step[at]: _share(step[at + 1]) for at in range(1, len(step), 2)}


def _share(level: str) -> float:
    return 0.0 if ord(level) == _LAST else math.exp((_BASE - ord(level)) / _SCALE)
