"""Ask a model how statements of different sources relate, many in one request."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from research.readers.model.asking import Asking, Reply
from research.readers.model.passages import plain
from research.readers.model.reading_prompts import AGREEMENT_SYSTEM, DATA
from research.readers.protocol import Agreement, Statement
from research.readers.rules.reader import RulesReader

#: Most pairs in one request.
_BATCH = 30

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
    found: list[Agreement] = []
    for start in range(0, len(pairs), _BATCH):
        batch = pairs[start : start + _BATCH]
        by_rule = rules.agreement(batch)
        told = _of_batch(asking, batch)
        found += by_rule if told is None else map(_settled, told, by_rule)
    return found


def _of_batch(asking: Asking, pairs: Sequence[Pair]) -> list[Agreement] | None:
    listed = "\n".join(
        f"<a{n}>1: {plain(one.text)}\n2: {plain(other.text)}</a{n}>"
        for n, (one, other) in enumerate(pairs, start=1)
    )
    reply = asking.ask("agreement", f"{AGREEMENT_SYSTEM}\n\n{DATA}", listed, PairsGiven, "research.agreement")
    if reply is None:
        return None
    said: dict[str, Agreement] = {}
    for pair in reply.pairs:
        said[pair.id] = pair.how if said.get(pair.id, pair.how) == pair.how else "unrelated"
    return [said.get(f"a{n}", "unrelated") for n in range(1, len(pairs) + 1)]


def _settled(by_model: Agreement, by_rule: Agreement) -> Agreement:
    return "unrelated" if {by_model, by_rule} == {"agrees", "contradicts"} else by_model
