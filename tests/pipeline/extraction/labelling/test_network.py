"""The labeller's network against what its definition says, on sizes at which all ways can be counted."""

from __future__ import annotations

from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest

from pipeline.extraction.labelling.features import features_of, split_lines
from pipeline.extraction.labelling.labeller import MODEL, Network, best_tags, encode, label_lines, probabilities

OPENING = ["Rosalind Okafor", "Thornbury   4th", "", "My father mends clocks in a shop by the river."]


@pytest.fixture(scope="module")
def network() -> Network:
    return Network.load(MODEL)


@pytest.mark.parametrize("seed", range(8))
def test_decoding_against_all_sequences(seed: int) -> None:
    rng = np.random.default_rng(seed)
    words, tags = 4, 3
    scores, steps, first = (
        rng.normal(size=shape).astype(np.float32) for shape in ((words, tags), (tags, tags), tags)
    )
    ways = {
        way: first[way[0]]
        + sum(scores[at, tag] for at, tag in enumerate(way))
        + sum(steps[one, two] for one, two in pairwise(way))
        for way in product(range(tags), repeat=words)
    }
    assert tuple(best_tags(scores, steps, first)) == max(ways, key=lambda way: ways[way])
    total = sum(np.exp(score) for score in ways.values())
    expected = [
        [sum(np.exp(score) for way, score in ways.items() if way[at] == tag) / total for tag in range(tags)]
        for at in range(words)
    ]
    np.testing.assert_allclose(probabilities(scores, steps, first), expected, rtol=1e-4)


def test_page_that_is_filled_up_has_the_same_scores(network: Network) -> None:
    rng = np.random.default_rng(1)
    width = network.weights["features"].shape[1]
    embedded = rng.normal(size=(1, 9, width)).astype(np.float32)
    lines = np.array([[0, 0, 0, 1, 1, 2, 2, 2, 2]])
    alone = encode(np, network.weights, embedded[:, :6], lines[:, :6], np.ones((1, 6), bool))
    mask = np.arange(9)[None] < 6
    filled = encode(np, network.weights, embedded, lines, mask)
    np.testing.assert_allclose(filled[:, :6], alone, atol=1e-4)


def test_each_word_has_a_tag_and_shares_of_one(network: Network) -> None:
    split = split_lines(OPENING)
    lines = [word.line for line in split for word in line.words]
    tags, shares = network.tagged(features_of(split), lines)
    assert len(tags) == len(lines) == len(shares)
    assert set(tags) <= set(network.tags)
    np.testing.assert_allclose(shares.sum(1), 1.0, atol=1e-3)


def test_saved_and_loaded(network: Network, tmp_path: Path) -> None:
    network.save(tmp_path / "again.npz")
    again = Network.load(tmp_path / "again.npz")
    assert (again.features, again.tags) == (network.features, network.tags)
    assert {name: array.tobytes() for name, array in again.weights.items()} == {
        name: array.tobytes() for name, array in network.weights.items()
    }


def test_unknown_features_are_left_out(network: Network) -> None:
    features = [["w=*", "never seen before"], ["w=*"]]
    _, shares = network.tagged(features, [0, 0])
    assert np.isfinite(shares).all()


def test_page_without_a_word() -> None:
    assert label_lines(["", "   "]) == []
