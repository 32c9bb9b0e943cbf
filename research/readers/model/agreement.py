"""Ask a model how statements of different sources relate, many in one request."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from research.readers.model.asking import Asking, Reply, or_by_rule
from research.readers.model.passages import plain
from research.readers.model.reading_prompts import AGREEMENT_SYSTEM, DATA
from research.readers.protocol import Agreement, Statement


class PairGiven(Reply):
    """How the pair of an id relates."""

    id: str
    how: Agreement


class PairsGiven(Reply):
    """Pairs in any order, possibly not all."""

    pairs: list[PairGiven] = Field(default_factory=list)


class Comparing(Asking):
    """Compares statements."""

    @or_by_rule
    def agreement(self, pairs: Sequence[tuple[Statement, Statement]]) -> list[Agreement]:
        """Return for each pair how it relates; unrelated where model and rules say the opposite of each other."""
        if not pairs:
            return []
        listed = "\n".join(
            f"<a{n}>1: {plain(one.text)}\n2: {plain(other.text)}</a{n}>"
            for n, (one, other) in enumerate(pairs, start=1)
        )
        reply = self.ask("agreement", f"{AGREEMENT_SYSTEM}\n\n{DATA}", listed, PairsGiven)
        said: dict[str, Agreement] = {}
        for pair in reply.pairs:
            said[pair.id] = pair.how if said.get(pair.id, pair.how) == pair.how else "unrelated"
        told = (said.get(f"a{n}", "unrelated") for n in range(1, len(pairs) + 1))
        return [
            "unrelated" if {one, by_rule} == {"agrees", "contradicts"} else one
            for one, by_rule in zip(told, super().agreement(pairs), strict=True)
        ]
