"""The trained sequence labeller: a small network over the words of an essay's first lines.

The model (headers.npz) is made by `lab/train_labeller.py` from drawn headers.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.extraction.labelling.features import LabelLine, LabelWord, features_of, split_lines

# The roles that words play on the pages of an essay without a form.


class Role(StrEnum):
    #: The pupil's name, of siblings the first one's.
    NAME = "name"
    SCHOOL = "school"
    #: The words of the grade: "4th", both words of "Grade IV", the "3" of "3-207", the "6" of "6B".
    GRADE = "grade"
    #: A room's identifier and the word for a room before it.
    ROOM = "room"
    TEACHER = "teacher"
    DATE = "date"
    TITLE = "title"
    #: "Name:", "by", "submitted by", and the small words that connect ("a sixth grader at").
    LABEL = "label"
    CONTACT = "contact"
    #: Another person than pupil and teacher, in the header or in the essay.
    PERSON = "person"
    OTHER = "other"
    BODY = "body"


MODEL = Path(__file__).parent / "headers.npz"
#: Prefix of the role of the first word of a value.
BEGINS = "B-"
#: Words that are labelled; forty printed lines have 800. Each word is compared with each other one.
MOST_WORDS = 1500
#: Tags of lower probability are left out of a word's shares.
_LEAST = 0.001


@dataclass(frozen=True, slots=True)
class Labelled:
    """A word and its role in the most probable sequence."""

    word: LabelWord
    role: Role
    #: Whether a value begins with it.
    begins: bool
    #: Marginal probability (0-1) of each role that is not nearly impossible.
    shares: Mapping[Role, float]

    @property
    def probability(self) -> float:
        """Marginal probability of the word's role."""
        return self.shares.get(self.role, 0.0)


@cache
def _network() -> Network:
    return Network.load(MODEL)


def load_labeller() -> None:
    """Load model and lists now instead of at the first call of `label_lines`."""
    label_lines(["Name"])


def label_lines(lines: Sequence[str]) -> list[Labelled]:
    """Label the words of some lines, top first; blank lines matter. See `words.split_lines` for the spaces.

    Lines beyond the first MOST_WORDS words are left out.
    """
    split = _first(split_lines(lines))
    words = [word for line in split for word in line.words]
    if not words:
        return []
    network = _network()
    tags, shares = network.tagged(features_of(split), [word.line for word in words])
    roles = [Role(_role(tag)) for tag in network.tags]
    return [
        Labelled(word, Role(_role(tag)), tag.startswith(BEGINS), _by_role(roles, share))
        for word, tag, share in zip(words, tags, shares.tolist(), strict=True)
    ]


def _first(lines: list[LabelLine]) -> list[LabelLine]:
    """Return the first lines, up to the number of words that can be labelled."""
    counts = accumulate(len(line.words) for line in lines)
    return [line for line, count in zip(lines, counts, strict=True) if count <= MOST_WORDS]


def _by_role(roles: Sequence[Role], shares: Iterable[float]) -> dict[Role, float]:
    """Add up the shares of the tags of each role."""
    found: dict[Role, float] = {}
    for role, share in zip(roles, shares, strict=True):
        if share >= _LEAST:
            found[role] = found.get(role, 0.0) + share
    return found


def _role(tag: str) -> str:
    return tag.removeprefix(BEGINS)


# Limit NumPy's linear algebra to one thread.


def use_one_thread() -> None:
    """Have NumPy's own OpenBLAS use one thread in this process.

    A worker reads one page at a time and there are as many workers as cores; the labeller's matrices are so small
    that threads wait for each other longer than they compute. Does nothing if NumPy has another library.
    """
    for library in Path(np.__file__).parent.with_name("numpy.libs").glob("libscipy_openblas64_*"):
        ctypes.CDLL(str(library)).scipy_openblas_set_num_threads64_(1)


# The labeller's network: a transformer encoder over words and a conditional random field over tags.
#
# The encoder is that of Vaswani et al., "Attention Is All You Need" (2017), normalised before each block, with a
# learned bias for the distance of two words and of their lines; the field on top is that of Lample et al., "Neural
# Architectures for Named Entity Recognition" (2016). `encode` is written for NumPy and for jax.numpy, so that
# `lab/train_labeller.py` trains the same function that is used here.


#: An array of NumPy or of JAX.
Array = Any
Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
HEADS = 4
#: Distances of words, and of lines, that are told apart.
WORDS_APART, LINES_APART = 20, 5
_MASKED = -1e9
#: Sums of probabilities are scaled each time after this many words, before they underflow.
_SCALED = 8


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
    width = embedded.shape[-1]
    near = _nearness(xp, weights, lines, mask)
    state = _normalised(xp, embedded, weights, "first")
    layer = 0
    while f"{layer}.mixed" in weights:
        mixed = _normalised(xp, state, weights, f"{layer}.attention") @ weights[f"{layer}.mixed"]
        asked, keys, values = (xp.split(part, HEADS, axis=-1) for part in xp.split(mixed, 3, axis=-1))
        # Head by head, so that the data fits into the processor's cache.
        seen = [_attended(xp, *of_head, width) for of_head in zip(asked, keys, values, near, strict=True)]
        state = state + drop(xp.concatenate(seen, axis=-1) @ weights[f"{layer}.joined"])
        inner = _normalised(xp, state, weights, f"{layer}.inner")
        inner = xp.maximum(inner @ weights[f"{layer}.wide"] + weights[f"{layer}.wide.bias"], 0.0)
        state = state + drop(inner @ weights[f"{layer}.narrow"])
        layer += 1
    return _normalised(xp, state, weights, "last") @ weights["tags"] + weights["tags.bias"]


def _nearness(xp: Any, weights: Mapping[str, Array], lines: Array, mask: Array) -> list[Array]:
    """Return for each head the bias of each pair of words: (pages, words, words)."""
    order = xp.arange(lines.shape[1])
    apart = _clipped(xp, order[None, :] - order[:, None], WORDS_APART)
    lines_apart = _clipped(xp, lines[:, None, :] - lines[:, :, None], LINES_APART)
    both = apart[None] * (2 * LINES_APART + 1) + lines_apart
    table = (weights["words_apart"][:, None] + weights["lines_apart"][None]).reshape(-1, HEADS).T
    behind = xp.where(mask, np.float32(0.0), np.float32(_MASKED))[:, None, :]
    return [xp.take(table[head], both, mode="clip") + behind for head in range(HEADS)]


def _attended(xp: Any, asked: Array, keys: Array, values: Array, near: Array, width: int) -> Array:
    """Return for each word the values of the words that one head attends to."""
    scores = (asked / np.float32(np.sqrt(width // HEADS))) @ xp.swapaxes(keys, -1, -2) + near
    scores = xp.exp(scores - scores.max(axis=-1, keepdims=True))
    return (scores @ values) / scores.sum(axis=-1, keepdims=True)


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

    @cached_property
    def _table(self) -> Floats:
        """The embeddings of the features, and a row of zeros for a feature that is unknown."""
        table = self.weights["features"]
        return np.vstack((table, np.zeros_like(table[:1])))

    def tagged(self, features: Sequence[Sequence[str]], lines: Sequence[int]) -> tuple[list[str], Doubles]:
        """Return the tag of each word of a page, and the probabilities (words, tags) of all tags.

        `features` are those of each word, `lines` the number of each word's line. Unknown features are left out.
        """
        embedded = self._embedded(features)
        mask = np.ones((1, len(lines)), bool)
        scores = encode(np, self.weights, embedded[None], np.array([lines]), mask)[0]
        steps, first = self.weights["steps"], self.weights["starts"]
        numbers = best_tags(scores, steps, first)
        return [self.tags[number] for number in numbers], probabilities(scores, steps, first)

    def _embedded(self, features: Sequence[Sequence[str]]) -> Floats:
        """Return the sum of the embeddings of each word's features: (words, width)."""
        known, nothing, most = self._known, len(self.features), max(map(len, features))
        rows = np.array(
            [[known.get(name, nothing) for name in one] + [nothing] * (most - len(one)) for one in features]
        )
        summed = np.zeros((len(rows), self._table.shape[1]), np.float32)
        for column in rows.T:
            summed += self._table.take(column, axis=0)
        return summed

    def save(self, path: Path) -> None:
        """Write all into one file, the weights in half precision."""
        arrays: dict[str, Any] = {name: weights.astype(np.float16) for name, weights in self.weights.items()}
        for name, names in (("features", self.features), ("tags", self.tags)):
            arrays[f"names.{name}"] = np.frombuffer("\n".join(names).encode(), np.uint8)
        np.savez_compressed(path, **arrays)

    @classmethod
    def load(cls, path: Path) -> Network:
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
    into = np.ascontiguousarray(steps.T)
    totals = np.empty_like(scores)
    totals[0] = first + scores[0]
    for at in range(1, len(scores)):
        np.add(np.maximum.reduce(into + totals[at - 1], axis=1), scores[at], out=totals[at])
    tags = [int(totals[-1].argmax())]
    for total in totals[-2::-1]:
        tags.append(int((total + into[tags[-1]]).argmax()))
    return tags[::-1]


def probabilities(scores: Floats, steps: Floats, first: Floats) -> Doubles:
    """Return each tag's marginal probability for each word (forward-backward). Arguments as of `best_tags`.

    Uses scaled sums of probabilities; both directions are computed in one pass.
    """
    steps = steps.astype(np.float64)
    following = np.exp(np.stack((steps, steps.T)) - steps.max())
    own = np.exp(scores.astype(np.float64) - scores.max(axis=1, keepdims=True))
    begin = np.exp(first.astype(np.float64) - first.max())
    # Before each word's own score, from the first word on and from the last one back.
    ahead, behind = np.empty_like(own), np.empty_like(own)
    reached = np.stack((begin, np.ones_like(begin)))[:, None, :]
    for one, last in enumerate(range(len(own) - 1, -1, -1)):
        ahead[one], behind[last] = reached[0, 0], reached[1, 0]
        reached[0, 0] *= own[one]
        reached[1, 0] *= own[last]
        reached = reached @ following
        if not one % _SCALED:
            reached /= np.add.reduce(reached, axis=2, keepdims=True)
    joint = ahead * own * behind
    shares: Doubles = joint / joint.sum(axis=1, keepdims=True)
    return shares
