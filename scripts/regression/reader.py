"""Binds the options of a run to the reading of one file; light, because every spawned process imports it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from scripts.regression.pool import Reader
from scripts.regression.prediction import Prediction
from scripts.regression.school_list import SchoolList

#: `read_file`, or what stands in for it in a test.
ReadFile = Callable[[Path, bool, str, Path | None, SchoolList | None], list[Prediction]]


def bound(read_file: ReadFile, mode: str, provider: str, cache: Path, schools: SchoolList | None) -> Reader:
    """Return a function that reads a path in a mode ("orchestrator" or "direct")."""
    return partial(
        _read,
        read_file=read_file,
        graph=mode == "orchestrator",
        provider=provider,
        cache=cache,
        schools=schools,
    )


def _read(
    path: Path, read_file: ReadFile, graph: bool, provider: str, cache: Path, schools: SchoolList | None
) -> list[Prediction]:
    return read_file(path, graph, provider, cache, schools)
