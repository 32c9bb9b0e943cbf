"""How much a sentence answers a question, judged within the report's own sources.

Words that are rare in the sources count for more (inverse document frequency over sentences). What the best
sentences have in common, and the rest has not, widens the question (pseudo-relevance feedback, after Rocchio),
so that a sentence in other words is found too; a sentence that shares nothing with the question itself never is.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from research.synthesis.evidence import Sentence
from research.text import content_stems

#: Weights of what makes up a score; together 1.
_DIRECT, _WIDER, _FOUND = 0.5, 0.3, 0.2
#: What a sentence keeps of its share without a central word, and with a single word of a question of more.
_STRAY, _ALONE = 0.5, 0.7
#: How much a sentence's score depends on the rest of its source.
_COMPANY = 0.3
#: What a sentence beside a finding, which no researcher took for an answer, keeps of its score.
_NEIGHBOUR = 0.85
#: Rarity counts little: in sources that were searched for, the words of the topic itself are the common ones.
_RARITY = 0.2
#: Of the share that a sentence has of the question, what the report's query adds.
_ABOUT = 0.25
#: What a sentence keeps that has only the words of the report's query, none of those that the question adds.
_GENERAL = 0.82
#: What a central word of a sentence's paragraph counts, where the sentence itself has it not.
_AROUND = 0.5
#: Sentences whose common words widen the question, and how many of these words.
_LEADERS, _WIDENING = 12, 14
#: A stem that begins as the question's does counts this much of it.
_SAME_BEGINNING = 0.7


@dataclass(frozen=True)
class Scored:
    """A sentence and how much it answers the question, 0 to 1."""

    sentence: Sentence
    score: float
    #: Where the sentence begins that this one cannot stand without.
    leans_on: int | None = None


class Scale:
    """How telling each stem is among the sentences of a report's sources."""

    def __init__(self, sentences: Iterable[Sentence]) -> None:
        counts: Counter[str] = Counter()
        total = 0
        for sentence in sentences:
            counts.update(sentence.stems)
            total += 1
        self._counts, self._total = counts, total

    def known(self, stem: str) -> bool:
        """Whether any sentence has it."""
        return stem in self._counts

    def weight(self, stem: str) -> float:
        """Its inverse document frequency."""
        return math.log(1 + self._total / (self._counts[stem] + 0.5))

    @property
    def rarest(self) -> float:
        """The weight of what stands in a single sentence."""
        return math.log(1 + self._total / 1.5)

    def share(self, stem: str) -> float:
        """Of all sentences, how many have it."""
        return self._counts[stem] / max(1, self._total)

    def alike(self, one: frozenset[str], other: frozenset[str]) -> float:
        """What two sentences share, weighted, of what the shorter one says; 0 to 1."""
        smaller = min(self._sum(one), self._sum(other))
        return self._sum(one & other) / smaller if smaller else 0.0

    def held(self, stems: frozenset[str], by: frozenset[str]) -> float:
        """Of what `stems` say, weighted, how much stands in the others; 0 to 1."""
        total = self._sum(stems)
        return self._sum(stems & by) / total if total else 0.0

    def _sum(self, stems: Iterable[str]) -> float:
        return sum(self.weight(stem) for stem in stems)


def scored(question: str, query: str, sentences: Sequence[Sentence], scale: Scale, language: str) -> list[Scored]:
    """Every sentence with its score for the question, in the order given."""
    asked, topic = content_stems(question, language), set(content_stems(query, language))
    own = _weights(asked, scale)
    about = _weights(topic - own.keys(), scale)
    central = own.keys() & topic
    around = _paragraphs(sentences)
    asks = own.keys() - central if central else set[str]()
    direct = [
        _answered(own, about, central, s.stems, around[s.key, s.block])
        * (_GENERAL if asks and not any(_best_match(stem, s.stems) for stem in asks) else 1.0)
        for s in sentences
    ]
    wider = _widened(own | about, sentences, direct, scale)
    best = max(wider.values(), default=0.0)
    scores = []
    for sentence, share in zip(sentences, direct, strict=True):
        more = min(1.0, sum(wider.get(stem, 0.0) for stem in sentence.stems) / (3 * best)) if best else 0.0
        found = min(1.0, sentence.finding * (1.0 if question in sentence.questions else 0.5))
        score = _DIRECT * share + _WIDER * more + _FOUND * found
        score *= 1.0 if sentence.finding else _NEIGHBOUR
        scores.append(score if share > 0 else _foreign(sentence, language, found))
    company = _company(sentences, scores)
    return [Scored(s, score * company[s.key]) for s, score in zip(sentences, scores, strict=True)]


def _paragraphs(sentences: Sequence[Sentence]) -> dict[tuple[str, int], frozenset[str]]:
    """What each paragraph talks about."""
    stems: dict[tuple[str, int], frozenset[str]] = {}
    for sentence in sentences:
        place = sentence.key, sentence.block
        stems[place] = stems.get(place, frozenset()) | sentence.stems
    return stems


def _company(sentences: Sequence[Sentence], scores: Sequence[float]) -> dict[str, float]:
    """By source, a factor up to 1: a sentence whose source answers elsewhere too is more likely an answer."""
    by_source: dict[str, list[float]] = {}
    for sentence, score in zip(sentences, scores, strict=True):
        by_source.setdefault(sentence.key, []).append(score)
    means = {key: sum(sorted(held)[-2:]) / 2 for key, held in by_source.items()}
    best = max(means.values(), default=0.0) or 1.0
    return {key: 1 - _COMPANY + _COMPANY * mean / best for key, mean in means.items()}


def _answered(
    own: Mapping[str, float],
    about: Mapping[str, float],
    central: Collection[str],
    stems: frozenset[str],
    around: frozenset[str],
) -> float:
    """Nothing without a word of the question's own; then a little more for what the whole report is about.

    `central`: what question and query share; a sentence without any of it has only words in common, as has one
    with a single word of a long question. What its paragraph says of it counts by half: there it goes without
    saying.
    """
    share = _matched(own, stems)
    if not share:
        return 0.0
    unsaid = [stem for stem in central if not _best_match(stem, stems) and _best_match(stem, around)]
    total = sum(own.values())
    share = min(1.0, share + _AROUND * sum(own.get(stem, 0.0) for stem in unsaid) / (0.75 * total))
    share = min(1.0, share + _ABOUT * _matched(about, stems))
    alone = len(own) > 2 and sum(bool(_best_match(stem, stems)) for stem in own) + len(unsaid) < 2
    stray = bool(central) and not unsaid and not any(_best_match(stem, stems) for stem in central)
    return share * (_STRAY if stray else 1.0) * (_ALONE if alone else 1.0)


def _foreign(sentence: Sentence, language: str, found: float) -> float:
    """A sentence of another language shares no words with the question: that it was itself found speaks for it."""
    return 0.25 + 0.5 * found if sentence.language != language and found > 0.1 else 0.0


def _weights(stems: Iterable[str], scale: Scale) -> dict[str, float]:
    """Weights of stems; a word that no source has was not answered, and counts as half a rare one."""
    told = {stem: scale.weight(stem) if scale.known(stem) else 0.5 * scale.rarest for stem in stems}
    return {stem: weight**_RARITY for stem, weight in told.items()}


def _matched(terms: Mapping[str, float], stems: frozenset[str]) -> float:
    """Of the question's weight, how much the sentence has; 1 from three quarters on."""
    total = sum(terms.values())
    if not total:
        return 0.0
    got = sum(weight * _best_match(term, stems) for term, weight in terms.items())
    return min(1.0, got / (0.75 * total))


def _best_match(term: str, stems: frozenset[str]) -> float:
    if term in stems:
        return 1.0
    if len(term) < 5:
        return 0.0
    return _SAME_BEGINNING if any(_same_beginning(term, stem) for stem in stems) else 0.0


def _same_beginning(one: str, other: str) -> bool:
    """ "teenag" and "teen" no, "alfabet" and "alfabetiz" yes: five letters, and most of the longer one."""
    shorter, longer = sorted((one, other), key=len)
    return len(shorter) >= 5 and longer.startswith(shorter) and len(shorter) >= 0.6 * len(longer)


def _widened(
    terms: Mapping[str, float], sentences: Sequence[Sentence], direct: Sequence[float], scale: Scale
) -> dict[str, float]:
    """Stems that the best sentences share and the others mostly lack, with their weights."""
    order = sorted(range(len(sentences)), key=lambda place: (-direct[place], place))
    leaders = [sentences[place] for place in order[:_LEADERS] if direct[place] > 0.3]
    counts: Counter[str] = Counter()
    sources: dict[str, set[str]] = {}
    for leader in leaders:
        counts.update(leader.stems)
        for stem in leader.stems:
            sources.setdefault(stem, set()).add(leader.key)
    weights = {
        stem: count / len(leaders) * math.log((count / len(leaders)) / max(1e-9, scale.share(stem)))
        for stem, count in counts.items()
        if count > 1 and len(sources[stem]) > 1 and stem not in terms
    }
    best = sorted((item for item in weights.items() if item[1] > 0), key=lambda item: (-item[1], item[0]))
    return dict(best[:_WIDENING])
