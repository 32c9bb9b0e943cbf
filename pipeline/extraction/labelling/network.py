"""The labeller's network: a transformer encoder over words and a conditional random field over tags.

The encoder is that of Vaswani et al., "Attention Is All You Need" (2017), normalised before each block, with a
learned bias for the distance of two words and of their lines; the field on top is that of Lample et al., "Neural
Architectures for Named Entity Recognition" (2016). `encode` is written for NumPy and for jax.numpy, so that
`scripts/train_labeller.py` trains the very function that reads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: An array of NumPy or of JAX.
Array = Any
Floats = NDArray[np.float32]
HEADS = 4
#: Distances of words, and of lines, that are told apart.
WORDS_APART, LINES_APART = 20, 5
_MASKED = -1e9


def encode(
    xp: Any,
    weights: Mapping[str, Array],
    embedded: Array,
    lines: Array,
    mask: Array,
    drop: Callable[[Array], Array] = lambda array: array,
) -> Array:
    """Return the score of each tag for each word.

    `xp` is the array module; `embedded` (pages, words, width) holds the sums of the embeddings of each word's
    features, `lines` (pages, words) the number of each word's line, `mask` (pages, words) is false behind a page's
    last word. `drop` is applied where training drops values. The result is (pages, words, tags).
    """
    pages, words, width = embedded.shape
    apart = _clipped(xp, xp.arange(words)[None, :] - xp.arange(words)[:, None], WORDS_APART)
    lines_apart = _clipped(xp, lines[:, None, :] - lines[:, :, None], LINES_APART)
    near = weights["words_apart"][apart][None] + weights["lines_apart"][lines_apart]
    bias = xp.transpose(near, (0, 3, 1, 2)) + xp.where(mask, 0.0, _MASKED)[:, None, None, :]
    state = _normalised(xp, embedded, weights, "first")
    layer = 0
    while f"{layer}.mixed" in weights:
        asked = _normalised(xp, state, weights, f"{layer}.attention") @ weights[f"{layer}.mixed"]
        parts = xp.transpose(asked.reshape(pages, words, 3, HEADS, width // HEADS), (2, 0, 3, 1, 4))
        scores = parts[0] @ xp.swapaxes(parts[1], -1, -2) / np.float32(np.sqrt(width // HEADS)) + bias
        scores = xp.exp(scores - scores.max(axis=-1, keepdims=True))
        seen = (scores / scores.sum(axis=-1, keepdims=True)) @ parts[2]
        seen = xp.transpose(seen, (0, 2, 1, 3)).reshape(pages, words, width)
        state = state + drop(seen @ weights[f"{layer}.joined"])
        inner = _normalised(xp, state, weights, f"{layer}.inner")
        inner = xp.maximum(inner @ weights[f"{layer}.wide"] + weights[f"{layer}.wide.bias"], 0.0)
        state = state + drop(inner @ weights[f"{layer}.narrow"])
        layer += 1
    return _normalised(xp, state, weights, "last") @ weights["tags"] + weights["tags.bias"]


def _clipped(xp: Any, distance: Array, most: int) -> Array:
    return xp.clip(distance, -most, most) + most


def _normalised(xp: Any, state: Array, weights: Mapping[str, Array], name: str) -> Array:
    """Layer normalisation: each word's values with mean 0 and variance 1, then scaled."""
    centred = state - state.mean(axis=-1, keepdims=True)
    spread = xp.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(1e-5))
    return centred / spread * weights[f"{name}.scale"] + weights[f"{name}.shift"]


@dataclass(frozen=True)
class Network:
    """The weights with the names of the features and of the tags that they belong to."""

    weights: Mapping[str, Floats]
    features: Sequence[str]
    tags: Sequence[str]

    @cached_property
    def _known(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.features)}

    def tagged(self, features: Sequence[Sequence[str]], lines: Sequence[int]) -> tuple[list[str], Floats]:
        """Return the tag of each word of a page, and the probabilities (words, tags) of all tags.

        `features` are those of each word, `lines` the number of each word's line. Unknown features are left out.
        """
        table, known = self.weights["features"], self._known
        embedded = np.stack([table[[known[name] for name in one if name in known]].sum(0) for one in features])
        mask = np.ones((1, len(lines)), bool)
        scores = encode(np, self.weights, embedded[None], np.array([lines]), mask)[0]
        steps, first = self.weights["steps"], self.weights["starts"]
        numbers = best_tags(scores, steps, first)
        return [self.tags[number] for number in numbers], probabilities(scores, steps, first)

    def save(self, path: Path) -> None:
        """Write all into one file, the weights in half precision."""
        arrays: dict[str, Any] = {name: weights.astype(np.float16) for name, weights in self.weights.items()}
        for name, names in (("features", self.features), ("tags", self.tags)):
            arrays[f"names.{name}"] = np.frombuffer("\n".join(names).encode(), np.uint8)
        np.savez_compressed(path, **arrays)

    @classmethod
    def load(cls, path: Path) -> Network:
        """Read what `save` wrote."""
        with np.load(path) as file:
            weights = {name: file[name] for name in file.files}
        features, tags = (
            weights.pop(f"names.{name}").tobytes().decode().split("\n") for name in ("features", "tags")
        )
        return cls({name: array.astype(np.float32) for name, array in weights.items()}, features, tags)


def best_tags(scores: Floats, steps: Floats, first: Floats) -> list[int]:
    """Return the most probable sequence of tags (Viterbi).

    `scores` (words, tags) are those of the words, `steps` (tags, tags) those of a tag followed by another,
    `first` (tags) those of the first word's tag.
    """
    total = first + scores[0]
    back = []
    for row in scores[1:]:
        ways = total[:, None] + steps
        back.append(ways.argmax(axis=0))
        total = ways.max(axis=0) + row
    tags = [int(total.argmax())]
    for came in reversed(back):
        tags.append(int(came[tags[-1]]))
    return tags[::-1]


def probabilities(scores: Floats, steps: Floats, first: Floats) -> Floats:
    """Return each tag's marginal probability for each word (forward-backward). Arguments as of `best_tags`."""
    words = len(scores)
    ahead, behind = np.zeros_like(scores), np.zeros_like(scores)
    ahead[0] = first + scores[0]
    for at in range(1, words):
        ahead[at] = _log_sum(ahead[at - 1][:, None] + steps, 0) + scores[at]
    for at in range(words - 2, -1, -1):
        behind[at] = _log_sum(steps + (scores[at + 1] + behind[at + 1])[None, :], 1)
    joint = ahead + behind
    shares: Floats = np.exp(joint - _log_sum(joint, 1)[:, None])
    return shares


def _log_sum(values: Floats, axis: int) -> Floats:
    most = values.max(axis=axis, keepdims=True)
    total: Floats = np.log(np.exp(values - most).sum(axis=axis)) + np.squeeze(most, axis)
    return total
