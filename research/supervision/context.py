"""What a loop works with besides its state: who analyses, expands and integrates, and where it is written down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, Protocol

from core.errors import AppError
from core.messages import Message, MessageCode
from research.codes import ResearchCode
from research.document import ReportDocument
from research.material import CheckedClaim, SourceText
from research.supervision.examination import Examination
from research.supervision.tiers import Depth, SupervisionTier
from research.supervision.types import Ended, Issue, Outcome, SupervisorDecision
from research.worker_result import Finding

Mode = Literal["automatic", "supervised"]
Decided = Literal["accepted", "edited", "rejected"]


class InvalidDecisionError(AppError):
    """The analysis said that research is needed and named no issue, or the like, also after one repair."""

    code: ClassVar[MessageCode] = ResearchCode.INVALID_DECISION


@dataclass(frozen=True)
class Expansion:
    """What a focused research brought; nothing found is an empty one."""

    findings: tuple[Finding, ...] = ()
    #: By citation key: the sources that the findings stand in; the document may cite them already.
    sources: dict[str, SourceText] = field(default_factory=dict)


@dataclass(frozen=True)
class Integration:
    """A revised document with the claims that were checked for what is new in it."""

    document: ReportDocument
    claims: tuple[CheckedClaim, ...] = ()


@dataclass(frozen=True)
class Attempt:
    """One attempt as it is written down."""

    iteration: int
    issue: Issue | None
    outcome: Outcome
    base_version: int
    #: Why nothing came of it: what the guard refused, or which error it was.
    reasons: tuple[Message, ...] = ()
    source_keys: tuple[str, ...] = ()
    integration: Integration | None = None
    #: Of the decision that began it: the analyst's own words, and how sure it was.
    reasoning: str = ""
    confidence: float | None = None


@dataclass(frozen=True)
class End:
    """How a loop ended, as it is written down."""

    ended: Ended
    #: The last good version.
    version_no: int
    iterations: int
    integrations: int
    error_code: str | None = None
    #: What the end rests on.
    note: Message | None = None
    #: Of the last decision, where it is the end.
    reasoning: str = ""
    confidence: float | None = None


@dataclass(frozen=True)
class Decision:
    """What a person said of a revision."""

    decided: Decided
    #: The version that it became; None where it was rejected.
    version_no: int | None


class Analyst(Protocol):
    """Looks for the one gap that weighs most."""

    def analyse(
        self, document: ReportDocument, explored: Sequence[str], iteration: int, tier: SupervisionTier
    ) -> SupervisorDecision:
        """Raises InvalidDecisionError, or another AppError for what failed. `explored`: see `explored_key`."""
        ...


class Expander(Protocol):
    """Researches one gap, and nothing else."""

    def expand(self, document: ReportDocument, issue: Issue, iteration: int, depth: Depth) -> Expansion:
        """Raises AppError where the research itself failed; finding nothing is no failure."""
        ...

    def recall(self, iteration: int, source_keys: Sequence[str]) -> Expansion:
        """What `expand` brought in this iteration, from where it was kept: nothing is fetched twice."""
        ...


class Integrator(Protocol):
    """Works a finding into the document."""

    def integrate(
        self, document: ReportDocument, issue: Issue, expansion: Expansion, refused: Sequence[Message]
    ) -> Integration:
        """`refused`: what the guard said of the go before; empty at the first. Raises AppError."""
        ...


class RevisionStore(Protocol):
    """Where documents and attempts are kept. Every write is safe to repeat and may raise LeaseLostError."""

    def document(self, version_no: int) -> ReportDocument:
        """A version of the document."""
        ...

    def record(self, attempt: Attempt) -> str:
        """Write an attempt down, once an iteration; the revision's id."""
        ...

    def apply(self, revision_id: str) -> int:
        """Make a revision the newest version without a person; the version's number, also when asked again."""
        ...

    def decision(self, revision_id: str) -> Decision | None:
        """What a person decided, None while it waits."""
        ...

    def finish(self, end: End) -> None:
        """Write down how the loop ended."""
        ...


def _never() -> Ended | None:
    return None


def _examined(document: ReportDocument) -> Examination:
    return Examination(True)


def _some() -> Message | None:
    return None


@dataclass(frozen=True)
class SupervisionContext:
    """Handed to every node through LangGraph's `Runtime`; never checkpointed."""

    tier: SupervisionTier
    mode: Mode
    store: RevisionStore
    analyst: Analyst
    expander: Expander
    integrator: Integrator
    #: Asked before each step: whether a person cancelled or the budget is spent.
    stop: Callable[[], Ended | None] = field(default=_never)
    examination: Callable[[ReportDocument], Examination] = field(default=_examined)
    #: Asked where no attempt found a source: why none could be asked, None where one could.
    nothing_to_ask: Callable[[], Message | None] = field(default=_some)
    #: Told the name of each node as it begins, to show what is being done.
    begins: Callable[[str], None] = field(default=lambda node: None)
