"""Forty drawn entries as an installation has read them: read once, kept, and restored for each measurement."""

from __future__ import annotations

import hashlib
import sys
import tempfile
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import httpx
from sqlalchemy import select

from core.config import ROOT, get_settings
from core.models import Submission, Upload
from lab.bench.fresh import fresh
from lab.bench.office import Office, offices
from lab.faults.installation import Installation
from lab.faults.people import set_up
from lab.pictures.demo import wait_until_read
from lab.samples import freeform, photos, scans, stacks, word
from lab.samples.forms import acroform, flattened, gdocs
from lab.samples.part import DEVELOPMENT, Part
from lab.samples.sample import Sample
from lab.samples.truth import Truth
from scripts.regression.prediction import Prediction
from scripts.regression.scoring.match import match
from services.backup.backup import make_backup
from services.context import Context, open_context

SEED = 32
#: Where readings are kept. Each takes some megabytes; all of it may be removed at any time.
_KEPT = ROOT / "build" / "desk"
#: What a reading depends on: another reader may leave other entries to a person, and ask other things of them.
_READER = ("pipeline", "services/runs")
_READING_SECONDS = 3600.0
#: Files of one upload.
_TOGETHER = 5

Label = Mapping[str, Any]


def _short(truth: Truth) -> bool:
    return truth.complete and len((truth.values["essay_text"] or "").split()) < 45


def _without_grade(truth: Truth) -> bool:
    return truth.values["grade"] is None and bool(truth.values["essay_text"])


@dataclass(frozen=True)
class Wanted:
    """A number of files of a kind, and what must be true of the first entry in each."""

    kind: str
    files: int
    draw: Callable[[Random, Part], Sample]
    fits: Callable[[Truth], bool] = lambda truth: True


#: Forty entries, as an office gets them: forms and essays that were typed, print and handwriting from the scanner,
#: forms of 2022 and 2023, which ask for no school and no grade, short essays, and stacks.
MIX = (
    Wanted("acroform_22", 3, acroform.draw_2022),
    Wanted("acroform_26 with a short essay", 3, acroform.draw_2026, _short),
    Wanted("acroform_26 without a grade", 1, acroform.draw_2026, _without_grade),
    Wanted("flattened_form_26", 3, flattened.draw),
    Wanted("gdocs_form_26", 1, gdocs.draw_2026),
    Wanted("freeform_native", 2, freeform.draw),
    Wanted("docx_freeform", 2, word.draw_short),
    Wanted("scan_form_26_hand_header_typed_essay", 5, scans.draw_hand_header),
    Wanted("scan_single_25_hand", 4, scans.draw_single),
    Wanted("photo_jpg", 1, partial(photos.draw, suffix=".jpg")),
    Wanted("scan_batch_23_typed", 1, partial(stacks.draw_typed_batch, entries=6)),
    Wanted("scan_batch_25_hand", 1, partial(stacks.draw_batch, entries=6)),
    Wanted("scan_batch_25_hand_pairs", 1, partial(stacks.draw_pairs, entries=3)),
)


@dataclass(frozen=True)
class ReadEntries:
    """A site over the entries, and what stands on the pages of each, by the id of its submission."""

    office: Office
    truths: Mapping[uuid.UUID, Label]


@contextmanager
def read_entries() -> Iterator[ReadEntries]:
    """Yield the site over the entries, as they were when the last was read; changes are gone at the end."""
    drawn = draw(SEED)
    backup = _KEPT / _key(drawn)
    if not backup.is_dir():
        print("reading forty entries …", file=sys.stderr)
        _read(drawn, backup)
    with offices("desk-entries", 1, backup) as (office,):
        yield ReadEntries(office, _truths(office.context, drawn))


def draw(seed: int) -> dict[str, Sample]:
    """Return the files of the mix by name: the same for the same seed."""
    found: dict[str, Sample] = {}
    for wanted in MIX:
        tries = count()
        for _ in range(wanted.files):
            samples = (wanted.draw(Random(f"desk:{seed}:{wanted.kind}:{n}"), DEVELOPMENT) for n in tries)
            sample = next(sample for sample in samples if wanted.fits(sample.truths[0]))
            found[f"{len(found) + 1:02d} {sample.stem}{sample.suffix}"] = sample
    return found


def _key(drawn: Mapping[str, Sample]) -> str:
    """Name what is read and what reads it."""
    digest = hashlib.sha256()
    for name, sample in drawn.items():
        digest.update(name.encode() + sample.data)
    for folder in _READER:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _read(drawn: Mapping[str, Sample], backup: Path) -> None:
    """Have an installation of its own read the files, and keep a backup of it."""
    with tempfile.TemporaryDirectory(prefix="bench-desk-") as name:
        installation = Installation(Path(name), {"JOB_TIMEOUT_SECONDS": "900", "LEASE_SECONDS": "120"})
        uploader, _reviewer = set_up(installation.settings)
        installation.start()
        try:
            for files in _uploads(drawn):
                _send(installation.url, uploader, files)
            _wait(installation.url)
            fresh(f"{__name__}:keep", str(backup), settings=installation.settings)
        finally:
            installation.stop()


def _wait(url: str) -> None:
    """Wait until all is read. Raises TimeoutError."""
    limit = time.monotonic() + _READING_SECONDS
    # A site that is busy may fail to tell how it stands, now and then.
    while not wait_until_read(url, limit - time.monotonic()):
        if time.monotonic() > limit:
            raise TimeoutError(f"not everything was read within {_READING_SECONDS:.0f} s")
        time.sleep(5)


def keep(backup: str) -> None:
    """Make a backup of the installation of this process's settings."""
    context = open_context(get_settings())
    try:
        make_backup(context, Path(backup), None, lambda done, total: None)
    finally:
        context.close()


def _uploads(drawn: Mapping[str, Sample]) -> Iterator[Sequence[tuple[str, Sample]]]:
    """Yield what is handed in at one time: a few files, or a stack by itself."""
    few: list[tuple[str, Sample]] = []
    for named in drawn.items():
        if len(named[1].truths) > 1:
            yield [named]
            continue
        few.append(named)
        if len(few) == _TOGETHER:
            yield few
            few = []
    if few:
        yield few


def _send(url: str, token: str, files: Sequence[tuple[str, Sample]]) -> None:
    parts = [("files", (name, sample.data)) for name, sample in files]
    answer = httpx.post(
        f"{url}/api/v1/batches", headers={"Authorization": f"Bearer {token}"}, files=parts, timeout=60
    )
    answer.raise_for_status()


def _truths(context: Context, drawn: Mapping[str, Sample]) -> dict[uuid.UUID, Label]:
    """Match what was read with what was drawn, by the pages."""
    found: dict[str, list[Submission]] = defaultdict(list)
    with context.database.session() as session:
        rows = session.execute(
            select(Upload.original_filename, Submission)
            .join(Submission, Submission.upload_id == Upload.id)
            .order_by(Submission.chunk_index)
        )
        for filename, submission in rows:
            found[filename].append(submission)
    truths: dict[uuid.UUID, Label] = {}
    for name, sample in drawn.items():
        labels = [{"kind": sample.kind, **truth.label(None)} for truth in sample.truths]
        read = found[name]
        matched = match(labels, [Prediction(page_start=one.page_start, page_end=one.page_end) for one in read])
        for label, place in zip(labels, matched, strict=True):
            if place is None or len(read) != len(labels):
                raise RuntimeError(f"{name} was not split into its {len(labels)} entries: draw another seed")
            truths[read[place].id] = label
    return truths
