"""What the detection of gaps looks at: a round's results, the memo before it, and the request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from research.config import Language, ResearchConfig
from research.memo.types import Gap, ResearchMemo
from research.memo.worker_result import WorkerResult


@dataclass(frozen=True)
class RoundFacts:
    """The facts of one round."""

    round_index: int
    #: Of this round, without failed ones.
    results: Sequence[WorkerResult]
    #: Of the round before; None in Round 1.
    memo: ResearchMemo | None
    config: ResearchConfig
    query: str
    language: Language
    #: Known gaps that are not closed.
    waiting: Sequence[Gap]
