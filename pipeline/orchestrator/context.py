"""Dependencies of a run, a recorder in memory, and the result of a run. Never checkpointed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from core.config import Settings
from core.file_store import FileStore
from core.llm.ledger import MemoryLedger, Model, ModelCall, UsageLedger
from core.messages import Message
from pipeline.looks.second_look import places_of, second_readings
from pipeline.orchestrator_state import AgentState, Outcome
from pipeline.schema import EvidenceBox, FieldReading, Preferred, Report, SubmissionRecord
from pipeline.second_reader.reader import HeaderReading, ask_second_reader
from pipeline.validation.policy import Policy


@dataclass(frozen=True, slots=True)
class StepLog:
    """One execution of a node, as logged for the audit. Holds no value of the entry."""

    #: Counts from 1 within the run; a repeated node keeps its number.
    step: int
    action: str
    #: Text for an admin.
    reason: Message
    #: The state that routing used.
    state: dict[str, Any]
    tools_used: list[str]
    final_outcome: str | None = None
    duration_ms: int = 0
    model: str | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float = 0.0
    #: Values behind the decision, see `pipeline.orchestrator.decisions`.
    trace: dict[str, Any] = field(default_factory=dict)
    #: Id of the LangSmith trace that contains the step.
    trace_id: str | None = None


@dataclass(frozen=True, slots=True)
class ProposedField:
    """One field of a proposal; a `proposed_value` of None is for a person to fill in."""

    name: str
    current_value: str | None
    proposed_value: str | None
    confidence: float = 0.0
    source: str | None = None
    method: str | None = None
    reason: Message | None = None
    evidence: EvidenceBox | None = None
    preferred: Preferred = Preferred.NEITHER
    #: Probability that the proposed value is right; None if it was not estimated.
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    #: Reason codes why the entry needs a person, most important first.
    reason: Message
    fields: tuple[ProposedField, ...]


class StepLedger(UsageLedger, Protocol):
    """A ledger that also keeps the calls of this process, for the step's totals."""

    @property
    def calls(self) -> Sequence[ModelCall]:
        """The calls recorded through this object, oldest first."""


class RunRecorder(Protocol):
    """Stores steps, proposals and model calls of a run. Every write may raise LeaseLostError."""

    @property
    def ledger(self) -> StepLedger: ...

    def log_step(self, entry: StepLog) -> None:
        """Write one step; a step that exists already is not changed."""

    def propose(self, proposal: Proposal) -> str:
        """Write the run's proposal and return its id; if the run has one already, return that one's id."""

    def proposed(self) -> str | None:
        """The id of the run's proposal, None before there is one."""


class ReadEntry(Protocol):
    """Gives a run the reading of its entry: `pipeline.runner.read_submission`, or one that was stored."""

    def __call__(
        self, state: AgentState, *, settings: Settings, store: FileStore, policy: Policy
    ) -> tuple[SubmissionRecord, Report]: ...


class ReadAgain(Protocol):
    """Type of `pipeline.looks.second_look.second_readings`."""

    def __call__(
        self,
        fields: Sequence[str],
        pdf_key: str,
        ocr_provider_name: str,
        record: SubmissionRecord,
        *,
        settings: Settings,
        store: FileStore,
        schools: Mapping[str, Sequence[str]],
    ) -> dict[str, list[FieldReading]]: ...


class Locate(Protocol):
    """Type of `pipeline.looks.second_look.places_of`."""

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


class AskSecondReader(Protocol):
    """Type of `pipeline.second_reader.reader.ask_second_reader`."""

    def __call__(
        self,
        wanted: Collection[str],
        pdf_key: str,
        ocr_provider_name: str,
        record: SubmissionRecord,
        *,
        model: Model,
        settings: Settings,
        store: FileStore,
        schools: Mapping[str, Sequence[str]],
        others: Collection[str],
    ) -> HeaderReading | None: ...


@dataclass(frozen=True)
class RunContext:
    """Dependencies passed to every node through LangGraph's `Runtime`."""

    settings: Settings
    store: FileStore
    policy: Policy
    recorder: RunRecorder
    read: ReadEntry
    #: None: extraction by rules only.
    model: Model | None = None
    #: The second reader's model; None: nobody looks a second time.
    vision: Model | None = None
    #: Names of the children of the file's other entries.
    others: Collection[str] = ()
    read_again: ReadAgain = field(default=second_readings)
    locate: Locate = field(default=places_of)
    ask_second_reader: AskSecondReader = field(default=ask_second_reader)


# A recorder in memory, for the regression check and for tests.


@dataclass
class MemoryRecorder:
    """Keeps steps and the proposal in memory; idempotent like the database's recorder."""

    ledger: MemoryLedger = field(default_factory=MemoryLedger)
    steps: dict[int, StepLog] = field(default_factory=dict)
    proposal: Proposal | None = None

    def log_step(self, entry: StepLog) -> None:
        self.steps.setdefault(entry.step, entry)

    def propose(self, proposal: Proposal) -> str:
        if self.proposal is None:
            self.proposal = proposal
        return "proposal"

    def proposed(self) -> str | None:
        return None if self.proposal is None else "proposal"


# The result of a run of the graph.


@dataclass(frozen=True, slots=True)
class RunResult:
    """Result of a run when the graph has stopped."""

    #: The record as read, including the essay; values of a model are in the proposals, not here.
    record: SubmissionRecord
    #: The report of `process_submission`.
    report: Report
    outcome: Outcome
    reason: Message
    tools_used: list[str]
    confidence: float
    missing_fields: list[str]
    weak_fields: list[str]
    #: The payload of the pending interrupt; None unless the run waits for a person.
    interrupt: dict[str, Any] | None = None
