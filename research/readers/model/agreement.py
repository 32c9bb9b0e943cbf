"""Ask a model how statements of different sources relate, many in one request."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from research.readers.model.asking import Asking, Reply
from research.readers.model.passages import plain
from research.readers.model.reading_prompts import AGREEMENT_SYSTEM, DATA
from research.readers.protocol import Agreement, Statement
from research.readers.rules.reader import RulesReader

Pair = tuple[Statement, Statement]


class PairGiven(Reply):
    """How the pair of an id relates."""

    id: str
    how: Agreement


class PairsGiven(Reply):
    """Pairs in any order, possibly not all."""

    pairs: list[PairGiven] = Field(default_factory=list)


def agreement_of(asking: Asking, pairs: Sequence[Pair], rules: RulesReader) -> list[Agreement]:
    """Return for each pair how it relates; unrelated where model and rules say the opposite of each other."""
    by_rule = rules.agreement(pairs)
    listed = "\n".join(
        f"<a{n}>1 ({plain(one.source)}): {plain(one.text)}\n2 ({plain(other.source)}): {plain(other.text)}</a{n}>"
        for n, (one, other) in enumerate(pairs, start=1)
    )
    system = f"{AGREEMENT_SYSTEM}\n\n{DATA}"
    reply = asking.ask("agreement", system, listed, PairsGiven, "research.agreement") if pairs else None
    if reply is None:
        return by_rule
    said: dict[str, Agreement] = {}
    for pair in reply.pairs:
        said[pair.id] = pair.how if said.get(pair.id, pair.how) == pair.how else "unrelated"
    told = (said.get(f"a{n}", "unrelated") for n in range(1, len(pairs) + 1))
    return [
        "unrelated" if {one, other} == {"agrees", "contradicts"} else one
        for one, other in zip(told, by_rule, strict=True)
    ]
