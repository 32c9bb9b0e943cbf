"""The first reading of each entry of a file, from which the joint pass decides."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.config import Settings, get_settings
from core.file_store import FileStore
from pipeline.files.intake import to_pdf
from pipeline.joint_pass.votes import Member
from pipeline.runner import analyse, process_submission
from pipeline.splitting.document_analysis import Chunk, DocumentAnalysis
from pipeline.validation.policy import Policy
from scripts.regression.school_list import SchoolList
from services.policy import policy_of


@dataclass(frozen=True)
class OpenFile:
    """A file that was split into entries."""

    name: str
    digest: str
    pdf_key: str
    analysis: DocumentAnalysis
    provider: str
    settings: Settings
    store: FileStore
    policy: Policy

    def key_of(self, chunk: Chunk) -> str:
        """The id of an entry."""
        return f"{self.digest}-{chunk.index}"

    def artifacts_of(self, chunk: Chunk, mode: str) -> str:
        """Where the reading of an entry is kept."""
        return f"artifacts/{self.key_of(chunk)}-{mode}/1"


def open_file(
    path: Path,
    provider: str,
    store: FileStore,
    schools: SchoolList,
    rules: Mapping[str, Any] | None = None,
    settings: Settings | None = None,
) -> OpenFile:
    """Convert, store and split a file, to be read by the rules of a season. Raises what that raises."""
    settings = settings or get_settings()
    data = path.read_bytes()
    intake = to_pdf(data, path.name, settings)
    digest = hashlib.sha256(data).hexdigest()
    key = f"regression/{digest}.pdf"
    store.put(key, intake.pdf, "application/pdf")
    return OpenFile(
        name=path.name,
        digest=digest,
        pdf_key=key,
        analysis=analyse(intake.pdf, settings, store, provider, notes=intake.notes),
        provider=provider,
        settings=settings,
        store=store,
        policy=policy_of(settings, rules, schools),
    )


def read_first(file: OpenFile, mode: str) -> list[Member]:
    """Read every entry of a file and keep the readings in its store."""
    members = []
    for chunk in file.analysis.chunks:
        record, _ = process_submission(
            file.pdf_key,
            file.key_of(chunk),
            file.artifacts_of(chunk, mode),
            file.provider,
            file.name,
            chunk.model_dump(mode="json"),
            file.analysis.format.value,
            settings=file.settings,
            store=file.store,
            policy=file.policy,
        )
        members.append(Member(record, file.digest))
    return members
