"""Train the labeller of headers without labels on drawn headers, and measure it on headers that it has not seen.

Writes headers.npz into pipeline/extraction/labelling, beside it the lists common_words.txt.gz and
name_ranks.txt.gz, and the figures of the training as headers.json.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import sys
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import names
import numpy as np
from spellchecker import SpellChecker

from lab.build_name_list import surname_percents
from lab.headers.drawn import Header
from lab.labeller.fit import Weights, fit, fresh_weights
from lab.labeller.pages import TAGS, drawn, numbered_pages, tagged, vocabulary
from pipeline.extraction.labelling import features as lexicon
from pipeline.extraction.labelling.features import LETTERS
from pipeline.extraction.labelling.labeller import BEGINS, MODEL, Network
from pipeline.extraction.values.text import plain_text
from pipeline.spelling.prior import name_shares

SEED = 2026
HEADERS = 60_000
ROUNDS = 5
WIDTH, LAYERS, BATCH = 96, 3, 64
#: Headers that the list of features is made of, and the least number of words that a listed one occurs on.
LISTED, LEAST = 8_000, 12
#: Words of each language that have a rank.
WORDS = {"en": 4000, "es": 4000}
#: What the features begin with that tell the word itself.
_TELLING = ("w=", LETTERS)


def write_common_words() -> None:
    """The most frequent words of both languages, the commonest first."""
    parts = []
    for code, most in WORDS.items():
        counts: Counter[str] = Counter()
        for word, count in SpellChecker(language=code).word_frequency.dictionary.items():
            counts[plain_text(word)] += count
        parts.append("\n".join(word for word, _ in counts.most_common(most)))
    path = MODEL.with_name("common_words.txt.gz")
    path.write_bytes(gzip.compress("\n\n".join(parts).encode(), mtime=0))
    lexicon.forget()


def _rank(share: float) -> str:
    """The digit of a share (0-1) among given names or surnames: see `features.name_rank`."""
    return "9" if share <= 0 else str(min(max(int(-2 * math.log10(share)) - 5, 0), 6))


def write_name_ranks() -> None:
    """How common each listed name is as a given name and as a surname.

    The list's share of a name is the mean of its shares among first names and among surnames; the surnames' are
    those of the Census Bureau of 1990, as the package `names` (MIT licence) holds them.
    """
    surnames = surname_percents(Path(names.__file__).parent / "dist.all.last")
    total = sum(surnames.values())
    last = {name: share / total for name, share in surnames.items()}
    ranks = [
        (_rank(2 * share - last.get(name, 0.0)), _rank(last.get(name, 0.0)))
        for name, share in name_shares().items()
    ]
    text = "\n".join("".join(digits) for digits in zip(*ranks, strict=True))
    MODEL.with_name("name_ranks.txt.gz").write_bytes(gzip.compress(text.encode("ascii"), mtime=0))
    lexicon.forget()


def measured(headers: Iterable[Header], network: Network) -> dict[str, float]:
    """Share of words with the right role, and of headers in which every word of a role is right, by role."""
    right: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for header in headers:
        features, lines, tags = tagged(header)
        said, _ = network.tagged(features, lines)
        seen["words"] += len(tags)
        right["words"] += sum(a == b for a, b in zip(said, tags, strict=True))
        for role in ("name", "school", "grade", "room", "teacher", "title", "date"):
            wanted, given = (
                {n for n, one in enumerate(labels) if one.removeprefix(BEGINS) == role} for labels in (tags, said)
            )
            seen[role] += 1
            right[role] += wanted == given
    return {name: round(right[name] / seen[name], 4) for name in seen}


def main() -> None:
    """Train, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--headers", type=int, default=HEADERS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--width", type=int, default=WIDTH)
    parser.add_argument("--layers", type=int, default=LAYERS)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--out", type=Path, default=MODEL)
    given = parser.parse_args()
    write_common_words()
    write_name_ranks()
    begun = time.monotonic()
    features = vocabulary(drawn(given.seed, -1, LISTED), LEAST)
    pages = numbered_pages(given.seed, given.headers, features, given.processes)
    words = sum(len(page.tags) for page in pages)
    print(f"{len(pages)} pages, {words} words, {len(features)} features drawn", file=sys.stderr, flush=True)

    def show(around: int, weights: Weights) -> None:
        network = Network(weights, features, TAGS)
        print(around, measured(drawn(given.seed, -2, 500), network), file=sys.stderr, flush=True)
        network.save(given.out)

    weights = fit(
        pages,
        fresh_weights(len(features), given.width, given.layers, given.seed),
        telling=np.array([name.startswith(_TELLING) for name in features]),
        rounds=given.rounds,
        size=BATCH,
        seed=given.seed,
        after=show,
    )
    network = Network(weights, features, TAGS)
    network.save(given.out)
    figures = {
        "seed": given.seed,
        "headers": len(pages),
        "words": words,
        "rounds": given.rounds,
        "features": len(features),
        "width": given.width,
        "layers": given.layers,
        "minutes": round((time.monotonic() - begun) / 60, 1),
        "bytes": given.out.stat().st_size,
        "right": measured(drawn(given.seed, -3, 1000), Network.load(given.out)),
    }
    given.out.with_suffix(".json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
