"""Find the likeliest spelling of a line from recognition probabilities and a prior over words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pipeline.spelling.alphabet import letters
from pipeline.spelling.lattice import Lattice
from pipeline.spelling.prior import Prior

#: How much a recogniser's likelihood counts against the prior: measured over names of the development corpus, with
#: and without their own words in the list.
_SEEN = 1.35
_ROUNDS = 3
_TOKEN = re.compile(r"^([^a-z]*)(.*?)([^a-z]*)$")
#: A token this long may be two words.
_TWO_WORDS = 5


@dataclass(frozen=True, slots=True)
class Speller:
    """Spells the lines of one kind of value."""

    prior: Prior
    #: Whether two tokens may be one.
    joins: bool

    def spell(self, lattice: Lattice) -> str:
        """The likeliest text, in letters as they are compared."""
        best = lattice.likeliest
        if not best:
            return best
        score = self.scores(lattice, [best])[0]
        for _ in range(_ROUNDS):
            texts = sorted(set(self._variants(best.split())))
            if not texts:
                break
            scores = self.scores(lattice, texts)
            likeliest = max(range(len(texts)), key=lambda i: scores[i])
            if scores[likeliest] <= score:
                break
            best, score = texts[likeliest], scores[likeliest]
        return best

    def scores(self, lattice: Lattice, texts: list[str]) -> list[float]:
        """Logarithms of the texts' probabilities, up to a constant of the line."""
        seen = lattice.log_likelihoods(texts)
        return [
            _SEEN * float(log) + sum(self.prior.of(token) for token in text.split())
            for log, text in zip(seen, texts, strict=True)
        ]

    def _variants(self, tokens: list[str]) -> Iterable[str]:
        """The line with one token spelled otherwise, parted in two or joined with the next."""
        for at, token in enumerate(tokens):
            before, after = tokens[:at], tokens[at + 1 :]
            for other in self._others(token):
                yield " ".join([*before, other, *after])
            for joined in self._joined(token, after):
                yield " ".join([*before, joined, *after[1:]])

    def _joined(self, token: str, after: list[str]) -> Iterable[str]:
        """Listed words that a token may be together with the next."""
        if not self.joins or not after or not (token + after[0]).isalpha():
            return
        joined = token + after[0]
        if self.prior.knows(joined):
            yield joined
        yield from self.prior.near(joined)

    def _others(self, token: str) -> Iterable[str]:
        found = _TOKEN.match(token)
        assert found is not None
        head, core, tail = found.groups()
        parts = re.split(r"([-'])", core)
        for at, part in enumerate(parts):
            for near in self.prior.near(letters(part)):
                respelled = "".join([*parts[:at], near, *parts[at + 1 :]])
                yield from {head + respelled + tail, respelled}
        if head or tail.strip("."):
            yield core
        if len(core) >= _TWO_WORDS:
            for at in range(1, len(core) - 1):
                one, two = core[:at], core[at:]
                if (at == 1 or self.prior.knows(letters(one))) and self.prior.knows(letters(two)):
                    yield f"{head}{one} {two}{tail}"
