"""Read the filled forms of the camp as uploads are read, in processes of their own, and compare with the truth."""

from __future__ import annotations

import multiprocessing
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.config import load_settings
from core.file_store import LocalFileStore
from pipeline.extraction.values.kinds import parse_date
from pipeline.profiles import FieldKind, FormSpec, use_profiles
from pipeline.runner import analyse, process_submission
from pipeline.schema import SubmissionRecord
from pipeline.validation.policy import Policy
from scripts.regression.scoring.compare import plain

PROVIDER = "rapidocr"
#: Of a process that reads: the folder of its file store.
_store: dict[str, Path] = {}


@dataclass(frozen=True)
class Read:
    """What was read of one file, and what it truly says."""

    name: str
    typed: bool
    damage: str
    completed: bool
    #: {required field: whether its value is right, None where none was read}.
    verdicts: Mapping[str, bool | None]
    values: Mapping[str, str | None] = field(repr=False)
    truth: Mapping[str, str | None] = field(repr=False)

    @property
    def silent_wrong(self) -> bool:
        """Whether it was completed without a person though a required value is wrong."""
        return self.completed and not all(self.verdicts.values())


def read_files(
    folder: Path, labels: Mapping[str, Mapping[str, Any]], profile: FormSpec, cache: Path, workers: int = 2
) -> list[Read]:
    """Read the labelled files of a folder with this form in use beside those of the program."""
    context = multiprocessing.get_context("spawn")
    given = profile.model_dump_json()
    with ProcessPoolExecutor(workers, context, _begin, (given, str(cache))) as pool:
        paths = [str(folder / name) for name in labels]
        records = list(pool.map(_read, paths, chunksize=2))
    return [_scored(name, labels[name], records[n], profile) for n, name in enumerate(labels)]


def _begin(profile: str, cache: str) -> None:
    use_profiles([FormSpec.model_validate_json(profile)], "bench")
    _store["folder"] = Path(cache)


def _read(path: str) -> tuple[str | None, bool, dict[str, str | None]]:
    """Return the form that the first entry of a file was read with, whether it is complete, and its values."""
    settings = load_settings(_env_file=None, ocr_provider=PROVIDER)
    store, key = LocalFileStore(_store["folder"]), f"originals/{Path(path).name}"
    pdf = Path(path).read_bytes()
    store.put(key, pdf)
    analysis = analyse(pdf, settings, store)
    if len(analysis.chunks) != 1:
        return None, False, {}
    chunk = analysis.chunks[0].model_dump(mode="json")
    name = Path(path).stem
    record, _ = process_submission(
        key, name, f"artifacts/{name}", PROVIDER, None, chunk, settings=settings, store=store, policy=Policy()
    )
    return record.profile, not record.needs_review, _values(record)


def _values(record: SubmissionRecord) -> dict[str, str | None]:
    return {name: reading.value for name, reading in record.readings.items()}


def _scored(
    name: str, label: Mapping[str, Any], read: tuple[str | None, bool, dict[str, str | None]], profile: FormSpec
) -> Read:
    form, completed, values = read
    truth = label["values"]
    known = values if form == profile.key else {}
    verdicts = {
        one: _is_right(profile.fields[one].kind, truth[one], known.get(one)) for one in profile.required or ()
    }
    return Read(name, label["typed"], label["damage"], completed, verdicts, known, truth)


def _is_right(kind: FieldKind, true: str, read: str | None) -> bool | None:
    return None if not read else _comparable(kind, true) == _comparable(kind, read)


def _comparable(kind: FieldKind, value: str) -> str:
    """Return what counts of a value: as in the regression check, and the day of a date however it is written."""
    if kind is FieldKind.PHONE:
        digits = re.sub(r"\D", "", value)
        return digits[1:] if len(digits) == 11 and digits.startswith("1") else digits
    if kind is FieldKind.EMAIL:
        return "".join(value.split()).casefold()
    if kind is FieldKind.DATE:
        return parse_date(value, "en").value or value
    return plain(value)


def right_share(reads: Iterable[Read], fields: Sequence[str] | None = None) -> tuple[int, int]:
    """Return how many required values are right, and how many there are."""
    found = list(_verdicts(reads, fields))
    return sum(found), len(found)


def _verdicts(reads: Iterable[Read], fields: Sequence[str] | None) -> Iterator[bool]:
    for one in reads:
        yield from (bool(v) for name, v in one.verdicts.items() if fields is None or name in fields)
