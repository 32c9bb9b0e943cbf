"""A stored file read to validated records, as an upload is."""

from __future__ import annotations

import hashlib
from pathlib import Path

from core.config import Settings
from core.file_store import FileStore
from pipeline.files.intake import to_pdf
from pipeline.runner import analyse, process_submission
from pipeline.schema import SubmissionRecord
from pipeline.splitting.document_analysis import DocumentAnalysis
from services.policy import policy_of


def store_original(path: Path, store: FileStore) -> str:
    """Store a file as an upload does before anything reads it; its key."""
    data = path.read_bytes()
    key = f"originals/{hashlib.sha256(data).hexdigest()}{path.suffix}"
    store.put(key, data)
    return key


def read_whole(original: str, settings: Settings, store: FileStore) -> list[SubmissionRecord]:
    """Take a stored file in, split it, read and validate each entry, write the artifacts."""
    key, analysis = _split(original, settings, store)
    policy = policy_of(settings)
    return [
        process_submission(
            key,
            f"{Path(original).stem}-{chunk.index}",
            f"artifacts/{Path(original).stem}/{chunk.index}",
            settings.ocr_provider,
            original,
            chunk.model_dump(mode="json"),
            analysis.format.value,
            settings=settings,
            store=store,
            policy=policy,
        )[0]
        for chunk in analysis.chunks
    ]


def _split(original: str, settings: Settings, store: FileStore) -> tuple[str, DocumentAnalysis]:
    """The key of the PDF that is read, and its entries; a job of its own, the file does not outlive it."""
    intake = to_pdf(store.get(original), original, settings)
    key = original
    if intake.converted:
        key = f"derived/{Path(original).stem}.pdf"
        store.put(key, intake.pdf, "application/pdf")
    return key, analyse(intake.pdf, settings, store)
