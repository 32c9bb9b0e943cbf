"""Which entries of a run are decided together, and the changes of a pass over a whole folder."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scripts.regression.pool import read_all
from scripts.regression.prediction import Prediction
from scripts.regression.reader import Changes
from scripts.regression.school_list import SchoolList, spellings

if TYPE_CHECKING:
    from pipeline.joint_pass.votes import Member


class Together(StrEnum):
    """The entries that a joint pass takes in."""

    #: Those of one file.
    FILE = "file"
    #: Those of all files of the run, as one upload.
    FOLDER = "folder"
    #: No joint pass.
    NONE = "none"


def changes_of(
    together: Together,
    files: Sequence[Path],
    provider: str,
    cache: Path,
    schools: SchoolList | None,
    workers: int,
    rules: Mapping[str, Any] | None = None,
) -> Changes:
    """Return what `read_file` takes as changes. For a folder every file is read once before."""
    if together is Together.FILE:
        return None
    if together is Together.NONE:
        return {}
    from pipeline.joint_pass.respelling import respell

    with tempfile.TemporaryDirectory(prefix="together-") as folder:
        kept = Path(folder)
        reader = partial(_keep, folder=kept, provider=provider, cache=cache, schools=schools or {}, rules=rules)
        read_all(files, reader, workers, "together")
        members = [_member(file) for file in sorted(kept.iterdir())]
    return respell(members, spellings(schools or {}))


def _keep(
    path: Path, folder: Path, provider: str, cache: Path, schools: SchoolList, rules: Mapping[str, Any] | None
) -> list[Prediction]:
    """Write the record of each entry of a file into a folder, as `<digest>-<index>.json`."""
    from core.file_store import LocalFileStore
    from scripts.regression.first_reading import open_file, read_first

    opened = open_file(path, provider, LocalFileStore(cache), schools, rules)
    for member in read_first(opened, "together"):
        (folder / f"{member.key}.json").write_text(member.record.model_dump_json(), encoding="utf-8")
    return []


def _member(file: Path) -> Member:
    from pipeline.joint_pass.votes import Member
    from pipeline.schema import SubmissionRecord

    record = SubmissionRecord.model_validate_json(file.read_text(encoding="utf-8"))
    return Member(record, file.stem.rpartition("-")[0])
