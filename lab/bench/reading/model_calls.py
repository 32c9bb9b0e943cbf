"""What a model is sent for the sample entries: tokens and calls, without any server."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import PrivateAttr

from core.config import Settings, load_settings
from core.file_store import LocalFileStore
from core.llm.chat import ChatModel
from core.plain_data import token_count
from lab.bench.measure import Measure, at_most, measured
from lab.bench.reading.corpora import labels_of
from pipeline.files.intake import to_pdf
from pipeline.orchestrator.context import MemoryRecorder, RunContext
from pipeline.orchestrator.run import run_in_memory
from pipeline.runner import analyse, read_submission
from services.policy import policy_of

USER_TOKENS, SYSTEM_TOKENS = 200, 450


class SilentModel(BaseChatModel):
    """Keeps what it is sent and finds nothing, so that every question that can be asked is."""

    _sent: list[list[BaseMessage]] = PrivateAttr(default_factory=list)

    @property
    def sent(self) -> Sequence[Sequence[BaseMessage]]:
        """The messages of each call."""
        return self._sent

    @property
    def _llm_type(self) -> str:
        return "silent"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        self._sent.append(messages)
        return ChatResult(generations=[ChatGeneration(message=AIMessage("{}"))])


@dataclass
class Sent:
    """What was sent for some entries."""

    entries: int = 0
    #: Tokens of each call.
    system: list[int] = field(default_factory=list)
    user: list[int] = field(default_factory=list)


def measure(folder: Path) -> list[Measure]:
    """Run the supervisor over the entries of a folder with a model that finds nothing."""
    sent = Sent()
    with tempfile.TemporaryDirectory() as scratch:
        store = LocalFileStore(Path(scratch))
        for label in sorted(labels_of(folder).values(), key=lambda label: str(label["file"])):
            _add(sent, folder / label["file"], store, load_settings(_env_file=None))
    how = (
        f"{sent.entries} sample entries, {len(sent.user)} calls of a model that finds nothing; "
        "tokens are bytes of UTF-8 / 3, rounded up"
    )
    return [
        measured(
            "llm_user_tokens_a_call",
            mean(sent.user) if sent.user else 0.0,
            "tokens",
            at_most(USER_TOKENS),
            f"mean of the user part; {how}",
        ),
        measured(
            "llm_system_tokens_a_call",
            max(sent.system, default=0),
            "tokens",
            at_most(SYSTEM_TOKENS),
            "the longest system part, its example and the schema of the reply included; the same calls",
        ),
        measured(
            "llm_calls_an_entry",
            len(sent.user) / sent.entries,
            "calls",
            None,
            "calls divided by entries, those without a call included",
        ),
    ]


def _add(sent: Sent, path: Path, store: LocalFileStore, settings: Settings) -> None:
    """Run each entry of a file."""
    pdf = to_pdf(path.read_bytes(), path.name, settings).pdf
    key = f"originals/{path.stem}.pdf"
    store.put(key, pdf, "application/pdf")
    analysis = analyse(pdf, settings, store)
    for chunk in analysis.chunks:
        chat = SilentModel()
        name = f"{path.stem}-{chunk.index}"
        run_in_memory(
            {
                "submission_id": name,
                "run_id": f"{name}:1",
                "run_no": 1,
                "image_path": key,
                "artifact_dir": f"artifacts/{name}/1",
                "ocr_provider_name": settings.ocr_provider,
                "original_filename": path.name,
                "chunk_metadata": chunk.model_dump(mode="json"),
                "doc_format": analysis.format.value,
                "owner_user_id": "bench",
                "upload_batch_id": None,
                "tries": 0,
                "tools_used": [],
            },
            _context(chat, store, settings),
        )
        sent.entries += 1
        sent.system += [token_count(str(messages[0].text)) for messages in chat.sent]
        sent.user += [sum(token_count(str(m.text)) for m in messages[1:]) for messages in chat.sent]


def _context(chat: SilentModel, store: LocalFileStore, settings: Settings) -> RunContext:
    return RunContext(
        settings=settings,
        store=store,
        policy=policy_of(settings),
        recorder=MemoryRecorder(),
        read=read_submission,
        model=ChatModel("silent", "silent", chat, (), timeout_seconds=30.0, max_attempts=1, patience=30.0),
    )
