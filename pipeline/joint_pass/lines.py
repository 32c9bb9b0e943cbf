"""Respell words by the recogniser's lattices of their lines, given the spellings of the other entries."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterable, Sequence
from statistics import fmean

from pipeline.joint_pass.votes import Ballot, Poll, SpellingSupport, as_read
from pipeline.spelling.lattice import Lattice, unpacked
from pipeline.spelling.prior import Prior, fold_text

# Another entry's spelling replaces the one that was read if the entry's own line makes it nearly as likely
# (`pipeline/spelling/lattice`), or likely enough if the word that was read is not a name. Values without lattices
# are never changed here, and count for their own spelling.


#: Least votes for a spelling to be considered for other entries, and least entries that have it.
_ENOUGH, _OTHERS = 3, 2
#: Greatest share of letters by which spellings of one word differ: beyond it no line supports both.
_UNLIKE = 0.75
#: Letters of the shortest word.
_SHORTEST = 2
#: Weight of the lines relative to the prior; as for single values (`pipeline/spelling/lattice`).
_SEEN = 1.35
#: Most evidence (logarithm) of one view of a line for or against a spelling.
_VETO = 15.0
#: Lead in likelihood (logarithm) that a spelling needs over any other.
_CLEARLY = 1.0


class Lines:
    """The lines of all values of a field."""

    def __init__(self, poll: Poll, prior: Prior, is_telling: Callable[[str], bool]) -> None:
        """`prior` gives the probability of a word before it is read."""
        self._poll, self._prior, self._is_telling = poll, prior, is_telling
        self._views: dict[str, tuple[Lattice, ...]] = {}
        self._gains: dict[tuple[str, str, str, str], float] = {}

    def respelled(self, ballot: Ballot) -> tuple[Ballot, list[SpellingSupport]]:
        """Return a ballot with its likeliest spelling, and the support for each word that changes."""
        won: dict[int, SpellingSupport] = {}
        while (best := self._best(ballot, won)) is not None:
            at, standing = best
            words = [*map(str, ballot.words)]
            words[at] = ballot.words[at].respelled(standing.surface)
            ballot = as_read(ballot, " ".join(words), self._is_telling)
            won[at] = standing
        return ballot, list(won.values())

    def admits(self, ballot: Ballot, key: str, standing: SpellingSupport) -> bool:
        """Whether a line, if it is known, allows that a word is another entry's word."""
        if not ballot.considered:
            return True
        return self._score(ballot, key, standing) - self._prior.of(key) > 0

    def _best(self, ballot: Ballot, won: Container[int]) -> tuple[int, SpellingSupport] | None:
        """Return the next word to respell, except those in `won`, with its spelling; None if there is none."""
        if ballot.key is None or not ballot.considered:
            return None
        found = [
            (score, at, standing)
            for at, word in enumerate(ballot.words)
            if at not in won and word.key and not self._poll.is_listed(word.key)
            for score, standing in self._clear(ballot, at)
        ]
        best = max(found, key=lambda one: (one[0], -one[1]), default=None)
        return None if best is None else best[1:]

    def _clear(self, ballot: Ballot, at: int) -> list[tuple[float, SpellingSupport]]:
        """Return the spelling that is clearly likelier than the one read and than all others, if any."""
        key, had = ballot.words[at].key, {word.key for word in ballot.words}
        least = max(_ENOUGH, self._votes(ballot, key, key) + 1)
        standings = [
            standing
            for standing in self._poll.standings(ballot, key, least, _UNLIKE, _SHORTEST)
            if len(standing.members) >= _OTHERS and standing.spelling not in had
        ]
        spellings = [key, *(one.spelling for one in standings)]
        scored = [
            (self._score(ballot, key, one), one)
            for one in standings
            if self._replaces(ballot, key, one) and not self._is_another(ballot, one.spelling, spellings)
        ]
        scored.sort(key=lambda one: (-one[0], one[1].spelling))
        clear = len(scored) < 2 or scored[0][0] - scored[1][0] > _CLEARLY
        return scored[:1] if clear else []

    def _is_another(self, ballot: Ballot, one: str, spellings: Iterable[str]) -> bool:
        """Whether a spelling is a misreading of another one, but not the other way around."""
        return any(
            self._is_misread(ballot, one, other) and not self._is_misread(ballot, other, one)
            for other in spellings
            if other != one
        )

    def _score(self, ballot: Ballot, key: str, standing: SpellingSupport) -> float:
        """Return the likelihood of a spelling on a line, as a logarithm comparable with that of others."""
        return self._gain(ballot, key, standing.spelling) + math.log(standing.votes)

    def _replaces(self, ballot: Ballot, key: str, standing: SpellingSupport) -> bool:
        """Whether a spelling is likelier than the word that was read.

        Either the word is a misreading everywhere, or it is a word in its own right and only this line differs.
        """
        if not (self.admits(ballot, key, standing) and self._is_said(ballot, key, standing.spelling)):
            return False
        if self._is_misread(ballot, key, standing.spelling):
            return True
        having = self._having(ballot, key)
        if any(other.value == ballot.value for other in having if other is not ballot):
            return False
        return self._score(ballot, key, standing) > math.log(max(self._votes(ballot, key, key), 1))

    def _is_said(self, ballot: Ballot, key: str, spelling: str) -> bool:
        """Whether no third word, however rare, is likelier on a line than the spelling."""
        text = _with(ballot, key, spelling)
        others = sum(self._prior.of(word.key) for word in ballot.words if word.key != key)
        scores = []
        for view in self._views_of(ballot):
            third = sum(self._prior.of(token) for token in view.likeliest.split())
            scores.append(_SEEN * _likelier([view], view.likeliest, text) + others - third)
        return fmean(scores) > 0

    def _is_misread(self, ballot: Ballot, key: str, spelling: str) -> bool:
        """Whether a word is likelier to be a misreading of a spelling everywhere than a word in its own right."""
        votes = self._votes(ballot, key, spelling)
        gains = [self._gain(other, key, spelling) for other in self._having(ballot, key)]
        return sum(gains) + math.log(max(votes, 1)) - self._prior.of(key) > 0

    def _votes(self, ballot: Ballot, key: str, spelling: str) -> int:
        """Return the votes for a spelling in place of a word."""
        return sum(other.weight for other in self._poll.of_its_kind(ballot, key, spelling))

    def _having(self, ballot: Ballot, key: str) -> list[Ballot]:
        """Return the entries that have a word in such a value, this one included."""
        others = [other for other in self._poll.of_its_kind(ballot, key, key) if other.key != ballot.key]
        return [ballot, *others] if any(word.key == key for word in ballot.words) else others

    def _gain(self, ballot: Ballot, key: str, spelling: str) -> float:
        """Return how much likelier a line makes a spelling than the word read; a word without a line is firm."""
        if ballot.key is None or not ballot.considered:
            return -_VETO * ballot.weight
        asked = (ballot.key, ballot.text, key, spelling)
        known = self._gains.get(asked)
        if known is None:
            known = _SEEN * _likelier(self._views_of(ballot), fold_text(ballot.text), _with(ballot, key, spelling))
            self._gains[asked] = known
        return known

    def _views_of(self, ballot: Ballot) -> tuple[Lattice, ...]:
        assert ballot.key is not None
        if ballot.key not in self._views:
            self._views[ballot.key] = tuple(map(unpacked, ballot.considered))
        return self._views[ballot.key]


def _with(ballot: Ballot, key: str, spelling: str) -> str:
    """Return the value with another spelling of a word, in letters as they are compared."""
    return fold_text(" ".join(word.respelled(spelling) if word.key == key else str(word) for word in ballot.words))


def _likelier(views: Sequence[Lattice], read: str, other: str) -> float:
    """Return how much likelier another text is than the one read, as a logarithm: the mean over the views."""
    each = (view.log_likelihoods([other, read]) for view in views)
    return fmean(min(max(float(seen[0] - seen[1]), -_VETO), _VETO) for seen in each)
