"""Divide evidence among the subjects of a report, all at once instead of subject by subject."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from research.meaning import Meaning, Text, rank_texts
from research.readers.protocol import Evidence

#: Share of a piece's score that it loses for each piece of its source that the subject has already.
_SAME_SOURCE = 0.3
#: Least share of a subject's best score.
_SHARE_OF_BEST = 0.4


def assigned(
    subjects: Sequence[str], evidence: Sequence[Evidence], meaning: Meaning, most: int
) -> list[list[Evidence]]:
    """Return for each subject its evidence, best first, at most `most`; no piece is given twice.

    Each piece goes where it ranks best among all subjects, so that an early subject takes nothing that a later one
    needs more. Pieces that rank for no subject are given to none; where there are more than `most` pieces, neither
    are those far below a subject's best.
    """
    texts = [Text(one.finding.quote, one.language) for one in evidence]
    scores = [_of_the_best(rank_texts(subject, texts, meaning), len(texts) > most) for subject in subjects]
    given: list[list[Evidence]] = [[] for _ in subjects]
    taken: list[Counter[str]] = [Counter() for _ in subjects]
    left = list(range(len(evidence)))

    def worth(offer: tuple[int, int]) -> float:
        place, n = offer
        return scores[n][place] * max(0.0, 1 - _SAME_SOURCE * taken[n][evidence[place].finding.source_key])

    # Of offers that are worth the same the first is taken.
    while offers := [(place, n) for place in left for n in range(len(subjects)) if len(given[n]) < most]:
        place, n = max(offers, key=worth)
        if not worth((place, n)):
            break
        given[n].append(evidence[place])
        taken[n][evidence[place].finding.source_key] += 1
        left.remove(place)
    return given


def _of_the_best(scores: Sequence[float], many: bool) -> list[float]:
    """Return the scores as shares of the best one; of many, 0 for those far below it."""
    best = max(scores, default=0.0) or 1.0
    least = _SHARE_OF_BEST * best if many else 0.0
    return [score / best if score >= least else 0.0 for score in scores]
