"""What the review agent proposes without a model where blur has cost fields."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pymupdf
from PIL import ImageFilter

from core.config import load_settings
from core.file_store import LocalFileStore
from pipeline.document_analysis import Chunk
from pipeline.files.intake import to_pdf
from pipeline.files.pdf import load_page, open_pdf
from pipeline.orchestrator.context import RunContext
from pipeline.orchestrator.memory import MemoryRecorder
from pipeline.orchestrator.run import run_in_memory
from pipeline.pages.render import render
from pipeline.runner import analyse, process_submission
from pipeline.validation.season_policy import policy_of
from scripts.bench.measure import Measure, at_least, measured
from scripts.bench.reading.corpora import Labelled, files_of
from scripts.regression.scoring.compare import Verdict, verdict

#: Radius of the Gaussian blur in pixels, in turn, at this resolution.
RADII = (1.5, 2.0, 2.5)
DPI = 150
FILES = 36
WORKERS = 2
FIELDS = ("student_name", "school_name", "grade")


@dataclass(frozen=True)
class Counts:
    """Counts of required fields that are on the pages and were missing after the first reading."""

    missing: int = 0
    proposed: int = 0
    right: int = 0
    entries: int = 0


def measure(corpus: Path) -> list[Measure]:
    """Blur held-out files with one entry each and let the orchestrator run on them, without a model."""
    files = _sample(corpus)
    with ProcessPoolExecutor(WORKERS, mp_context=get_context("spawn")) as pool:
        found = list(pool.map(read_blurred, [str(f.path) for f in files], _radii(len(files)), _truths(files)))
    total = {name: sum(counts[name] for counts in found) for name in asdict(Counts())}
    how = (
        f"{total['entries']} held-out entries drawn at {DPI} dpi and blurred (Gaussian, {min(RADII)}–{max(RADII)} "
        f"pixels): {total['missing']} required fields that stand on the page were missing after the first reading"
    )
    return [
        measured(
            "proposal_rate_no_model",
            total["proposed"] / total["missing"] if total["missing"] else 0.0,
            "of 1",
            at_least(0.3),
            f"share of them that the review agent proposes a value for; {how}",
        ),
        measured(
            "proposal_precision_no_model",
            total["right"] / total["proposed"] if total["proposed"] else 0.0,
            "of 1",
            at_least(0.95),
            f"share of these {total['proposed']} proposals that are right; {how}",
        ),
    ]


def _sample(corpus: Path) -> list[Labelled]:
    """Files of one complete entry, each kind in turn."""
    by_kind: dict[str, list[Labelled]] = {}
    for file in files_of(corpus):
        entries = file.label["entries"]
        if file.is_pdf and len(entries) == 1 and entries[0]["complete"]:
            by_kind.setdefault(file.kind, []).append(file)
    turns = range(max(map(len, by_kind.values()), default=0))
    in_turn = [group[turn] for turn in turns for group in by_kind.values() if turn < len(group)]
    return in_turn[:FILES]


def _radii(count: int) -> list[float]:
    return [RADII[number % len(RADII)] for number in range(count)]


def _truths(files: Sequence[Labelled]) -> list[dict[str, Any]]:
    return [dict(file.label["entries"][0]) for file in files]


def blurred(data: bytes, radius: float) -> bytes:
    """A PDF of the same pages as blurred pictures."""
    with open_pdf(data) as document, pymupdf.open() as made:
        for number in range(1, document.page_count + 1):
            page = load_page(document, number)
            picture = render(page, DPI).filter(ImageFilter.GaussianBlur(radius))
            jpeg = io.BytesIO()
            picture.save(jpeg, "JPEG", quality=80)
            made.new_page(width=page.rect.width, height=page.rect.height).insert_image(
                page.rect, stream=jpeg.getvalue()
            )
        return bytes(made.tobytes())


def read_blurred(path: str, radius: float, truth: Mapping[str, Any]) -> dict[str, int]:
    """Blur one file, run its entry, and count."""
    settings = load_settings(_env_file=None)
    data = to_pdf(blurred(Path(path).read_bytes(), radius), "blurred.pdf", settings).pdf
    with tempfile.TemporaryDirectory() as folder:
        store = LocalFileStore(Path(folder))
        store.put("originals/blurred.pdf", data, "application/pdf")
        analysis = analyse(data, settings, store, one_entry=True)
        recorder = MemoryRecorder()
        context = RunContext(
            settings=settings,
            store=store,
            policy=policy_of(settings),
            recorder=recorder,
            read=process_submission,
        )
        for chunk in analysis.chunks:
            result = run_in_memory(_state(chunk, settings.ocr_provider), context)
            return asdict(_counted(result.missing_fields, recorder, truth))
    return asdict(Counts(entries=1))


def _counted(missing: Sequence[str], recorder: MemoryRecorder, truth: Mapping[str, Any]) -> Counts:
    lost = [name for name in FIELDS if name in missing and truth.get(name)]
    proposed = dict(_proposed(recorder, lost))
    right = sum(verdict(name, truth, value) is Verdict.RIGHT for name, value in proposed.items())
    return Counts(len(lost), len(proposed), right, 1)


def _proposed(recorder: MemoryRecorder, fields: Sequence[str]) -> Iterator[tuple[str, str]]:
    for field in recorder.proposal.fields if recorder.proposal else ():
        if field.name in fields and field.proposed_value:
            yield field.name, field.proposed_value


def _state(chunk: Chunk, provider: str) -> Any:
    return {
        "submission_id": "blurred",
        "run_id": "blurred:1",
        "run_no": 1,
        "image_path": "originals/blurred.pdf",
        "artifact_dir": "artifacts/blurred/1",
        "ocr_provider_name": provider,
        "original_filename": "blurred.pdf",
        "chunk_metadata": chunk.model_dump(mode="json"),
        "doc_format": "image_only",
        "owner_user_id": "bench",
        "upload_batch_id": None,
        "tries": 0,
        "tools_used": [],
    }
