"""What a run works with besides its state: settings, clients and the recorder. Never checkpointed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from core.config import Settings
from core.file_store import FileStore
from core.llm import Model, ModelCall, UsageLedger
from core.messages import Message
from pipeline.looks.review_second_look import places_of, second_readings
from pipeline.schema import EvidenceBox, FieldReading, Preferred, Report, SubmissionRecord
from pipeline.validation.policy import Policy


@dataclass(frozen=True, slots=True)
class StepLog:
    """One execution of a node, as the audit keeps it. Holds no value of the entry."""

    #: From 1 within the run; a repeated node has the number it had before.
    step: int
    action: str
    #: In words for an admin.
    reason: Message
    #: What routing saw.
    state: dict[str, Any]
    tools_used: list[str]
    final_outcome: str | None = None
    duration_ms: int = 0
    model: str | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float = 0.0
    #: What decided, see `pipeline.orchestrator.trace`.
    trace: dict[str, Any] = field(default_factory=dict)
    #: The LangSmith trace that the step is in.
    trace_id: str | None = None


@dataclass(frozen=True, slots=True)
class ProposedField:
    """One field of a proposal; `proposed_value` None: nothing to propose, a person fills it in."""

    name: str
    current_value: str | None
    proposed_value: str | None
    confidence: float = 0.0
    source: str | None = None
    method: str | None = None
    reason: Message | None = None
    evidence: EvidenceBox | None = None
    preferred: Preferred = Preferred.NEITHER


@dataclass(frozen=True, slots=True)
class Proposal:
    """All that one run proposes."""

    #: Why the entry came to a person, most weighty first.
    reason: Message
    fields: tuple[ProposedField, ...]


class StepLedger(UsageLedger, Protocol):
    """A ledger that also remembers the calls of this process, for the step's totals."""

    @property
    def calls(self) -> Sequence[ModelCall]:
        """Calls recorded through this object, oldest first."""
        ...


class RunRecorder(Protocol):
    """Where a run is written down. Every write may raise LeaseLostError."""

    @property
    def ledger(self) -> StepLedger:
        """Where the model calls of the run go."""
        ...

    def log_step(self, entry: StepLog) -> None:
        """Write one step; a step that stands already is left as it is."""
        ...

    def propose(self, proposal: Proposal) -> str:
        """Write the run's proposal and return its id; the id of the first where one stands already."""
        ...

    def proposed(self) -> str | None:
        """The id of the run's proposal, None before there is one."""
        ...


class ReadEntry(Protocol):
    """`pipeline.runner.process_submission`, or what stands in for it."""

    def __call__(
        self,
        image_path: str,
        submission_id: str,
        artifact_dir: str,
        ocr_provider_name: str,
        original_filename: str | None,
        chunk_metadata: dict[str, Any] | None,
        doc_format: str | None,
        *,
        settings: Settings,
        store: FileStore,
        policy: Policy,
    ) -> tuple[SubmissionRecord, Report]: ...


class ReadAgain(Protocol):
    """`pipeline.looks.review_second_look.second_readings`, or what stands in for it."""

    def __call__(
        self,
        fields: Sequence[str],
        pdf_key: str,
        ocr_provider_name: str,
        record: SubmissionRecord,
        *,
        settings: Settings,
        store: FileStore,
        schools: Sequence[str],
    ) -> dict[str, list[FieldReading]]: ...


class Locate(Protocol):
    """`pipeline.looks.review_second_look.places_of`, or what stands in for it."""

    def __call__(
        self,
        values: Mapping[str, str],
        pdf_key: str,
        ocr_provider_name: str,
        record: SubmissionRecord,
        *,
        settings: Settings,
        store: FileStore,
    ) -> dict[str, list[EvidenceBox]]: ...


@dataclass(frozen=True)
class RunContext:
    """Handed to every node through LangGraph's `Runtime`."""

    settings: Settings
    store: FileStore
    policy: Policy
    recorder: RunRecorder
    read: ReadEntry
    #: Names on the season's school list.
    schools: Sequence[str] = ()
    #: None: rules alone.
    model: Model | None = None
    read_again: ReadAgain = field(default=second_readings)
    locate: Locate = field(default=places_of)
