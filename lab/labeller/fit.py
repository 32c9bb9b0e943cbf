"""Fits the labeller's network by JAX; the embeddings, of which a page uses few, by SciPy's sparse matrices."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from scipy.sparse import csr_matrix

from lab.labeller.pages import TAGS, NumberedPage
from pipeline.extraction.labelling.labeller import HEADS, LINES_APART, WORDS_APART, encode

#: Words of a page are filled up to a multiple of this.
_STEP = 32
#: Share of words of which training hides the letters and the word itself, so that it learns from the others.
_HIDDEN = 0.12
_DROPPED = 0.12
_RATE = 1.5e-3
_AVERAGED = 0.998

Weights = dict[str, Any]


@dataclass(frozen=True)
class Batch:
    """Pages of about one length: the words' features as a sparse matrix, lines, tags, and where words are."""

    features: csr_matrix
    lines: Any
    tags: Any
    mask: Any


def fresh_weights(features: int, width: int, layers: int, seed: int) -> Weights:
    """Weights to begin with."""
    rng = np.random.default_rng(seed)

    def drawn(*shape: int, scale: float | None = None) -> Any:
        spread = scale if scale is not None else (2 / (shape[0] + shape[-1])) ** 0.5
        return rng.normal(0, spread, shape).astype(np.float32)

    weights: Weights = {
        "words_apart": drawn(2 * WORDS_APART + 1, HEADS, scale=0.02),
        "lines_apart": drawn(2 * LINES_APART + 1, HEADS, scale=0.02),
        "tags": drawn(width, len(TAGS)),
        "tags.bias": np.zeros(len(TAGS), np.float32),
        "steps": np.zeros((len(TAGS), len(TAGS)), np.float32),
        "starts": np.zeros(len(TAGS), np.float32),
        "features": drawn(features, width, scale=0.1),
    }
    norms = ["first", "last"]
    for layer in range(layers):
        weights[f"{layer}.mixed"] = drawn(width, 3 * width)
        weights[f"{layer}.joined"] = drawn(width, width) * 0.5
        weights[f"{layer}.wide"] = drawn(width, 3 * width)
        weights[f"{layer}.wide.bias"] = np.zeros(3 * width, np.float32)
        weights[f"{layer}.narrow"] = drawn(3 * width, width) * 0.5
        norms += [f"{layer}.attention", f"{layer}.inner"]
    for name in norms:
        weights[f"{name}.scale"] = np.ones(width, np.float32)
        weights[f"{name}.shift"] = np.zeros(width, np.float32)
    return weights


def batches(pages: Sequence[NumberedPage], size: int, features: int, rng: np.random.Generator) -> Iterator[Batch]:
    """All pages once, in batches of pages of about the same length, in any order."""
    by_length: defaultdict[int, list[int]] = defaultdict(list)
    for number in rng.permutation(len(pages)):
        by_length[-(-len(pages[number].tags) // _STEP) * _STEP].append(int(number))
    groups = [
        (length, numbers[at : at + size])
        for length, numbers in by_length.items()
        for at in range(0, len(numbers), size)
    ]
    for which in rng.permutation(len(groups)):
        length, numbers = groups[which]
        yield _batch([pages[number] for number in numbers], length, size, features)


def _batch(pages: Sequence[NumberedPage], length: int, size: int, features: int) -> Batch:
    lines, tags = np.zeros((size, length), np.int32), np.zeros((size, length), np.int32)
    mask = np.zeros((size, length), bool)
    counts = np.zeros((size, length), np.int64)
    for row, page in enumerate(pages):
        words = len(page.tags)
        lines[row, :words], tags[row, :words], mask[row, :words] = page.lines, page.tags, True
        counts[row, :words] = np.diff(page.ends, prepend=0)
    numbers = np.concatenate([page.features for page in pages]).astype(np.int32)
    ends = np.concatenate([[0], np.cumsum(counts.ravel())])
    matrix = csr_matrix((np.ones(len(numbers), np.float32), numbers, ends), (size * length, features))
    return Batch(matrix, lines, tags, mask)


def _hidden(batch: Batch, telling: Any, rng: np.random.Generator) -> csr_matrix:
    """The features of a batch, of some words without those that tell the word itself."""
    matrix = batch.features
    hidden = np.repeat(rng.random(matrix.shape[0]) < _HIDDEN, np.diff(matrix.indptr))
    kept = np.where(hidden & telling[matrix.indices], 0, 1).astype(np.float32)
    return csr_matrix((kept, matrix.indices, matrix.indptr), matrix.shape)


def _log_loss(weights: Weights, embedded: Any, lines: Any, tags: Any, mask: Any, key: Any) -> Any:
    """Mean over the words of minus the log of the probability of the pages' tags."""
    keys = iter(jax.random.split(key, 32))

    def drop(array: Any) -> Any:
        kept = jax.random.bernoulli(next(keys), 1 - _DROPPED, array.shape)
        return jnp.where(kept, array / (1 - _DROPPED), 0.0)

    scores = encode(jnp, weights, drop(embedded), lines, mask, drop)
    steps, starts = weights["steps"], weights["starts"]
    said = jnp.take_along_axis(scores, tags[..., None], -1)[..., 0]
    moved = steps[tags[:, :-1], tags[:, 1:]]
    path = starts[tags[:, 0]] + (said * mask).sum(1) + (moved * mask[:, 1:]).sum(1)

    def onward(total: Any, at: Any) -> tuple[Any, None]:
        row, there = at
        ways = jax.nn.logsumexp(total[:, :, None] + steps[None], axis=1) + row
        return jnp.where(there[:, None], ways, total), None

    rows = (jnp.swapaxes(scores[:, 1:], 0, 1), jnp.swapaxes(mask[:, 1:], 0, 1))
    total, _ = jax.lax.scan(onward, starts + scores[:, 0], rows)
    lost = (jax.nn.logsumexp(total, axis=-1) - path) * mask[:, 0]
    return lost.sum() / mask.sum()


def fit(
    pages: Sequence[NumberedPage],
    weights: Weights,
    *,
    telling: Any,
    rounds: int,
    size: int,
    seed: int,
    after: Callable[[int, Weights], None],
) -> Weights:
    """Return the weights, averaged over the last steps, after so many rounds over all pages.

    `telling` says of each feature whether it tells the word itself; `after` is called with each round's weights.
    """
    rng = np.random.default_rng(seed)
    features = len(weights["features"])
    number = rounds * (len(pages) // size + 4)
    rate = optax.warmup_cosine_decay_schedule(0.0, _RATE, min(500, number // 10), number, _RATE / 50)
    mover = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(rate, weight_decay=1e-3))
    weights = {name: jnp.asarray(array) for name, array in weights.items()}
    state, averaged = mover.init(weights), weights
    slopes = jax.jit(jax.value_and_grad(_log_loss, argnums=(0, 1)))

    def move(weights: Weights, state: Any, averaged: Weights, slope: Weights) -> Any:
        update, state = mover.update(slope, state, weights)
        weights = optax.apply_updates(weights, update)
        averaged = jax.tree.map(lambda old, new: _AVERAGED * old + (1 - _AVERAGED) * new, averaged, weights)
        return weights, state, averaged

    moved = jax.jit(move, donate_argnums=(1, 2))
    averaged = jax.tree.map(jnp.array, averaged)
    key = jax.random.key(seed)
    for around in range(rounds):
        losses = []
        for batch in batches(pages, size, features, rng):
            key, own = jax.random.split(key)
            matrix = _hidden(batch, telling, rng)
            embedded = (matrix @ np.asarray(weights["features"])).reshape(*batch.mask.shape, -1)
            loss, (slope, turned) = slopes(weights, embedded, batch.lines, batch.tags, batch.mask, own)
            slope["features"] = matrix.T @ np.asarray(turned).reshape(matrix.shape[0], -1)
            weights, state, averaged = moved(weights, state, averaged, slope)
            losses.append(float(loss))
        print(f"round {around + 1}: loss {np.mean(losses):.4f}", file=sys.stderr, flush=True)
        after(around + 1, {name: np.asarray(array) for name, array in averaged.items()})
    return {name: np.asarray(array) for name, array in averaged.items()}
