"""Lines as a recogniser sees them, step by step."""

from __future__ import annotations

from collections.abc import Mapping

Steps = tuple[dict[str, float], ...]


def steps_of(text: str, doubts: Mapping[int, Mapping[str, float]] | None = None, sure: float = 0.98) -> Steps:
    """Steps of a line that says `text`; `doubts` gives other letters (with shares) for some of its places."""
    steps: list[dict[str, float]] = []
    for at, char in enumerate(text):
        others = dict((doubts or {}).get(at, {}))
        steps.append({"": 0.01, char: max(sure - sum(others.values()), 0.01)} | others)
        steps.append({"": 0.98, char: 0.01})
    return tuple(steps)
