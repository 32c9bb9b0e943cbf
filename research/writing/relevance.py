"""Score how well sentences answer a question, relative to the report's own sources.

Words that are rare in the sources count for more (inverse document frequency over sentences). Words common to the
best sentences and rare in the rest expand the question (pseudo-relevance feedback, after Rocchio), so that
paraphrases score too. A sentence of the report's language that shares no word with the question scores 0.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from research.text import content_stems
from research.writing.evidence import Sentence

#: Weights of direct match, expanded match and finding in a score; their sum is 1.
_DIRECT, _WIDER, _FOUND = 0.5, 0.3, 0.2
#: Factors for a sentence without a central word, and for one with a single word of a question of more than two.
_STRAY, _ALONE = 0.5, 0.7
#: Weight of the other sentences of its source in a sentence's score.
_COMPANY = 0.3
#: Factor for a sentence next to a finding that is not itself one.
_NEIGHBOUR = 0.85
#: Exponent of stem weights; small, because in sources found by searching, words of the topic are common.
_RARITY = 0.2
#: Weight of a match with the report's query.
_ABOUT = 0.25
#: Factor for a sentence that has none of the words which the question adds to the report's query.
_GENERAL = 0.82
#: Weight of a central word that only the sentence's paragraph has.
_AROUND = 0.5
#: Number of best sentences used to expand the question, and most stems added.
_LEADERS, _WIDENING = 12, 14
#: Weight of a stem that shares only its beginning with the question's.
_SAME_BEGINNING = 0.7


@dataclass(frozen=True)
class Scored:
    """A sentence and its score for a question, 0 to 1."""

    sentence: Sentence
    score: float
    #: Start of the preceding sentence that this one depends on.
    leans_on: int | None = None


class Scale:
    """Weights of stems by their rarity in the sentences of a report's sources."""

    def __init__(self, sentences: Iterable[Sentence]) -> None:
        counts: Counter[str] = Counter()
        total = 0
        for sentence in sentences:
            counts.update(sentence.stems)
            total += 1
        self._counts, self._total = counts, total

    def known(self, stem: str) -> bool:
        """Return whether any sentence has the stem."""
        return stem in self._counts

    def weight(self, stem: str) -> float:
        """Return the stem's inverse document frequency over sentences."""
        return math.log(1 + self._total / (self._counts[stem] + 0.5))

    @property
    def rarest(self) -> float:
        """The weight of a stem that occurs in a single sentence."""
        return math.log(1 + self._total / 1.5)

    def share(self, stem: str) -> float:
        """Return the share of sentences that have the stem."""
        return self._counts[stem] / max(1, self._total)

    def alike(self, one: frozenset[str], other: frozenset[str]) -> float:
        """Return the weight of the shared stems relative to the lighter sentence, 0 to 1."""
        smaller = min(self._sum(one), self._sum(other))
        return self._sum(one & other) / smaller if smaller else 0.0

    def held(self, stems: frozenset[str], by: frozenset[str]) -> float:
        """Return the share of the weight of `stems` that is also in `by`, 0 to 1."""
        total = self._sum(stems)
        return self._sum(stems & by) / total if total else 0.0

    def _sum(self, stems: Iterable[str]) -> float:
        return sum(self.weight(stem) for stem in stems)


def scored(question: str, query: str, sentences: Sequence[Sentence], scale: Scale, language: str) -> list[Scored]:
    """Return every sentence with its score for the question, in the given order."""
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
    """Return the stems of each paragraph, by source key and block."""
    stems: dict[tuple[str, int], frozenset[str]] = {}
    for sentence in sentences:
        place = sentence.key, sentence.block
        stems[place] = stems.get(place, frozenset()) | sentence.stems
    return stems


def _company(sentences: Sequence[Sentence], scores: Sequence[float]) -> dict[str, float]:
    """Return a factor up to 1 by source, higher if other sentences of the source score well too."""
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
    """Return the match with the question, 0 to 1; 0 without any of its words, more with words of the query.

    `central`: the stems that question and query share. A sentence without any of them matches by general words
    only and is reduced, as is one with a single word of a long question. A central stem that only the paragraph
    has counts `_AROUND`, because the sentence may take it for granted.
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
    """Return the score of a finding in another language, which shares no words with the question; else 0."""
    return 0.25 + 0.5 * found if sentence.language != language and found > 0.1 else 0.0


def _weights(stems: Iterable[str], scale: Scale) -> dict[str, float]:
    """Return weights of stems; one that no source has counts half as much as the rarest."""
    told = {stem: scale.weight(stem) if scale.known(stem) else 0.5 * scale.rarest for stem in stems}
    return {stem: weight**_RARITY for stem, weight in told.items()}


def _matched(terms: Mapping[str, float], stems: frozenset[str]) -> float:
    """Return the share of the question's weight that the sentence has; three quarters or more count as 1."""
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
    """Return whether one stem begins with the other, of five letters or more and 60 % of the longer one.

    "alfabet" and "alfabetiz" match; "teenag" and "teen" do not.
    """
    shorter, longer = sorted((one, other), key=len)
    return len(shorter) >= 5 and longer.startswith(shorter) and len(shorter) >= 0.6 * len(longer)


def _widened(
    terms: Mapping[str, float], sentences: Sequence[Sentence], direct: Sequence[float], scale: Scale
) -> dict[str, float]:
    """Return the weights of stems that the best sentences share and the others mostly lack."""
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
