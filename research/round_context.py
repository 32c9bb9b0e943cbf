"""What the nodes of a report work with besides their state: the request, the desk, sources and model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from core.messages import Message
from research.budget import Budget
from research.config import Language, ResearchConfig
from research.recorded_model import RecordedModel
from research.report_type import ReportType
from research.sources.base import SearchScope, Source, SourceKind
from research.storage import ReportStore
from research.worker_result import Kind


@dataclass(frozen=True)
class Brief:
    """What was asked for; it does not change while a report is researched."""

    report_id: str
    query: str
    report_type: ReportType
    config: ResearchConfig
    #: Kinds of researcher that may be sent.
    kinds: tuple[Kind, ...]
    #: Year of the request: queries that name one must not change when a report goes on after New Year.
    year: int
    #: Providers that may be asked; empty: every one that is on.
    providers: tuple[str, ...] = ()
    domains_allowed: tuple[str, ...] = ()
    domains_denied: tuple[str, ...] = ()
    #: As the person typed it; None: they left it to the rules.
    allocation: str | None = None
    approve_plan: bool = False
    #: Whether the entries' essays are a source of it.
    asks_essays: bool = False

    @property
    def language(self) -> Language:
        """Of the report."""
        return self.config.language

    def scope(self, kind: SourceKind) -> SearchScope:
        """What a search for this report may bring."""
        return SearchScope(kind, self.language, self.domains_allowed, self.domains_denied)


class OpenSources(Protocol):
    """The providers that are on; `research.sources.open_sources` opens them."""

    def for_kind(self, kind: SourceKind) -> Sequence[Source]:
        """Those that answer this kind of researcher, the first to be asked first."""
        ...

    def by_name(self, name: str) -> Source:
        """One provider."""
        ...

    @property
    def off(self) -> Sequence[tuple[str, Message]]:
        """Names of those that are off, each with what to do about it."""
        ...


@dataclass(frozen=True)
class RoundContext:
    """Handed to every node through LangGraph's `Runtime`."""

    brief: Brief
    store: ReportStore
    sources: OpenSources
    budget: Budget
    #: None: rules alone.
    model: RecordedModel | None = None
    #: Called when a step is done, to show what it cost.
    after_step: Callable[[], None] = field(default=lambda: None)

    def providers(self, kind: SourceKind) -> list[Source]:
        """Those that may be asked for this kind in this report."""
        wanted = self.brief.providers
        return [source for source in self.sources.for_kind(kind) if not wanted or source.name in wanted]


Phase = Literal["planning", "awaiting_plan", "round_1", "round_2", "round_3", "writing", "done"]
