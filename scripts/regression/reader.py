"""Binds the options of a run to the reading of one file; light, because every spawned process imports it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from scripts.regression.pool import Reader
from scripts.regression.prediction import Prediction
from scripts.regression.school_list import SchoolList

if TYPE_CHECKING:
    from pipeline.joint_pass.votes import Respelling

#: Changes of a joint pass by the id of the entry; None: the entries of each file are decided together.
Changes: TypeAlias = "Mapping[str, Sequence[Respelling]] | None"
#: Type of `read_file`: path, whether by the graph, provider, cache, schools and changes; a season's rules by name.
ReadFile: TypeAlias = "Callable[..., list[Prediction]]"


def bound(
    read_file: ReadFile, mode: str, provider: str, cache: Path, schools: SchoolList | None, changes: Changes
) -> Reader:
    """Return a function that reads a path in a mode ("orchestrator" or "direct")."""
    return partial(
        _read,
        read_file=read_file,
        graph=mode == "orchestrator",
        provider=provider,
        cache=cache,
        schools=schools,
        changes=changes,
    )


def _read(
    path: Path,
    read_file: ReadFile,
    graph: bool,
    provider: str,
    cache: Path,
    schools: SchoolList | None,
    changes: Changes,
) -> list[Prediction]:
    return read_file(path, graph, provider, cache, schools, changes)
