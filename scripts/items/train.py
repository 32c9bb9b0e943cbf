"""Train the models that tell which names on a page are items of a catalog: `make items` (two minutes).

Writes `research/readers/rules/items.json.gz`. With `--check` it writes nothing and prints the recall and precision
at several chances, each fifth of the requests read by models that have not seen it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from research.catalog.candidate_names import same_item
from research.material import SourceText
from research.readers.rules.judging import FILE, chances_of, judged_together
from research.readers.rules.named import Named, named_in
from research.readers.rules.overlaps import chosen
from research.readers.rules.signs import Pages, signs_among, signs_of
from research.sources.passages import passages_of
from research.text.linear_model import LinearModel
from scripts.bench.research.catalogs.tasks import Task, tasks
from scripts.questions.fitting import fitted, folds, store

_FOLDS = 5
#: Fewest names that a feature is learned from.
_LEAST_OFTEN = 10
#: Inverse strength of the regularisation of both models, and least chance of an item.
_STRENGTH, _LEAST = 4.0, 0.75
#: What one page or two of a request's four count, and pieces of a page, beside all four: reports are also written
#: from few pages and from short ones.
_WEIGHT_OF_PART, _WEIGHT_OF_PIECE = 0.1, 0.03
#: What a request with a single page counts beside one with four; there are few.
_WEIGHT_OF_SINGLE = 3.0
#: In how many pieces a page is cut.
_PIECES = (2, 4)
_CHECKED = (0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)


@dataclass(frozen=True)
class Example:
    """What pages name that are judged together, and which of it are items."""

    weight: float
    names: list[Named]
    signs: list[set[str]]
    #: Whether each name is an item.
    labels: list[bool]


@dataclass(frozen=True)
class Request:
    """A labelled request and what is learned from it."""

    task: Task
    examples: list[Example]


def main() -> None:
    """Train and write the models, or check them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    is_check = parser.parse_args().check
    known = [*tasks("seen"), *tasks("aside"), *tasks("trained"), *tasks("short")]
    with ProcessPoolExecutor() as pool:
        requests = list(pool.map(_request, known))
    if is_check:
        _check(requests)
        return
    store(trained(requests), FILE)
    print(f"{len(known)} requests, {FILE.stat().st_size // 1024} KB")


def trained(known: Sequence[Request]) -> Mapping[str, LinearModel]:
    """Return both models; the second sees chances of the first as on requests that this has not seen."""
    signs, labels, weights = list[set[str]](), list[bool](), list[float]()
    for learned, held in folds(known, _FOLDS):
        alone = _alone(learned)
        for example in (one for request in held for one in request.examples):
            chances = [alone.probability(one) for one in example.signs]
            signs += signs_among(example.signs, example.names, chances)
            labels += example.labels
            weights += [example.weight] * len(example.names)
    return {"alone": _alone(known), "among": _fitted(signs, labels, weights)}


def _alone(known: Sequence[Request]) -> LinearModel:
    examples = [one for request in known for one in request.examples]
    return _fitted(
        [signs for one in examples for signs in one.signs],
        [label for one in examples for label in one.labels],
        [one.weight for one in examples for _ in one.names],
    )


def _fitted(signs: Sequence[set[str]], labels: Sequence[bool], weights: Sequence[float]) -> LinearModel:
    return fitted(
        signs, labels, weights, strength=_STRENGTH, threshold=_LEAST, least_often=_LEAST_OFTEN, by_rarity=False
    )


def _request(task: Task) -> Request:
    """Return the request as it is learned: with all its pages, with one or two of them, with pieces of each."""
    keys = list(task.sources)
    if len(keys) == 1:
        return Request(task, list(_examples(task, _WEIGHT_OF_SINGLE)))
    parts = [[key] for key in keys] + ([keys[:2], keys[2:]] if len(keys) > 2 else [])
    pieces = [{key: piece} for key in keys for piece in _pieces(task.sources[key])]
    pages = [
        (task.sources, 1.0),
        *(({key: task.sources[key] for key in part}, _WEIGHT_OF_PART) for part in parts),
        *((piece, _WEIGHT_OF_PIECE) for piece in pieces),
    ]
    return Request(task, [one for some, weight in pages for one in _examples(replace(task, sources=some), weight)])


def _pieces(source: SourceText) -> Iterator[SourceText]:
    """Yield the source cut in pieces of whole paragraphs."""
    paragraphs = source.text.split("\n\n")
    for count in _PIECES:
        size = -(-len(paragraphs) // count)
        for start in range(0, len(paragraphs), size):
            passages = passages_of([(text, None) for text in paragraphs[start : start + size]])
            if passages:
                yield replace(source, passages=passages)


def _examples(task: Task, weight: float) -> Iterator[Example]:
    """Yield the names of the pages that are judged together."""
    pages, names = _read(task)
    for within, some in judged_together(names, pages):
        told = list(within.values())
        signs = [signs_of(one, some, len(told)) for one in told]
        yield Example(weight, told, signs, [bool(_items(one, task)) for one in told])


def _read(task: Task) -> tuple[Pages, list[Named]]:
    pages = Pages.of(task.asked, task.sources)
    return pages, named_in(task.sources, pages.entries)


def _items(named: Named, task: Task) -> set[str]:
    """Return the labelled items that a name denotes."""
    return {item.names[0] for item in task.items if any(same_item(a, b) for a in named.names for b in item.names)}


def _check(known: Sequence[Request]) -> None:
    read: list[tuple[Task, list[Named], list[float]]] = []
    for learned, held in folds(known, _FOLDS):
        models = trained(learned)
        for task in (request.task for request in held):
            pages, names = _read(task)
            read.append((task, names, chances_of(names, pages, models)))
    labelled = sum(len(task.items) for task, _, _ in read)
    print(f"{len(read)} requests, {labelled} items")
    for least in _CHECKED:
        right = wrong = 0
        for task, names, chances in read:
            found: set[str] = set()
            for of_name in (_items(names[at], task) for at in chosen(names, chances, least)):
                right, wrong = (right + 1, wrong) if of_name - found else (right, wrong + 1)
                found |= of_name
        print(f"from {least:.2f}: recall {right / labelled:.3f}, precision {right / max(1, right + wrong):.3f}")


if __name__ == "__main__":
    main()
