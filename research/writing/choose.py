"""Choose the sentences of a digest: relevant, without repetition, from diverse sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import InitVar, dataclass, field, replace
from itertools import pairwise

from research.readers.rules.agreement import agreement
from research.writing.dangling import dangles
from research.writing.fitness import is_fit
from research.writing.relevance import Scale, Scored

#: Similarity above which two sentences count as repetitions.
NEAR_DUPLICATE = 0.7
#: Least score of a sentence, absolute and as a share of the best score.
FLOOR, SHARE_OF_BEST = 0.2, 0.52
#: Least share of the best score for sentences of unused domains, while there are too few domains.
LOWER_SHARE = 0.4
#: Penalties for repeating chosen content, and for each chosen sentence of the same domain or source.
_REPEATS, _DOMAIN, _SOURCE = 0.35, 0.1, 0.05


def answers(scored: Sequence[Scored], share_of_best: float = SHARE_OF_BEST) -> list[Scored]:
    """Return the sentences that answer well enough and can be quoted alone, best first."""
    fit = [item for item in scored if item.score >= FLOOR and is_fit(item.sentence)]
    best = max((item.score for item in fit), default=0.0)
    kept = [item for item in fit if item.score >= share_of_best * best]
    return sorted(kept, key=lambda item: (-item.score, item.sentence.key, item.sentence.start))


def choose(
    rated: Mapping[str, Sequence[Scored]], limit: int, scale: Scale, min_domains: int = 0
) -> dict[str, list[Scored]]:
    """Choose up to `limit` sentences for each question, in turns, none of them twice.

    While they come from fewer than `min_domains` domains, the next best of other domains are added. A sentence
    that depends on the one before it is chosen together with that one or not at all.
    """
    own = _at_their_best(rated)
    choosers = {question: _Chooser(own[question], scored, scale) for question, scored in rated.items()}
    held: list[Scored] = []
    for _ in range(limit):
        for chooser in choosers.values():
            if len(chooser.chosen) < limit:
                held += chooser.take(held)
    for question, chooser in choosers.items():
        chooser.pool = _of_other_domains(rated[question], held)
    while any(chooser.pool for chooser in choosers.values()) and len(_domains(held)) < min_domains:
        for chooser in choosers.values():
            held += chooser.take(held)
            chooser.pool = [item for item in chooser.pool if item.sentence.domain not in _domains(held)]
    return {question: chooser.chosen for question, chooser in choosers.items()}


def _of_other_domains(scored: Sequence[Scored], held: Sequence[Scored]) -> list[Scored]:
    used = _domains(held)
    return [item for item in answers(scored, LOWER_SHARE) if item.sentence.domain not in used]


def _domains(held: Sequence[Scored]) -> set[str]:
    return {item.sentence.domain for item in held}


@dataclass
class _Chooser:
    """Chooses sentences for one question, each time the most useful one given those already chosen."""

    pool: list[Scored]
    scored: InitVar[Sequence[Scored]]
    scale: Scale
    chosen: list[Scored] = field(default_factory=list)

    def __post_init__(self, scored: Sequence[Scored]) -> None:
        self._before = _predecessors(scored)

    def take(self, held: Sequence[Scored]) -> list[Scored]:
        """Return the next sentence, with its predecessor if needed; an empty list if none is useful."""
        while self.pool:
            item = max(self.pool, key=lambda one: (_value(one, held, self.scale), one.sentence.key))
            self.pool.remove(item)
            if _value(item, held, self.scale) <= 0:
                return []
            if taken := self._new(item, held):
                self.chosen += taken
                return taken
        return []

    def _new(self, item: Scored, held: Sequence[Scored]) -> list[Scored]:
        """Return the sentence, after the one that it depends on; an empty list if that one cannot be used."""
        sentence = item.sentence
        if repeats(item, held, self.scale):
            return []
        if not dangles(sentence.text, sentence.language):
            return [item]
        first = self._before.get((sentence.key, sentence.start))
        if first is None or not _carries(first, item):
            return []
        item = replace(item, leans_on=first.sentence.start)
        if any(first.sentence == one.sentence for one in self.chosen):
            return [item]
        return [] if repeats(first, held, self.scale) else [first, item]


def _at_their_best(rated: Mapping[str, Sequence[Scored]]) -> dict[str, list[Scored]]:
    """Return each question's answers, without those that score clearly higher for another question."""
    best: dict[tuple[str, int], float] = {}
    for scored in rated.values():
        for item in scored:
            place = (item.sentence.key, item.sentence.start)
            best[place] = max(best.get(place, 0.0), item.score)
    return {
        question: [i for i in answers(scored) if i.score >= 0.85 * best[i.sentence.key, i.sentence.start]]
        for question, scored in rated.items()
    }


def within_share(chosen: Sequence[Scored], max_share: float) -> list[Scored]:
    """Drop the weakest sentences of each domain that exceeds its share, if there are other domains."""
    kept = list(chosen)
    while kept:
        domains = Counter(item.sentence.domain for item in kept)
        bound = max(max_share, 1.5 / len(domains))
        domain, most = min(domains.items(), key=lambda pair: (-pair[1], pair[0]))
        if most <= 1 or most / len(kept) <= bound:
            return kept
        weakest = min((item for item in kept if item.sentence.domain == domain), key=lambda item: item.score)
        kept = [item for item in kept if item is not weakest and not _leans(item, weakest)]
    return kept


def _leans(item: Scored, on: Scored) -> bool:
    return item.sentence.key == on.sentence.key and item.leans_on == on.sentence.start


def repeats(item: Scored, held: Sequence[Scored], scale: Scale) -> bool:
    """Return whether one of the chosen sentences says the same."""
    own = item.sentence
    return any(
        (own.key, own.start) == (other.sentence.key, other.sentence.start)
        or (
            scale.alike(own.stems, other.sentence.stems) > NEAR_DUPLICATE
            and agreement(own, other.sentence, scale) != "contradicts"
        )
        for other in held
    )


def _value(item: Scored, held: Sequence[Scored], scale: Scale) -> float:
    said = max((scale.alike(item.sentence.stems, other.sentence.stems) for other in held), default=0.0)
    domain = sum(other.sentence.domain == item.sentence.domain for other in held)
    source = sum(other.sentence.key == item.sentence.key for other in held)
    return item.score - _REPEATS * item.score * said - _DOMAIN * domain - _SOURCE * source


def _predecessors(scored: Sequence[Scored]) -> dict[tuple[str, int], Scored]:
    """Return, by source key and start, the preceding sentence of the same paragraph."""
    found: dict[tuple[str, int], Scored] = {}
    for first, second in pairwise(scored):
        one, other = first.sentence, second.sentence
        if (one.key, one.block) == (other.key, other.block):
            found[other.key, other.start] = first
    return found


def _carries(first: Scored, item: Scored) -> bool:
    """Return whether `first` is relevant and complete enough to precede `item`, which depends on it."""
    sentence = first.sentence
    return (
        first.score >= 0.6 * min(item.score, FLOOR / 0.6)
        and is_fit(sentence)
        and not dangles(sentence.text, sentence.language)
    )
