"""The letter probabilities at each step of a line, and the likelihood of a text given them.

A recogniser trained by connectionist temporal classification gives, for every step along the line, the probability
of each letter and of none (the blank). Graves et al., "Connectionist Temporal Classification" (ICML 2006), section
4.1, sum these over all ways in which the steps can spell a text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pipeline.spelling.alphabet import folded

#: Steps as a provider keeps them: letters with their probabilities; "" is the blank. Rare letters are left out.
Steps = Sequence[dict[str, float]]
_LOWEST = 1e-5
_NEVER = -1e9
_ALL = "".join(chr(code) for code in range(32, 127) if not chr(code).isupper())
_COLUMN = {char: at + 1 for at, char in enumerate(_ALL)}


@dataclass(frozen=True)
class Lattice:
    """The steps of one line."""

    steps: Steps

    def __bool__(self) -> bool:
        return bool(self.steps)

    @cached_property
    def _logs(self) -> NDArray[np.float64]:
        """Steps x letters (the blank first): logarithms of the probabilities of letters as they are compared."""
        shares = np.full((len(self.steps), len(_ALL) + 1), 0.0)
        for row, step in zip(shares, self.steps, strict=True):
            for char, share in step.items():
                if char == "":
                    row[0] += share
                elif column := _COLUMN.get(folded(char)):
                    row[column] += share
        return np.asarray(np.log(shares + _LOWEST))

    @cached_property
    def likeliest(self) -> str:
        """The text of the likeliest letters of the steps (greedy decoding), in letters as they are compared."""
        text, last = [], 0
        for column in self._logs.argmax(axis=1):
            if column and column != last:
                text.append(_ALL[column - 1])
            last = column
        return " ".join("".join(text).split())

    def log_likelihoods(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Of each text (in characters as they are compared) given the line: the sum over all ways to spell it."""
        labels, skips, lengths = _labels(texts)
        emitted = self._logs[:, labels]
        alpha = np.full(labels.shape, _NEVER)
        alpha[:, :2] = emitted[0, :, :2]
        for step in emitted[1:]:
            stay = np.logaddexp(alpha, _shifted(alpha, 1))
            alpha = np.logaddexp(stay, np.where(skips, _shifted(alpha, 2), _NEVER)) + step
        rows = np.arange(len(texts))
        before = np.where(lengths > 1, alpha[rows, np.maximum(lengths - 2, 0)], _NEVER)
        return np.asarray(np.logaddexp(alpha[rows, lengths - 1], before))

    def aligned(self, text: str) -> list[tuple[str, float]]:
        """For each character of a text the letter that stands for it on the line, with its probability.

        The letter keeps its case and accents; one that the recogniser did not consider stands as given, with 0.
        """
        if not self.steps or not text:
            return [(char, 0.0) for char in text]
        spans = self._spans(text)
        return [_letter(char, [self.steps[i] for i in at]) for char, at in zip(text, spans, strict=True)]

    def _spans(self, text: str) -> list[list[int]]:
        """The steps at which each character stands on the likeliest way (Viterbi)."""
        labels, skips, _ = _labels([text])
        emitted, skip = self._logs[:, labels[0]], skips[0]
        best = np.full(emitted.shape, _NEVER)
        came = np.zeros(emitted.shape, dtype=int)
        best[0, :2] = emitted[0, :2]
        for t in range(1, len(emitted)):
            ways = np.stack([best[t - 1], _shifted(best[t - 1 : t], 1)[0], _shifted(best[t - 1 : t], 2)[0]])
            ways[2, ~skip] = _NEVER
            came[t] = ways.argmax(axis=0)
            best[t] = ways.max(axis=0) + emitted[t]
        at = len(labels[0]) - 1
        if best[-1, at - 1] > best[-1, at]:
            at -= 1
        spans: list[list[int]] = [[] for _ in text]
        for t in range(len(emitted) - 1, -1, -1):
            if at % 2:
                spans[at // 2].insert(0, t)
            at -= int(came[t, at])
        return spans


def in_one_line(rows: Sequence[Lattice]) -> Lattice:
    """Return the lattice of rows that are written one after the other, with a space between them."""
    steps: list[dict[str, float]] = []
    for row in rows:
        steps += [*([{"": 0.4, " ": 0.6}] if steps else []), *row.steps]
    return Lattice(tuple(steps))


def _labels(texts: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.int64]]:
    """Texts x places: columns with a blank around every letter; where a blank may be skipped; how long each is."""
    lengths = np.array([2 * len(text) + 1 for text in texts])
    labels = np.zeros((len(texts), max(int(lengths.max()), 2)), dtype=np.int64)
    for row, text in zip(labels, texts, strict=True):
        row[1 : 2 * len(text) : 2] = [_COLUMN[char] for char in text]
    skips = np.zeros(labels.shape, dtype=bool)
    skips[:, 2:] = (labels[:, 2:] != 0) & (labels[:, 2:] != labels[:, :-2])
    return labels, skips, lengths


def _shifted(alpha: NDArray[np.float64], by: int) -> NDArray[np.float64]:
    moved = np.full(alpha.shape, _NEVER)
    moved[:, by:] = alpha[:, :-by]
    return moved


def _letter(char: str, steps: Steps) -> tuple[str, float]:
    shares: dict[str, float] = {}
    whole = 0.0
    for step in steps:
        alike = {c: share for c, share in step.items() if c and folded(c) == char}
        whole = max(whole, sum(alike.values()))
        for c, share in alike.items():
            shares[c] = shares.get(c, 0.0) + share
    return (max(shares, key=lambda c: shares[c]), whole) if shares else (char, 0.0)
