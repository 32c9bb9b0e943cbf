"""A file read from its bytes to validated records, as an upload is."""

from __future__ import annotations

import hashlib

from core.config import Settings
from core.file_store import FileStore
from pipeline.intake import to_pdf
from pipeline.policy import Policy
from pipeline.runner import analyse, process_submission
from pipeline.schema import SubmissionRecord


def read_whole(data: bytes, filename: str, settings: Settings, store: FileStore) -> list[SubmissionRecord]:
    """Take a file in, split it, read and validate each entry, write the artifacts."""
    digest = hashlib.sha256(data).hexdigest()
    pdf = to_pdf(data, filename, settings).pdf
    key = f"originals/{digest}.pdf"
    store.put(key, pdf, "application/pdf")
    analysis = analyse(pdf, settings, store)
    policy = Policy.from_settings(settings)
    return [
        process_submission(
            key,
            f"{digest}-{chunk.index}",
            f"artifacts/{digest}/{chunk.index}",
            settings.ocr_provider,
            filename,
            chunk.model_dump(mode="json"),
            analysis.format.value,
            settings=settings,
            store=store,
            policy=policy,
        )[0]
        for chunk in analysis.chunks
    ]
